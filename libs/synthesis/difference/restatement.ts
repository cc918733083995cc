import { PAST_FORMS_OF_BE, PRESENT_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { CLAUSE_CONJUNCTIONS, RESTRICTING_CONJUNCTIONS } from '@lib/language/reading/function-words';
import { APOSTROPHE, COMMA, SEMICOLON } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, type Token } from '@lib/language/reading/token';
import { isAffirming, NARROWING } from '../alignment/edit-kinds';
import { contentWordsOf, type ContentWord } from './content-words';
import { isSame } from '../alignment/same-word';

/** The first thing that a sentence says and its ground does not, or says differently: its kind, and the word. */
export interface Unsaid {
  kind: 'number' | 'denial' | 'name' | 'verb' | 'word' | 'role' | 'limit' | 'time';
  word: string;
}

/** Joins coordinated parts; words on its two sides belong to different things. */
const COORDINATING = CLAUSE_CONJUNCTIONS.union(new Set(['or']));
/** These prepositions must match exactly; "of", "in" or no preposition does not say the same. */
const STRICT = new Set('from to by with for against between before after since until under over without unlike as'.split(' '));
/** Something said of some, of the past, on hearsay or under a condition does not hold in general. */
const LIMITING = new Set('hedge former attribution'.split(' '));
const CONDITIONS = RESTRICTING_CONJUNCTIONS.union(new Set(['when', 'whenever']));
/** These mark the statement they stand with as false or uncertain. */
export const DOUBTING = new Set(
  `myth misconception hoax fallacy rumor rumour false untrue incorrect wrong fabricated fear fears feared hope hopes hoped doubt doubts doubted suspect
suspects suspected pretended whether hardly barely scarcely rarely seldom`.split(/\s+/),
);

/**
 * The first thing that a sentence says beyond the statement it rests on; null if there is nothing. Every content word must occur there, in the same
 * order or under the same preposition, and no word may be left out in between that reverses or limits the meaning.
 * @param mayAdd words that the sentence may add
 */
export function unsaidIn(sentence: Reading, ground: Reading, mayAdd: (token: Token) => boolean): Unsaid | null {
  const theirs = contentWordsOf(ground);
  const isTheirs = ({ token }: ContentWord): boolean => theirs.some((item) => isSame(token.word, item.token.word));
  const [mine, added] = parted(contentWordsOf(sentence), isTheirs);
  const foreign = added.find(({ token }) => !mayAdd(token));
  if (foreign) return { kind: kindOfWord(foreign, sentence), word: foreign.token.word.text };
  const places = placesIn(mine, theirs);
  const kept = new Set(places.map(({ place }) => place));
  const value = added.find(isValue);
  if (value && theirs.some((item, place) => isValue(item) && !kept.has(place))) return { kind: 'name', word: value.token.word.text };
  const fault =
    orderFault(mine, theirs, places, ground) ?? relationFault(mine, theirs, places) ?? leftOutFault(sentence, theirs, places, ground);
  return fault ?? timeFault(sentence, ground);
}

