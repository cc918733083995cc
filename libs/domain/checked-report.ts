import type { Citation } from './citation';
import { isJsonObject, type JsonObject } from './json-object';
import { MAX_CHARGE_MICROS, USAGE_COUNTS, type Charge, type Usage } from './money';
import { PROVENANCES } from './vocabulary';

/** A response with more sources is broken or hostile. */
export const MAX_CITATIONS = 2000;
export const MAX_URL_LENGTH = 8192;
/** In UTF-16 units; longer texts are cut. */
const MAX_LENGTH = { title: 1_000, snippet: 50_000, publishedAt: 100, model: 200 };
/** Largest citation number that all later steps can handle. */
const MAX_INDEX = 2 ** 31 - 1;
/** Citations are shown as links, so protocols that could execute something are excluded. */
const LOCAL_DOCUMENT = 'corpus:';
export const CITABLE_PROTOCOLS: readonly string[] = ['http:', 'https:', LOCAL_DOCUMENT];

/** Whether this is the URL of a document on the machine of a worker, which only an adapter that reads documents may cite. */
export const isLocalDocument = (url: URL): boolean => url.protocol === LOCAL_DOCUMENT;

/** Google's grounding cites through this host. Its redirects do not contain their target, and URLs of providers are never fetched. */
const REDIRECTING_HOST = 'vertexaisearch.cloud.google.com';
const HOST_NAME = /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,62}$/i;

export interface CheckedReport {
  markdown: string;
  citations: Citation[];
  charge: Charge;
  /** The model that answered, if it is known. */
  model: string | null;
}

/** A report that cannot be recorded. */
export class UnfitReport extends Error {
  override readonly name = 'UnfitReport';

  constructor(
    message: string,
    /** The charge of the run, where it is known. */
    readonly charge: Charge | undefined,
  ) {
    super(message);
  }
}

/** What a provider's API or a worker sent. Its content is not trusted. */
type Unchecked<Checked> = { readonly [Key in keyof Checked]?: unknown };

/**
 * Makes a report fit to be recorded: well-formed Unicode without NUL, spans inside the report, only citations that can be shown as links,
 * each with its domain. A worker checks its provider's reports this way, and the saga checks the worker's.
 * @throws UnfitReport
 */
export function checkedReport(report: unknown): CheckedReport {
  if (!isJsonObject(report)) throw malformed('The report is not an object');
  const { markdown, citations, charge, model }: Unchecked<CheckedReport> = report;
  const known = checkedCharge(charge);
  if (typeof markdown !== 'string' || markdown.trim() === '') throw malformed('The report has no text', known);
  if (!Array.isArray(citations)) throw malformed('The report has no list of citations', known);
  if (citations.length > MAX_CITATIONS) throw malformed(`The report has ${citations.length} citations, more than ${MAX_CITATIONS}`, known);
  const text = { length: markdown.length, nulBefore: nulCounts(markdown) };
  const checked = citations.flatMap((citation, position) => checkedCitation(citation, position, text, known));
  refuseAmbiguousIndexes(checked, known);
  return { markdown: cleaned(markdown), citations: checked, charge: known, model: nameOrNull(model) };
}

/** The parsed URL; null if it cannot be shown as a link. */
export function citableUrl(url: string): URL | null {
  const parsed = url.length > MAX_URL_LENGTH ? null : URL.parse(url);
  return parsed && CITABLE_PROTOCOLS.includes(parsed.protocol) ? parsed : null;
}

function checkedCharge(charge: unknown): Charge {
  const { micros, provenance, usage, pricesSha256 }: Unchecked<Charge> = isJsonObject(charge) ? charge : {};
  const known = PROVENANCES.find((name) => name === provenance);
  if (!Number.isSafeInteger(micros) || Number(micros) < 0 || Number(micros) > MAX_CHARGE_MICROS || !known) {
    throw malformed(`The charge is ${String(micros)} (${String(provenance)}), not a whole number of micro-dollars of known provenance`);
  }
  return {
    ...{ micros: Number(micros), provenance: known },
    ...(isJsonObject(usage) && { usage: checkedUsage(usage) }),
    ...(typeof pricesSha256 === 'string' && { pricesSha256 }),
  };
}

