import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { Claim } from '../claims/claim-table';
import { BETWEEN_LEVELS } from '../sentences/quotation-titles';
import type { Statement } from '../statement/statement';
import type { SynthesisStep } from '../synthesis';
import { inertText } from './markdown-text';
import { quotedTable } from './quoted-table';

/** The quotations from one document, written like the report of a provider. */
export interface DocumentAsReport {
  step: SynthesisStep;
  /** The quotations in this order, with their places in the report, in UTF-16 units. */
  quotations: readonly { quotation: Statement; start: number }[];
}

const ITEM = /[•◦]/;
/** "maxRetries {number} …": functions have parameters with the same description, and nothing else in it tells them apart. */
const PARAMETER = /\{[^{}]*\}/;

/**
 * The documents that an answer quotes as text, at most as many as there are providers. Code and tables are left out, because their words are no
 * sentences.
 */
export function documentsAsReports(claims: readonly Claim[]): DocumentAsReport[] {
  const quoted = claims.flatMap(({ supporting }) => oncePerDocument(supporting.filter(isTextOfAnswer)));
  const byPath = Map.groupBy(quoted, ({ quotation }) => quotation?.path);
  const documents = [...byPath.values()];
  return PROVIDERS.slice(0, documents.length).map((provider, place) => asReport(provider, documents[place] ?? []));
}

/** Several engines may quote the same of a document, and several documents may say the same. */
const oncePerDocument = (statements: readonly Statement[]): Statement[] => [
  ...new Map(statements.map((statement) => [statement.quotation?.path, statement])).values(),
];

function isTextOfAnswer({ quotation }: Statement): boolean {
  return quotation !== null && Number.isFinite(quotation.place) && quotation.code === null && quotedTable(quotation.words) === null;
}

function asReport(provider: ProviderId, quoted: readonly Statement[]): DocumentAsReport {
  // With this title, the reading takes none of the documents' headings for the title of the report, which it would pass over.
  let reportMarkdown = '# Quotations\n\n';
  const quotations = quoted.map((quotation) => {
    const start = reportMarkdown.length;
    reportMarkdown += `${headingsOf(quotation)}\n\n${textOf(quotation)}\n\n`;
    return { quotation, start };
  });
  const rest = { status: 'completed', citations: [], errorMessage: null, failure: null, truncated: false } as const;
  return { step: { stepId: provider, provider, reportMarkdown, ...rest }, quotations };
}

/** The heading of its section, below the ones above it. */
const headingsOf = ({ quotation }: Statement): string =>
  (quotation?.title ?? '')
    .split(BETWEEN_LEVELS)
    .map((heading, level) => `${'#'.repeat(Math.min(level + 2, MAX_LEVEL))} ${inertText(heading)}`)
    .join('\n\n');
const MAX_LEVEL = 6;

/** Its text with each item of a list on its own line. */
function textOf({ reading: { text } }: Statement): string {
  const [before = '', ...items] = text.split(ITEM).map((part) => (PARAMETER.test(part) ? '' : inertText(part)));
  return [before, ...items.map((item) => `- ${item}`)].join('\n');
}
