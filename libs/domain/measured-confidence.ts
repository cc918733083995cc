import type { Confidence } from './vocabulary';

/**
 * Which share of the facts that claims of a level state was true where people had labelled them (docs/confidence.md, the half that counts).
 * It is the level's share and no estimate for a single claim.
 */
export const MEASURED_CONFIDENCE: Readonly<Record<Confidence, number>> = { high: 0.94, medium: 0.91, low: 0.62 };
