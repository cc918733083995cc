import { checkedReport, citableUrl, isLocalDocument, UnfitReport } from '@lib/domain/checked-report';
import type { StepResult } from '@lib/domain/job/commands';
import { unrecordable } from '@lib/domain/job/failed-result';
import { PLAUSIBLE_CHARGE_MICROS } from '@lib/domain/money';

/** In UTF-16 units. A worker cuts its reports at fewer bytes, so a longer one comes from a broken worker. */
const MAX_REPORT_LENGTH = 4 * 1024 * 1024;

export interface CheckedResult {
  result: StepResult;
  /** For the log, without content: what was changed or looks implausible. */
  doubts: { reason: 'report_refused' | 'citations_dropped' | 'charge_large'; detail: string | number }[];
}

/**
 * Checks a worker's result against the rules that the worker should have kept: it may be broken, or an impostor. A report that cannot be recorded
 * makes its attempt fail, and its cost still counts.
 * @param documents whether the report may cite local documents; what it says of them cannot be checked, since the worker alone has them
 */
export function checkedResult(result: StepResult, documents: boolean): CheckedResult {
  const micros = result.charge?.micros ?? 0;
  const doubts: CheckedResult['doubts'] = micros > PLAUSIBLE_CHARGE_MICROS ? [{ reason: 'charge_large', detail: micros }] : [];
  if (result.outcome === 'failed') return { result, doubts };
  try {
    const { reportMarkdown: told, citations: sources, charge, model: name } = result;
    if (told.length > MAX_REPORT_LENGTH)
      throw new UnfitReport(`The report has ${told.length} characters, more than ${MAX_REPORT_LENGTH}`, charge);
    const { markdown, citations: citable, model } = checkedReport({ markdown: told, citations: sources, charge, model: name });
    const citations = documents ? citable : citable.filter(({ url }) => !isDocument(url));
    const dropped = sources.length - citations.length;
    if (dropped > 0) doubts.push({ reason: 'citations_dropped', detail: dropped });
    return { result: { ...result, reportMarkdown: markdown, citations, model }, doubts };
  } catch (error) {
    if (!(error instanceof UnfitReport)) throw error;
    return { result: unrecordable(result, `${error.message}.`), doubts: [...doubts, { reason: 'report_refused', detail: error.message }] };
  }
}

/** Whether it cites a local document, which not every adapter may. */
export const citesDocuments = (result: StepResult): boolean =>
  result.outcome === 'completed' && result.citations.some(({ url }) => isDocument(url));

function isDocument(url: string): boolean {
  const parsed = citableUrl(url);
  return parsed !== null && isLocalDocument(parsed);
}
