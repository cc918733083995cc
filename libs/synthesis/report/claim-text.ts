import type { SourceNumbering } from '../citations';
import type { Claim } from '../claims/claim-table';
import type { Statement } from '../statement/statement';
import { BETWEEN_CELLS } from '../sentences/quotes';
import { inertText } from './markdown-text';
import { quotedTable, tableBlock } from './quoted-table';
import { marks, providerList, quoted, shortened } from './wording';

/** Most characters of a quotation that is shown whole: a list, or an item with its explanation. */
const MAX_QUOTATION_LENGTH = 1_700;
/** Context in brackets may always have this many characters. */
const MAX_CONTEXT_LENGTH = 100;
const CONTEXT = /^\[([^\]]*)\] /;

/** A claim with its sources, its providers and its confidence. Its twins, which say the same in a claim of their own, are included. */
export function claimText({ text, supporting: own, confidence }: Claim, sources: SourceNumbering, twins: readonly Claim[] = []): string {
  const supporting = twins.length === 0 ? own : [...own, ...twins.flatMap((twin) => twin.supporting)];
  const { quotation } = supporting.find((statement) => statement.text === text) ?? { quotation: null };
  const words = quotation && shortened(leadIn(quotation.words), MAX_QUOTATION_LENGTH);
  const table = words === null || quotation?.code ? null : quotedTable(words);
  const said = words === null ? quotedClaim(text, supporting) : shownQuotation(table ? leadIn(table.before) || OF_A_TABLE : words);
  const who = `${providerList(supporting)}${twins.length === 0 ? '' : ', perhaps of different things'}`;
  const line = `${said}${marks(supporting, sources)} (${who}; ${confidence})`;
  const block = table ? tableBlock(table) : quotation?.code && codeBlock(quotation.code);
  return block ? `${line}\n\n${block}\n` : line;
}
const OF_A_TABLE = 'From a table:';

/** The lead-in of a quotation; "[Usage]", a heading of code without an introduction, becomes "Usage:". */
const leadIn = (words: string): string => words.replace(/^\[([^[\]]+)\]$/, '$1:');

/** Puts each item of a quoted list on its own line within the claim's list item. */
function shownQuotation(words: string): string {
  return withPlainBrackets(inertText(words)).replace(/ (?=(?:•|\(\d{1,2}\)) )/g, '\\\n   ');
}

/** A code block within a list item. */
function codeBlock({ language, text }: { language: string; text: string }): string {
  const fence = '`'.repeat(Math.max(3, 1 + Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))));
  const lines = text.replace(/[^\P{Cc}\n\t]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '').split('\n');
  return [`${fence}${language}`, ...lines, fence].map((line) => (line === '' ? '' : `   ${line}`)).join('\n');
}

/** A claim's text, inert and of limited length. */
export const quotedClaim = (text: string, statements: readonly Statement[], most?: number): string =>
  withPlainBrackets(quoted(shownWords(text, statements), most));

/**
 * Removes escapes before brackets that the program added around context, when they stand between spaces: a report defines no links, so they cannot
 * form one. Numbers (citations), single characters (check boxes) and text with escapes stay as they are.
 */
export const withPlainBrackets = (inert: string): string =>
  inert.replace(/(?<=^|[ “])\\\[((?=[^\]]*\p{L})[\p{L}\p{N}][^\\`[\]]+)\\\](?= )/gu, '[$1]');

/** A claim's text as shown to a reader: table rows without bars, and no more context than text. The record keeps the original. */
export function shownWords(text: string, statements: readonly Statement[]): string {
  const row = text.includes(BETWEEN_CELLS)
    ? statements.find((statement) => statement.isOfTable && text.endsWith(statement.text))
    : undefined;
  return withShortContext(row ? text.slice(0, -row.text.length) + rowWithoutBars(row) : text);
}

/**
 * Writes "New clearance | Figure: 230 ft | Source: NTSB" as "New clearance — Figure: 230 ft; Source: NTSB". A bar inside a cell, as in `ls | wc`,
 * separates nothing.
 */
function rowWithoutBars({ text, quote }: Statement): string {
  return quote.includes('\\|') ? text : text.replace(BETWEEN_CELLS, ' — ').replaceAll(BETWEEN_CELLS, '; ');
}

/** Shortens the context: its first words tell what the sentence is about, and the report contains the whole. */
function withShortContext(text: string): string {
  const [before = '', context = ''] = CONTEXT.exec(text) ?? [];
  const said = text.slice(before.length);
  return context.length <= Math.max(MAX_CONTEXT_LENGTH, said.length) ? text : `[${shortened(context, MAX_CONTEXT_LENGTH)}] ${said}`;
}
