import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { COLON, COMMA, SEMICOLON } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isPastVerb, textAt, type Token } from '@lib/language/reading/token';
import { isPassive } from '@lib/language/reading/verbs';
import type { Compared } from './compared';
import type { Edit } from '../alignment/edit';
import { kindOf } from '../alignment/edit-kinds';

/** What an event happens to, by the indexes of its first word and behind its last. */
interface Thing {
  from: number;
  to: number;
}

type Pair = Pick<Compared, 'left' | 'right'>;

/**
 * Whether two statements tell of one event although they give it different dates and differ in something else too. An agency approves many drugs and a
 * band releases many albums, each at its own time. So what the event happens to must be the same, and have a name if the other difference may tell
 * which one is meant: "founded in Ohio in 1931" and "founded in Texas in 1927", of one firm.
 */
export function tellsOfOneThing({ left, right, telling }: Compared): boolean {
  const [mine, yours] = [thingOf(left), thingOf(right)];
  const others = telling.filter((edit) => kindOf(edit) !== 'number');
  if (others.some((edit) => isIn(mine, edit.leftFrom) || isIn(yours, edit.rightFrom) || tellsWhichOne({ left, right }, edit))) return false;
  return isNamed(left, mine) && isNamed(right, yours);
}

/** Whether the words stand behind a preposition that may tell which one is meant: "approved for asthma", "the tax on cars". */
const tellsWhichOne = (pair: Pair, edit: Edit): boolean => prepositionsBefore(pair, edit).some((text) => TELLING_WHICH.has(text));
const TELLING_WHICH = new Set('for to on of with'.split(' '));

/**
 * Whether an edit exchanges what something is done to, or tells which one it was: "approved Leqembi" and "approved Kisunla", "built a school in Lima" and
 * "built a school in Quito".
 */
export function exchangesObject({ left, right }: Pair, edit: Edit): boolean {
  const [mine, yours] = [thingOf(left), thingOf(right)];
  if (mine.from === 0 || yours.from === 0 || edit.leftFrom < mine.from || edit.rightFrom < yours.from) return false;
  if (isIn(mine, edit.leftFrom) && isIn(yours, edit.rightFrom)) return true;
  // "Joined the staff as a curator" tells of the doer.
  if (prepositionsBefore({ left, right }, edit).includes('as')) return false;
  return !isNamed(left, mine) || !isNamed(right, yours) || tellsWhichOne({ left, right }, edit);
}

/** The words before the exchanged words and their article, on each side. */
const prepositionsBefore = (pair: Pair, edit: Edit): string[] => [
  wordBeforeArticle(pair.left.tokens, edit.left[0]),
  wordBeforeArticle(pair.right.tokens, edit.right[0]),
];

function wordBeforeArticle(tokens: readonly Token[], first: Token | undefined): string {
  const at = first ? tokens.indexOf(first) : 0;
  return textAt(tokens, tokens[at - 1]?.word.verb.isDeterminer ? at - 2 : at - 1);
}

const isIn = ({ from, to }: Thing, at: number): boolean => from <= at && at < to;
const isNamed = ({ names, tokens }: Reading, { from, to }: Thing): boolean =>
  names.some(({ tokens: [first] }) => first !== undefined && isIn({ from, to }, tokens.indexOf(first)));

/** The object of the first past verb, or else its subject: in "was founded in Ohio" and "died in Bonn". */
function thingOf({ tokens, subjectEnd }: Reading): Thing {
  const verb = tokens.findIndex((token, at) => at > 0 && isPastVerb(token) && !FORMS_OF_BE.has(token.word.text));
  if (verb < 0 || isPassive(tokens, verb) || !mayBeginObject(tokens[verb + 1])) return { from: 0, to: verb < 0 ? subjectEnd : verb };
  const length = tokens.slice(verb + 2).findIndex(endsObject);
  return { from: verb + 1, to: length < 0 ? tokens.length : verb + 2 + length };
}

const mayBeginObject = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.before & (COMMA | SEMICOLON | COLON)) === 0 &&
  (token.word.verb.isDeterminer || isContentWord(token) || token.word.isAmount);

const endsObject = ({ word, before }: Token): boolean =>
  (before & (COMMA | SEMICOLON | COLON)) !== 0 || (word.isStopWord && !word.verb.isDeterminer && word.text !== 'of');
