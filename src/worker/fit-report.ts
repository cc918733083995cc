import type { Citation } from '@lib/domain/citation';
import type { StepResult } from '@lib/domain/job/commands';
import type { ResearchReport } from '@lib/providers/research-provider';

const NOTE = '\n\n*[The rest of this report is left out: it was longer than a message may be.]*';

/** The most bytes a citation's span can grow by when its two numbers become `null`. */
const DROPPED_SPAN_BYTES = 6;

export type FittedReport = Pick<ResearchReport, 'markdown' | 'citations'> & { truncated: boolean };

type WholeReport = Pick<ResearchReport, 'markdown' | 'citations'>;

/** Cuts a report to fit into one message: drops citations from the end, cuts the text at a paragraph, and adds a note that says so. */
export function fitReport({ markdown, citations }: WholeReport, maxBytes: number): FittedReport {
  if (bytesOf({ markdown, citations }) <= maxBytes) return { markdown, citations, truncated: false };
  return cutReport({ markdown, citations }, maxBytes);
}

/** Cuts a waiting result again if the new NATS server takes only shorter messages. It has one note, however often it is cut. */
export function fitResult(result: StepResult, maxBytes: number): StepResult {
  if (result.outcome !== 'completed') return result;
  const { reportMarkdown, citations } = result;
  if (bytesOf({ markdown: reportMarkdown, citations }) <= maxBytes) return result;
  const withoutNote = reportMarkdown.endsWith(NOTE) ? reportMarkdown.slice(0, -NOTE.length) : reportMarkdown;
  const { markdown, ...fitted } = cutReport({ markdown: withoutNote, citations }, maxBytes);
  return { ...result, ...fitted, reportMarkdown: markdown };
}

function cutReport({ markdown, citations }: WholeReport, maxBytes: number): FittedReport {
  const citationBytes = citations.map(bytesOfCitation);
  const kept = keptCitations(citationBytes, maxBytes / 2);
  const keptBytes = citationBytes.slice(0, kept).reduce((sum, bytes) => sum + bytes + DROPPED_SPAN_BYTES, 0);
  const left = maxBytes - keptBytes - byteLength(NOTE) * 2;
  const cut = cutMarkdown(markdown, left);
  const inside = (end: number | null) => end === null || end <= cut.length;
  const fitted = citations
    .slice(0, kept)
    .map((citation) => (inside(citation.endIndex) ? citation : { ...citation, startIndex: null, endIndex: null }));
  return { markdown: cut + NOTE, citations: fitted, truncated: true };
}

function keptCitations(sizes: readonly number[], maxBytes: number): number {
  let bytes = 0;
  const over = sizes.findIndex((size) => (bytes += size) > maxBytes);
  return over === -1 ? sizes.length : over;
}

/** The most whole paragraphs whose JSON fits; if the first is too long, as much of it as fits. */
function cutMarkdown(markdown: string, maxBytes: number): string {
  if (byteLength(JSON.stringify(markdown)) <= maxBytes) return markdown;
  let low = 0;
  let high = markdown.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (byteLength(JSON.stringify(markdown.slice(0, middle))) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  const paragraph = markdown.lastIndexOf('\n\n', low);
  return markdown.slice(0, paragraph > 0 ? paragraph : low).replace(/[\uD800-\uDBFF]$/, '');
}

const bytesOfCitation = (citation: Citation): number => byteLength(JSON.stringify(citation)) + 1;

const bytesOf = ({ markdown, citations }: WholeReport): number =>
  citations.reduce((sum, citation) => sum + bytesOfCitation(citation), byteLength(JSON.stringify(markdown)));

const byteLength = (text: string): number => Buffer.byteLength(text);
