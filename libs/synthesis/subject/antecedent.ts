import { lookUp } from '@lib/language/reading/word';
import { textAt, type Token } from '@lib/language/reading/token';
import type { Opening } from './opening';

const SINGULAR_VERBS = new Set('is was has does'.split(' '));
const PLURAL_VERBS = new Set('are were have do'.split(' '));
/** Plurals without an "s". */
const PLURALS = new Set('people men women children mice feet teeth'.split(' '));
/** Words in "s" that stand for one thing. */
const SINGULAR_END = /(?:ss|us|is|ics|news|series|species)$/;
/** Groups, which "they" may refer to. */
const GROUPS = new Set(
  'band group team duo trio quartet couple family company club government committee council party squad crew firm board police staff'.split(
    ' ',
  ),
);
export const isGroup = (word: string): boolean => GROUPS.has(word);
const PASTS_OF_STATE = new Set('was were had became'.split(' '));
const BEFORE_ATTRIBUTE = new Set('of in for from with at on by to between against'.split(' '));

const NAMING_NONE = new Set('no none neither nobody nothing few any every each another one only'.split(' '));
/** These own nothing: in "The distance is 124 light-years. Its radius …", "its" refers to the planet. */
const MEASURES = new Set(
  'distance radius diameter mass weight temperature age length width height depth size speed price cost rate share margin number amount level total average area volume density population capacity maximum minimum'.split(
    ' ',
  ),
);

/** Whether a verb tells of an event, whose object may come next: in "A fire destroyed the mill. It …", "it" is the mill. */
export const tellsOfEvent = (verb: string): boolean => lookUp(verb).verb.isPastForm && !PASTS_OF_STATE.has(verb);

/** Whether "it" or "they" may refer to the subject of the sentence before; not if that only belongs to the topic, or tells of it. */
export function isLikelyTopic({ named, kind, verb, hasIndefiniteObject }: Opening): boolean {
  if (!named || (kind !== 'name' && /['’]s?\s/.test(named.text))) return false;
  const first = textAt(named.tokens, 0);
  if (NAMING_NONE.has(first)) return false;
  return (first !== 'a' && first !== 'an') || (!hasIndefiniteObject && !tellsOfEvent(verb));
}

export const isMeasure = (word: string): boolean => MEASURES.has(word);

/** Whether a subject can be the referent of "its". */
export const mayOwn = ({ named, kind }: Opening): boolean => kind === 'name' || named === null || !isMeasure(headOf(named.tokens));

/** Whether the subject agrees in number with the pronoun; its verb shows it best. */
export function fitsNumber({ named, verb, kind }: Opening, isPlural: boolean): boolean {
  if (!named) return false;
  const { tokens } = named;
  const head = headOf(tokens);
  if (tokens[0]?.word.isAmount && tokens[0].word.text !== 'one') return isPlural;
  if (isPlural && (GROUPS.has(head) || GROUPS.has(tokens.at(-1)?.word.text ?? ''))) return true;
  if (SINGULAR_VERBS.has(verb)) return !isPlural;
  if (tokens.some(({ word }) => word.text === 'and')) return isPlural;
  if (PLURAL_VERBS.has(verb) || PLURALS.has(head)) return isPlural;
  const isInS = isPluralWord(head);
  // Names without an article may end in "s" and be singular, and a company may be "they": "Quill Systems".
  return kind === 'name' ? !isPlural || isInS || tokens.length > 1 : isInS === isPlural;
}

/** Whether a noun in lower case is mostly a plural. */
export const isPluralWord = (noun: string): boolean =>
  PLURALS.has(noun) || (noun.length > 3 && noun.endsWith('s') && !SINGULAR_END.test(noun));

/** The head noun before its attributes, lower-cased. */
export function headOf(tokens: readonly Token[]): string {
  const end = tokens.findIndex(({ word }, at) => at > 0 && BEFORE_ATTRIBUTE.has(word.text));
  return (end < 0 ? tokens.at(-1) : tokens[end - 1])?.word.text ?? '';
}
