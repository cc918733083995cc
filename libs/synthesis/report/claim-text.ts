import type { SourceNumbering } from '../citations';
import type { Claim } from '../claims/claim-table';
import type { Statement } from '../statement/statement';
import { BETWEEN_CELLS } from '../statement/table-row';
import { inertText } from './markdown-text';
import { quotedTable, tableBlock } from './quoted-table';
import { marks, providerList, quoted, shortened } from './wording';

/** Characters of a quotation that stands whole: a list, an item with its explanation. */
const MAX_QUOTATION_LENGTH = 1_700;
/** What stands in brackets before a sentence may always have so many characters. */
const MAX_CONTEXT_LENGTH = 100;
const CONTEXT = /^\[([^\]]*)\] /;

/** A claim with its sources, who says it and how far it can be trusted; with those of its twins, that say the same in a claim of their own. */
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

/** "[Usage]", the heading of code that no sentence introduces, as "Usage:". */
const leadIn = (words: string): string => words.replace(/^\[([^[\]]+)\]$/, '$1:');

/** Items of a quoted list, numbered or not, each on a line of its own within the claim's item. */
function shownQuotation(words: string): string {
  return withPlainBrackets(inertText(words)).replace(/ (?=(?:•|\(\d{1,2}\)) )/g, '\\\n   ');
}

/** As a part of a list item. */
function codeBlock({ language, text }: { language: string; text: string }): string {
  const fence = '`'.repeat(Math.max(3, 1 + Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))));
  const lines = text.replace(/[^\P{Cc}\n\t]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '').split('\n');
  return [`${fence}${language}`, ...lines, fence].map((line) => (line === '' ? '' : `   ${line}`)).join('\n');
}

/** A claim's words as inert text of bounded length. */
export const quotedClaim = (text: string, statements: readonly Statement[]): string =>
  withPlainBrackets(quoted(shownWords(text, statements)));

/**
 * What stands in brackets, as what the program puts into a sentence, needs no escape between spaces: a report defines no link, so it can be none.
 * Numbers, which name sources, a single character, which may be a box to tick, and what has escapes itself keep theirs.
 */
export const withPlainBrackets = (inert: string): string =>
  inert.replace(/(?<=^|[ “])\\\[((?=[^\]]*\p{L})[\p{L}\p{N}][^\\`[\]]+)\\\](?= )/gu, '[$1]');

/** A claim's words as a reader is shown them: a row of a table without bars, and no more before a sentence than it says itself. The record keeps the words. */
export function shownWords(text: string, statements: readonly Statement[]): string {
  const row = text.includes(BETWEEN_CELLS)
    ? statements.find((statement) => statement.isOfTable && text.endsWith(statement.text))
    : undefined;
  return withShortContext(row ? text.slice(0, -row.text.length) + rowWithoutBars(row) : text);
}

/** "New clearance | Figure: 230 ft | Source: NTSB" as "New clearance — Figure: 230 ft; Source: NTSB". A bar inside of a cell, as of `ls | wc`, is none between two. */
function rowWithoutBars({ text, quote }: Statement): string {
  return quote.includes('\\|') ? text : text.replace(BETWEEN_CELLS, ' — ').replaceAll(BETWEEN_CELLS, '; ');
}

/** Its first words tell what the sentence is about, and the whole stands in the report that says it. */
function withShortContext(text: string): string {
  const [before = '', context = ''] = CONTEXT.exec(text) ?? [];
  const said = text.slice(before.length);
  return context.length <= Math.max(MAX_CONTEXT_LENGTH, said.length) ? text : `[${shortened(context, MAX_CONTEXT_LENGTH)}] ${said}`;
}
