import { OPENING, QUOTE, SPACE } from './characters';
import { itemOf, type ListItem } from './list-items';
import { hasCommaBefore, type Token } from './token';

/** Whether an "and" is part of a title, because the list continues after a comma: "Wrong Turn, Jay and Silent Bob, The Scribbler and Eloise". */
export function joinsTitle(tokens: readonly Token[], and: number, to: number): boolean {
  if (!tokens[and - 1]?.isCapitalised || !tokens[and + 1]?.isCapitalised || hasCommaBefore(tokens[and])) return false;
  const next = tokens.findIndex((token, at) => at > and + 1 && at < to && hasCommaBefore(token));
  const later = next < 0 ? -1 : tokens.findIndex((token, at) => at > next && at < to && isAnd(token));
  if (later < 0 || !tokens.slice(0, and).some(hasCommaBefore)) return false;
  return isTitle(tokens, and + 1, next) && isTitle(tokens, next, titleEnd(tokens, next, later));
}

function titleEnd(tokens: readonly Token[], from: number, to: number): number {
  const end = tokens.findIndex((token, at) => at > from && at < to && hasCommaBefore(token));
  return end < 0 ? to : end;
}

const TITLE_PARTICLES = new Set('of the a an and for in on to at from with by is it de la el del vs me my your you'.split(' '));

/** Whether some words are a title: capitalised words and the small words allowed between them. */
export function isTitle(tokens: readonly Token[], from: number, to: number): boolean {
  if (to <= from || !tokens[from]?.isCapitalised) return false;
  for (let at = from; at < to; at += 1) {
    const token = tokens[at];
    if (token && !token.isCapitalised && !token.word.hasDigit && !TITLE_PARTICLES.has(token.word.text)) return false;
  }
  return true;
}

/**
 * Merges titles divided at a comma: if the other titles have a year, one without belongs to the next: "Kelm (2003), Sund (2004), Kill Me, Heal Me
 * (2015)".
 */
export function withoutDivided(text: string, tokens: readonly Token[], items: readonly ListItem[]): readonly ListItem[] {
  const dated = items.filter((item) => hasYear(tokens, item)).length;
  if (dated < MIN_DATED || dated === items.length) return items;
  const whole: ListItem[] = [];
  for (const item of items) {
    const last = whole.at(-1);
    const isDivided = last?.to === item.from && !hasYear(tokens, last) && hasYear(tokens, item) && isTitle(tokens, last.from, last.to);
    if (last && isDivided) whole.splice(-1, 1, itemOf(text, tokens, last.from, item.to));
    else whole.push(item);
  }
  return whole;
}

const MIN_DATED = 3;

const hasYear = (tokens: readonly Token[], { from, to }: ListItem): boolean =>
  tokens.some(({ before, word }, at) => at > from && at < to && (before & OPENING) !== 0 && YEAR.test(word.text));

const YEAR = /^\d{4}$/;

export const isAnd = ({ word, isCapitalised, before, after }: Token): boolean =>
  word.text === 'and' && !isCapitalised && (before & SPACE) !== 0 && (after & ~QUOTE) === SPACE;
