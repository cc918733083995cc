import { SPACE } from '@lib/language/reading/characters';
import { POSSESSIVES } from '@lib/language/reading/function-words';
import { isMonth } from '@lib/language/reading/dates';
import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import { sameName, type NameRun } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { BETWEEN_CELLS } from '../sentences/quotes';
import { firstCellOf } from '../statement/table-row';
import { isAmong } from '../alignment/same-word';

/** Most words of a subject. */
const MAX_SUBJECT_WORDS = 8;

/**
 * Whether two sentences are about different things, by two names, two rows, or subjects of the same verb: "Nausea affected 44 %" and "Vomiting
 * affected 25 %".
 */
export function speakOfOthers(one: Reading, other: Reading): boolean {
  const [mine, theirs] = [subjectOf(one), subjectOf(other)];
  const areTwo =
    (mine.kind !== 'noun' && mine.kind === theirs.kind) ||
    (mine.verb !== undefined && isAmong(mine.verb, theirs.verb ? [theirs.verb] : []));
  return (
    areTwo &&
    mine.words.length > 0 &&
    theirs.words.length > 0 &&
    !mine.words.some((token) => isAmong(token, other.tokens)) &&
    !theirs.words.some((token) => isAmong(token, one.tokens))
  );
}

/** Whether each begins with a name that the other lacks: "China won 91 medals" and "France, the hosts, won 64 medals". */
export const beginWithOtherNames = (one: Reading, other: Reading): boolean => {
  const [mine, theirs] = [nameAtHead(one), nameAtHead(other)];
  return mine !== undefined && theirs !== undefined && !isAmong(mine, other.tokens) && !isAmong(theirs, one.tokens);
};

/** Whether one begins with a place that neither the other nor the question names: "In Ulm, turnout was 69 %" and "Turnout was 72 %". */
export const areOfOtherPlaces = (one: Reading, other: Reading, asked: Reading): boolean =>
  isOfPlace(one, other, asked) || isOfPlace(other, one, asked);

function isOfPlace({ tokens: [first, place] }: Reading, other: Reading, asked: Reading): boolean {
  if (first?.word.text !== 'in' || !place?.isCapitalised || place.word.hasDigit || isMonth(place.word.text)) return false;
  return !isAmong(place, other.tokens) && !asked.stems.has(place.word.stem);
}

/** As in "Corvid 3.13 was released in 2024" and "Corvid 3.14 was released in 2025". */
export function areOfOtherVersions({ tokens: mine }: Reading, { tokens: theirs }: Reading): boolean {
  const [versions, others] = [mine, theirs].map((tokens) => tokens.filter(({ word }) => VERSION_NUMBER.test(word.text)));
  return !!versions?.length && !!others?.length && !versions.some((version) => isAmong(version, others));
}
/** A version, as in "v3.13". */
export const VERSION_NUMBER = /^v?\d+\.\d/;

/** The first word of a name that stands before the verb; not a single capitalised word that may be any word at the beginning. */
function nameAtHead({ tokens, names }: Reading): Token | undefined {
  const end = tokens.findIndex((_, at) => isFiniteVerbAt(tokens, at));
  // "Staff may work from home": a word with synonyms names nothing.
  const isBeforeVerb = end === 1 && tokens[0]?.word.synonyms === null;
  const isSurelyName = ({ tokens: own }: NameRun, at: number): boolean =>
    at > 0 || own.length > 1 || isBeforeVerb || ((tokens[1]?.before ?? SPACE) & ~SPACE) !== 0;
  const name = names.find((run) => {
    const at = run.tokens[0] ? tokens.indexOf(run.tokens[0]) : -1;
    return at >= 0 && at < end && isSurelyName(run, at);
  });
  return name?.tokens[0];
}

/**
 * Whether two rows begin with different figures or dates and so are about different things: "2016 | Event: the licence begins" and "2020 | Event: it
 * ends".
 */
export function areRowsOfOthers(one: Reading, other: Reading): boolean {
  const [mine, theirs] = [figureAtHead(one), figureAtHead(other)];
  return mine !== null && theirs !== null && mine !== theirs;
}

/** The number at the beginning of a row: 6 in "about six weeks | …". */
function figureAtHead({ text, tokens }: Reading): number | null {
  if (!text.includes(BETWEEN_CELLS)) return null;
  return tokens.find(({ word }) => !AROUND_FIGURES.has(word.text))?.word.numeral?.value ?? null;
}

/**
 * Whether one gives a figure for one of several, and the other for all of them: "Ulm: $52 million" and "Ulm, Kelm, Tolm and Orsk gave over $200
 * million".
 */
export const tellPartAndWhole = (one: Reading, other: Reading): boolean => isOneOf(one, other) || isOneOf(other, one);

const isOneOf = ({ names: [name, second] }: Reading, whole: Reading): boolean =>
  name !== undefined &&
  second === undefined &&
  listsIn(whole).some((listed) => listed.length >= SEVERAL && listed.some(({ parts }) => sameName(parts, name.parts)));
const SEVERAL = 3;

/** Lists of consecutive names: "Ulm, Kelm and Tolm". */
function listsIn({ names, tokens }: Reading): NameRun[][] {
  const lists: NameRun[][] = [];
  let end = -Infinity;
  for (const name of names) {
    const [first, last] = [name.tokens[0], name.tokens.at(-1)].map((token) => (token ? tokens.indexOf(token) : -1)) as [number, number];
    if (first === end + 1 || (first === end + 2 && tokens[end + 1]?.word.text === 'and')) lists.at(-1)?.push(name);
    else lists.push([name]);
    end = last;
  }
  return lists;
}

interface Subject {
  kind: 'row' | 'name' | 'noun';
  words: readonly Token[];
  verb: Token | undefined;
}

const MEASURES = new Set('length height depth width age speed weight mass area population size duration distance'.split(' '));
/** The content words before the verb, or in the first cell of a row; none if unknown. */
function subjectOf(reading: Reading): Subject {
  const { tokens, text, names } = reading;
  if (text.includes(BETWEEN_CELLS)) return { kind: 'row', words: firstCellOf(reading), verb: undefined };
  const end = tokens.findIndex((_, at) => isFiniteVerbAt(tokens, at));
  // "Its length is 120 km" is about what "its" stands for.
  const isOfOther = POSSESSIVES.has(tokens[0]?.word.text ?? '') && MEASURES.has(tokens[end - 1]?.word.text ?? '');
  const words = end > MAX_SUBJECT_WORDS || isOfOther ? [] : tokens.slice(0, Math.max(end, 0)).filter(isContentWord);
  const [first] = words;
  const isName =
    first !== undefined && first === tokens[0] && !tokens[1]?.word.isStopWord && names.some((name) => name.tokens.includes(first));
  return { kind: isName ? 'name' : 'noun', words, verb: tokens[end] };
}
