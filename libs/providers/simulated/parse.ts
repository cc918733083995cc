import type { Charge } from '@lib/domain/money';

import type { RawResponse, ResearchReport } from '../research-provider';
import type { PreparedReport } from './prepared-reports';

const SIMULATED_MODEL = 'simulated';

/** A raw response is the run's charge followed by the prepared report as JSON. */
export const formatResponse = (preparedJson: string, micros: number): RawResponse => `{"micros":${micros},${preparedJson.slice(1)}`;

export function parseResponse(raw: RawResponse): ResearchReport {
  const { micros, markdown, sources } = JSON.parse(raw) as PreparedReport & { micros: number };
  const charge: Charge = { micros, provenance: 'reported' };
  const citations = sources.map((source) => ({ ...source, snippet: null, publishedAt: null, domain: new URL(source.url).hostname }));
  return { markdown, citations, charge, model: SIMULATED_MODEL };
}