function parted(items: readonly ContentWord[], isFirst: (item: ContentWord) => boolean): [ContentWord[], ContentWord[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** A name or a number; exchanging one changes the meaning. */
export const isValue = ({ token }: ContentWord): boolean => token.word.isAmount || token.isCapitalised;

function kindOfWord({ token, at }: ContentWord, { tokens }: Reading): Unsaid['kind'] {
  if (token.word.isAmount) return 'number';
  if (!isAffirming(token)) return 'denial';
  if (token.isCapitalised && at > 0) return 'name';
  const { verb, isStopWord } = token.word;
  if (isStopWord) return 'limit';
  const isVerb = verb.isFinite || verb.isPastForm || verb.endsInIng || tokens[at - 1]?.word.text === 'to';
  return isVerb ? 'verb' : 'word';
}

/** For each word of the sentence the index of its counterpart in the ground, in common order as far as possible. */
function placesIn(mine: readonly ContentWord[], theirs: readonly ContentWord[]): { place: number; isInOrder: boolean }[] {
  const width = theirs.length + 1;
  const lengths = new Uint16Array((mine.length + 1) * width);
  const same = (l: number, r: number): boolean => {
    const [one, other] = [mine[l], theirs[r]];
    return one !== undefined && other !== undefined && isSame(one.token.word, other.token.word);
  };
  for (let l = mine.length - 1; l >= 0; l -= 1)
    for (let r = theirs.length - 1; r >= 0; r -= 1) {
      const skipped = Math.max(lengths[(l + 1) * width + r] ?? 0, lengths[l * width + r + 1] ?? 0);
      lengths[l * width + r] = same(l, r) ? (lengths[(l + 1) * width + r + 1] ?? 0) + 1 : skipped;
    }
  let r = 0;
  return mine.map((_, l) => {
    let next = r;
    const wanted = lengths[l * width + r] ?? 0;
    while (next < theirs.length && !(same(l, next) && (lengths[(l + 1) * width + next + 1] ?? 0) + 1 === wanted)) next += 1;
    if (next < theirs.length) {
      r = next + 1;
      return { place: next, isInOrder: true };
    }
    return { place: theirs.findIndex((_item, place) => same(l, place)), isInOrder: false };
  });
}

type Places = ReturnType<typeof placesIn>;

/** A word may stand at another place only with its own preposition: "in 1962" may come first, but who beat whom may not change. */
function orderFault(mine: readonly ContentWord[], theirs: readonly ContentWord[], places: Places, ground: Reading): Unsaid | null {
  for (const [position, { place, isInOrder }] of places.entries()) {
    const [item, fellow] = [mine[position], theirs[place]];
    if (isInOrder || !item || !fellow) continue;
    const isFree = item.relation !== '' && item.relation === fellow.relation;
    const neighbour =
      places.slice(0, position).findLast((other) => other.isInOrder) ?? places.slice(position).find((other) => other.isInOrder);
    const other = theirs[neighbour?.place ?? -1];
    if (!isFree || (other && areApart(ground, theirs, fellow, other))) return { kind: 'role', word: item.token.word.text };
  }
  return null;
}

function relationFault(mine: readonly ContentWord[], theirs: readonly ContentWord[], places: Places): Unsaid | null {
  const wrong = mine.find(({ relation }, position) => {
    const other = theirs[places[position]?.place ?? -1]?.relation ?? relation;
    return relation !== other && (STRICT.has(relation) || STRICT.has(other));
  });
  return wrong ? { kind: 'role', word: wrong.token.word.text } : null;
}

/** Finds words left out that matter: before, between and after the words of the sentence. */
function leftOutFault(sentence: Reading, theirs: readonly ContentWord[], places: Places, ground: Reading): Unsaid | null {
  const kept = new Set(places.map(({ place }) => place));
  const last = Math.max(...theirs.flatMap(({ at }, place) => (kept.has(place) ? [at] : [])));
  const end = ground.tokens.findIndex((token, at) => at > last && (token.before & (COMMA | SEMICOLON)) !== 0);
  const limit = theirs.find((item, place) => !kept.has(place) && (end < 0 || item.at < end) && limits(item));
  if (limit) return { kind: isAffirming(limit.token) ? 'limit' : 'denial', word: limit.token.word.text };
  const orphan = standsForAnother(sentence) ? undefined : theirs.find((item, place) => kept.has(place) && isOrphan(theirs, place, kept));
  if (orphan) return { kind: 'role', word: orphan.token.word.text };
  const hasVerb = [...kept].some((place) => isFiniteOrPast(theirs[place]?.token));
  const inOrder = places.filter(({ isInOrder }) => isInOrder).map(({ place }) => place);
  for (const [position, place] of inOrder.entries()) {
    const previous = inOrder[position - 1];
    if (previous === undefined || place - previous < 2) continue;
    const [from, to] = [theirs[previous], theirs[place]];
    const between = theirs.slice(previous + 1, place).filter((_, offset) => !kept.has(previous + 1 + offset));
    const verb = hasVerb ? undefined : between.find(({ token }) => isFiniteOrPast(token));
    if (verb) return { kind: 'verb', word: verb.token.word.text };
    if (from && to && joinsApart(ground, between, from.at, to.at)) return { kind: 'role', word: to.token.word.text };
  }
  return null;
}

/** Whether a word limits the statement. The first word has a capital but is seldom a name: "Not all …", "Nearly …". */
const limits = ({ token, at }: ContentWord): boolean => {
  const { word, isCapitalised } = token;
  if (isCapitalised && at > 0) return false;
  if (DOUBTING.has(word.text)) return true;
  return (
    !isAffirming(token) || NARROWING.has(word.text) || CONDITIONS.has(word.text) || (word.effect !== null && LIMITING.has(word.effect))
  );
};

/** "That of their parent" refers to a thing that belongs to the parent. */
const standsForAnother = ({ tokens }: Reading): boolean =>
  tokens.some(({ word }, at) => (word.text === 'that' || word.text === 'those') && tokens[at + 1]?.word.text === 'of');

/** Whether the word it belongs to is left out: "the father of Ada", "Ada's father", "Quitting smoking helps". */
function isOrphan(theirs: readonly ContentWord[], place: number, kept: ReadonlySet<number>): boolean {
  const [before, item, next] = [theirs[place - 1], theirs[place], theirs[place + 1]];
  if (!item) return false;
  if (item.token.after & APOSTROPHE && next && !kept.has(place + 1))
    return !theirs.slice(place + 1, place + 4).some((_, offset) => kept.has(place + 1 + offset));
  if (before?.at === 0 && item.at === 1 && before.token.word.verb.endsInIng && !kept.has(place - 1)) return true;
  return item.relation === 'of' && before !== undefined && before.relation !== 'of' && !kept.has(place - 1);
}

/** Whether something is left out on both sides of an "and": "gold in 2019 and silver in 2020" does not say "gold in 2020". */
function joinsApart({ tokens }: Reading, between: readonly ContentWord[], from: number, to: number): boolean {
  for (let at = to - 1; at > from; at -= 1) {
    if (!isCoordinating(tokens[at])) continue;
    return between.some((item) => item.at < at) && between.some((item) => item.at > at && item.at < to);
  }
  return false;
}

/** Whether an "and" separates the two words, with another word of the same role beyond it: "in Paris in 1990 and in London in 1995". */
function areApart({ tokens }: Reading, theirs: readonly ContentWord[], one: ContentWord, other: ContentWord): boolean {
  const joint = tokens.findIndex(
    (token, at) => at > Math.min(one.at, other.at) && at <= Math.max(one.at, other.at) && isCoordinating(token),
  );
  if (joint < 0) return false;
  const isBeyond = ({ at }: ContentWord): boolean => at < joint !== one.at < joint;
  return theirs.some((item) => isBeyond(item) && item.relation === one.relation && item.token.word.isAmount === one.token.word.isAmount);
}

const isCoordinating = (token: Token | undefined): boolean =>
  token !== undefined && (COORDINATING.has(token.word.text) || (token.before & SEMICOLON) !== 0);

/** A statement about the past does not support one about the present, or the reverse. */
function timeFault({ tokens: mine }: Reading, { tokens: theirs }: Reading): Unsaid | null {
  const has = (tokens: readonly Token[], forms: ReadonlySet<string>): boolean => tokens.some(({ word }) => forms.has(word.text));
  for (const [forms, others] of [
    [PRESENT_FORMS_OF_BE, PAST_FORMS_OF_BE],
    [PAST_FORMS_OF_BE, PRESENT_FORMS_OF_BE],
  ] as const)
    if (has(mine, forms) && !has(theirs, forms) && has(theirs, others)) return { kind: 'time', word: [...forms][0] ?? '' };
  return null;
}
