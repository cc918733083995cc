import type { SourceNumbering } from '../citations';
import type { Statement } from '../statement/statement';
import { inertText } from './markdown-text';
import { providersOf } from '../claims/who-says';

/** Most sources named after a sentence; the others are in the claim's recorded evidence. */
const MAX_MARKS = 5;
const MAX_PROVIDERS = 4;
/** Most characters of a quote shown to a reader. */
const MAX_QUOTE_LENGTH = 400;

/** A section with its heading and lines, or nothing if it is empty. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, '', ...lines];
}

/** Text by others, inert and of limited length. */
export function quoted(text: string, most = MAX_QUOTE_LENGTH): string {
  return inertText(shortened(text, most));
}

/** Cuts a text to at most `most` characters with a visible sign, never within a character. */
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
