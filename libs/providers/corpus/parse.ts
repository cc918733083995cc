import { NO_CHARGE } from '@lib/domain/money';
import type { RawResponse, ResearchReport } from '../research-provider';
import { writeReport } from './answer/report';
import type { Retrieved } from './finding/retrieve';

/** The raw response is the retrieved content as JSON. */
export const formatResponse = (retrieved: Retrieved): RawResponse => JSON.stringify(retrieved);

/** Writes the report from the retrieved content. Local documents are free. */
export function parseResponse(raw: RawResponse): ResearchReport {
  const { markdown, citations } = writeReport(JSON.parse(raw) as Retrieved);
  return { markdown, citations, charge: NO_CHARGE, model: null };
}
