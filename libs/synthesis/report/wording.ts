import type { SourceNumbering } from '../citations';
import type { Claim } from '../claims/claim-table';
import type { Statement } from '../statement/statement';
import { inertText } from './markdown-text';
import { providersOf } from '../claims/who-says';

/** Sources named behind one sentence; the rest stand in the claim's recorded evidence. */
const MAX_MARKS = 5;
const MAX_PROVIDERS = 4;
/** Characters of a quote that a reader is shown. */
const MAX_QUOTE_LENGTH = 400;
/** Characters of a quotation that stands whole: a list, an item with its explanation. */
const MAX_QUOTATION_LENGTH = 1_700;

/** A part of the report: its heading and lines, or nothing at all where there is nothing to say. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, '', ...lines];
}

/** A claim with its sources, who says it and how far it can be trusted; with those of its twins, that say the same in a claim of their own. */
export function claimText({ text, supporting: own, confidence }: Claim, sources: SourceNumbering, twins: readonly Claim[] = []): string {
  const supporting = twins.length === 0 ? own : [...own, ...twins.flatMap((twin) => twin.supporting)];
  const { quotation } = supporting.find((statement) => statement.text === text) ?? { quotation: null };
  const said = quotation ? listed(inertText(shortened(quotation.words, MAX_QUOTATION_LENGTH))) : quoted(text);
  const who = `${providerList(supporting)}${twins.length === 0 ? '' : ', perhaps of different things'}`;
  const line = `${said}${marks(supporting, sources)} (${who}; ${confidence})`;
  return quotation?.code ? `${line}\n\n${codeBlock(quotation.code)}\n` : line;
}

/** Items of a quoted list, numbered or not, and rows of a quoted table, each on a line of its own within the claim's item. */
function listed(words: string): string {
  return words.replace(/ (?=(?:•|\(\d{1,2}\)) )/g, '\\\n   ');
}

/** As a part of a list item. */
function codeBlock({ language, text }: { language: string; text: string }): string {
  const fence = '`'.repeat(Math.max(3, 1 + Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))));
  const lines = text.replace(/[^\P{Cc}\n\t]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '').split('\n');
  return [`${fence}${language}`, ...lines, fence].map((line) => (line === '' ? '' : `   ${line}`)).join('\n');
}

/** Somebody's words as inert text of bounded length. */
export function quoted(text: string): string {
  return inertText(shortened(text, MAX_QUOTE_LENGTH));
}

/** At most so many characters, with a visible sign that some are missing; never half of one. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\p{L}\p{M}\p{N}]*$/u, '');
  return `${(kept.length > most / 2 ? kept : text.slice(0, most)).toWellFormed().trimEnd()} …`;
}

export function marks(statements: readonly Statement[], sources: SourceNumbering): string {
  const numbers = sources.numbersOf(statements, MAX_MARKS);
  return numbers.length === 0 ? '' : ` ${numbers.map((number) => `[${String(number)}]`).join('')}`;
}

export function providerList(statements: readonly Statement[]): string {
  const providers = providersOf(statements);
  const more = providers.length - MAX_PROVIDERS;
  if (more <= 0) return providers.join(', ');
  return `${providers.slice(0, MAX_PROVIDERS).join(', ')} and ${String(more)} more`;
}

export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1, 2 and 5` */
export function enumerated(parts: readonly (string | number)[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${String(parts.at(-1))}`;
}
