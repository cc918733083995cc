import { datesConflict } from '@lib/language/reading/dates';
import { stemsOf } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';
import { datesOfEvents } from './times-of-events';

/** Verbs, and nouns of their stems, for one kind of event, that happens to a thing once. */
const KINDS: readonly ReadonlySet<string>[] = [
  'approve clear authorise authorize license adopt pass accept',
  'announce present unveil introduce launch reveal found establish create',
  'open start begin launch enter operational operate',
  'close shut stop end cease retire',
  'measure monitor observe track record',
  'join list inscribe add admit',
  'build construct complete finish erect',
].map(stemsOf);
const ORDER = new Set('first last second next again'.split(' '));
/** What is planned may come later than that. */
const OPEN = new Set('would will shall should plan plans planned expected scheduled due'.split(' '));

/**
 * Whether two sentences with a single date each date the same kind of event of one thing otherwise: "The agency approved Tolin in June 2021" and
 * "Regulators cleared Tolin in June 2022".
 */
export function dateDeedOtherwise(one: Reading, other: Reading): boolean {
  if (one.dates.length !== 1 || other.dates.length !== 1) return false;
  const [[mine], [theirs]] = [datesOfEvents(one), datesOfEvents(other)];
  if (!mine || !theirs || !datesConflict(mine, theirs)) return false;
  if (!KINDS.some((kind) => isOfKind(one, kind) && isOfKind(other, kind))) return false;
  if ([one, other].some(({ tokens }) => tokens.some(({ word }) => OPEN.has(word.text)))) return false;
  const [left, right] = [contentOf(one), contentOf(other)];
  if (hasOrder(one) !== hasOrder(other) || (hasOwnName(left, right) && hasOwnName(right, left))) return false;
  return left.some((token) => !isDeed(token) && isAmong(token, right));
}

const isOfKind = ({ tokens }: Reading, kind: ReadonlySet<string>): boolean => tokens.some(({ word }) => kind.has(word.stem));
const isDeed = ({ word }: Token): boolean => KINDS.some((kind) => kind.has(word.stem));
const hasOrder = ({ tokens }: Reading): boolean => tokens.some(({ word }) => ORDER.has(word.text));

const contentOf = ({ tokens, inserted }: Reading): Token[] =>
  tokens.slice(inserted).filter((token) => isContentWord(token) && !token.word.hasDigit);

/** Whether some words, without the first, have a name that the others lack. */
const hasOwnName = (some: readonly Token[], others: readonly Token[]): boolean =>
  some.some((token, at) => at > 0 && token.isCapitalised && !isAmong(token, others));
