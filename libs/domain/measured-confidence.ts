import type { Confidence } from './vocabulary';

/**
 * For each confidence level, the share of its claims' facts that proved true, according to people's labels (docs/confidence.md, "The half that
 * counts"). It describes the level as a whole and is no estimate for a single claim.
 */
export const MEASURED_CONFIDENCE: Readonly<Record<Confidence, number>> = { high: 0.97, medium: 0.91, low: 0.62 };
