import { APOSTROPHE } from '@lib/language/reading/characters';
import { RELATIVE_PRONOUNS, SUBORDINATORS } from '@lib/language/reading/function-words';
import { partOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { isNameWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isSuperlative } from '../difference/superlatives';
import { headOf } from './antecedent';
import { isEmptyObject } from './expletive';
import type { Opening } from './opening';

const SINGULAR_FORMS_OF_BE = new Set(['is', 'was']);
/** What something is in a matter. The sentence tells what plays that part, which comes next: "The trigger was a speech. It …". */
const PARTS_PLAYED = new Set(
  'cause reason trigger result outcome consequence effect aim goal purpose answer explanation origin exception problem solution'.split(' '),
);

/** Whether "it" may be something else in the sentence before than its subject. English. */
export const isUnclearAfter = (last: Opening, { tokens }: Reading): boolean => hasOtherIt(tokens, last.to) || tellsWhatItIs(last, tokens);

/** Behind these "it" may stand for what the sentence itself names: "Corvid reads files and copies it", "why the tenant needs it". */
const BEGINNING_CLAUSE = SUBORDINATORS.union(RELATIVE_PRONOUNS).union(new Set('why how what whether and or but'.split(' ')));

/** Whether "it" stands for something that was spoken of before: "The agency approved it". */
function hasOtherIt(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < tokens.length; at += 1) {
    const text = textAt(tokens, at);
    if (BEGINNING_CLAUSE.has(text) || beginsParticiple(tokens[at])) return false;
    if (text === 'it' && !isSubject(tokens, at) && !isEmptyObject(tokens, at)) return true;
  }
  return false;
}

/** As in ", making it the deepest lake", which is of the subject itself. */
const beginsParticiple = (token: Token | undefined): boolean => token?.word.verb.endsInIng === true && hasCommaBefore(token);

function isSubject(tokens: readonly Token[], at: number): boolean {
  const verb = tokens[at + 1]?.word.verb;
  return isFiniteVerbAt(tokens, at + 1) || verb?.isPastForm === true || verb?.endsInS === true;
}

/** Whether the sentence says which thing the subject is: "The capital is Ulm". */
function tellsWhatItIs({ kind, named, to, verb }: Opening, tokens: readonly Token[]): boolean {
  if (!named || !SINGULAR_FORMS_OF_BE.has(verb) || tokens[to]?.word.text !== verb) return false;
  if (PARTS_PLAYED.has(headOf(named.tokens)) && tokens[to + 1]?.word.verb.isDeterminer === true) return true;
  let end = to + 1;
  while (isNameWord(tokens[end])) end += 1;
  // Not "The tower is Kelm’s landmark".
  return kind === 'thing' && end > to + 1 && !hasName(named) && ((tokens[end - 1]?.after ?? 0) & APOSTROPHE) === 0;
}

/** Whether a subject that the question does not name is hardly what the next sentence is about. */
export function isAside({ kind, named }: Opening, asksForThing: boolean, isPossessive: boolean): boolean {
  if (kind !== 'thing' || !named) return false;
  const [first, second] = named.tokens;
  // "Its" is rather all foxes' behind "The largest measured fox was 2 metres long".
  if (isPossessive && first?.word.text === 'the' && isSuperlative(second?.word.text ?? '')) return true;
  // As in "Operating profit was 18 million francs. It employs", where a company was asked about.
  return asksForThing && first?.word.isStopWord === false && !first.word.isAmount && !hasName(withoutPlace(named));
}

/** As "Arrival" of "Arrival in the Jupiter system". */
function withoutPlace(named: Reading): Reading {
  const at = named.tokens.findIndex(({ word }, place) => place > 0 && BEFORE_PLACE.has(word.text));
  return at < 0 ? named : partOf(named, 0, at);
}
const BEFORE_PLACE = new Set('in at on from to near'.split(' '));

/** As in "Typical is a stabbing pain", where the subject comes last. */
export const isAttribute = ({ tokens }: Reading): boolean =>
  tokens.length === 1 && /(?:ical|ous|less|ful|able|ible)$/.test(textAt(tokens, 0));

/** Whether a subject names something, also by an abbreviation at its beginning. */
const hasName = ({ tokens, text }: Reading): boolean => /\d|^\p{Lu}{2}/u.test(text) || tokens.slice(1).some(isNameWord);
