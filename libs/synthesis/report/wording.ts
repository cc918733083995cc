import type { SourceNumbering } from '../citations';
import type { Statement } from '../statement/statement';
import { inertText } from './markdown-text';
import { providersOf } from '../claims/who-says';

/** Sources named behind one sentence; the rest stand in the claim's recorded evidence. */
const MAX_MARKS = 5;
const MAX_PROVIDERS = 4;
/** Characters of a quote that a reader is shown. */
const MAX_QUOTE_LENGTH = 400;

/** A part of the report: its heading and lines, or nothing at all where there is nothing to say. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, '', ...lines];
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