/** Impossible counts become null. */
function checkedUsage(usage: JsonObject): Usage {
  const count = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null);
  return Object.fromEntries(USAGE_COUNTS.map((name) => [name, count(usage[name])] as const)) as Record<keyof Usage, number | null>;
}

/** What the checks need to know about the text of a report. */
interface CheckedText {
  length: number;
  /** The number of NUL characters before an offset. */
  nulBefore: (offset: number) => number;
}

/** Empty for a citation whose URL cannot be shown as a link. */
function checkedCitation(citation: unknown, position: number, text: CheckedText, charge: Charge): Citation[] {
  const { index, url, title, snippet, startIndex, endIndex, publishedAt }: Unchecked<Citation> = isJsonObject(citation) ? citation : {};
  if (!Number.isSafeInteger(index) || Number(index) < 1 || Number(index) > MAX_INDEX) {
    throw malformed(`Citation ${position + 1} of the report has the index ${String(index)}, not a whole number from 1`, charge);
  }
  if (typeof url !== 'string') throw malformed(`Citation ${position + 1} of the report has no URL`, charge);
  const parsed = citableUrl(url);
  if (!parsed) return [];
  const hasSpan = Number.isSafeInteger(startIndex) && Number.isSafeInteger(endIndex);
  const [start, end] = [Number(startIndex), Number(endIndex)];
  const inside = hasSpan && start >= 0 && start < end && end <= text.length;
  return [
    {
      index: Number(index),
      url: cleaned(url),
      title: textOrNull(title, MAX_LENGTH.title),
      snippet: textOrNull(snippet, MAX_LENGTH.snippet),
      startIndex: inside ? start - text.nulBefore(start) : null,
      endIndex: inside ? end - text.nulBefore(end) : null,
      publishedAt: textOrNull(publishedAt, MAX_LENGTH.publishedAt),
      domain: domainOf(parsed, textOrNull(title, MAX_LENGTH.title)),
    },
  ];
}

/**
 * Gemini cites every page through a redirect of the same host and gives the page's own host as the title. Without using that, all of its sources
 * would count as one site.
 */
function domainOf({ hostname }: URL, title: string | null): string | null {
  const named = hostname === REDIRECTING_HOST && title !== null && HOST_NAME.test(title) ? URL.parse(`https://${title}`) : null;
  return named?.hostname ?? (hostname || null);
}

/** A mark may occur at several spans, but must not stand for two sources. */
function refuseAmbiguousIndexes(citations: readonly Citation[], charge: Charge): void {
  const urls = new Map<number, string>();
  for (const { index, url } of citations) {
    if ((urls.get(index) ?? url) !== url) throw malformed(`The mark [${index}] of the report stands for two different sources`, charge);
    urls.set(index, url);
  }
}

/** Lone surrogates cannot be encoded, and PostgreSQL cannot store NUL in a text. */
function cleaned(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').replaceAll('\0', '');
}

/** Counted once for all citations: counting anew for each of 2,000 in a text of 8 MB of NUL took minutes. */
function nulCounts(text: string): CheckedText['nulBefore'] {
  if (!text.includes('\0')) return () => 0;
  const before = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1) before[at + 1] = (before[at] ?? 0) + (text.charCodeAt(at) === 0 ? 1 : 0);
  return (end) => before[end] ?? 0;
}

function textOrNull(value: unknown, longest: number): string | null {
  if (typeof value !== 'string') return null;
  // Does not cut a surrogate pair in half.
  return (
    cleaned(value)
      .slice(0, longest)
      .replace(/[\uD800-\uDBFF]$/, '') || null
  );
}

/** On one line, as names are shown. */
function nameOrNull(value: unknown): string | null {
  return textOrNull(typeof value === 'string' ? value.replace(/\p{Cc}+/gu, ' ').trim() : null, MAX_LENGTH.model);
}

function malformed(message: string, charge?: Charge): UnfitReport {
  return new UnfitReport(message, charge);
}
