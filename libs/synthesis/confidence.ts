import type { Confidence } from '@lib/domain/vocabulary';
import type { Statement } from './claims';

/**
 * How far a claim can be trusted, from who says it and on whose authority alone:
 *
 * - `high`: two providers with sources independent of each other say it, and nobody contradicts.
 * - `medium`: two providers say it on the authority of one source between them, or one provider on that of two independent sources.
 * - `low`: everything else, and whatever a provider contradicts.
 *
 * Sources are independent when they lie on different sites or, for local documents, in different documents (`witnessKey`): two providers that
 * repeat one source are one witness, and a provider that names no source is none.
 */
export function confidenceOf(supporting: readonly Statement[], isContradicted: boolean): Confidence {
  if (isContradicted) return 'low';
  const cited = supporting.filter(({ witnesses }) => witnesses.size > 0);
  const providers = new Set(cited.map(({ provider }) => provider));
  const witnesses = new Set(cited.flatMap((statement) => [...statement.witnesses]));
  if (providers.size >= 2 && witnesses.size >= 2) return 'high';
  return providers.size >= 2 || witnesses.size >= 2 ? 'medium' : 'low';
}
