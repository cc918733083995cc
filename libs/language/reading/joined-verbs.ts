import { verbCertainty } from '../known-words';
import { SEMICOLON } from './characters';
import { MODALS_AND_DO } from './function-words';
import { hasCommaBefore, isPastVerb, textAt, type Token } from './token';
import { isFiniteVerbAt } from './verbs';

const OBJECTS = new Set(['him', 'her', 'them']);

/** The index of a verb that says more about the same subject; -1 if there is none. */
export function predicateFrom(tokens: readonly Token[], at: number): number {
  if (!isFiniteVerbAt(tokens, at) || OBJECTS.has(textAt(tokens, at + 1))) return -1;
  return goesOnFromInfinitive(tokens, at) || goesOnFromParticiple(tokens, at) || describesNext(tokens, at) ? -1 : at;
}

/** Whether a participle describes the noun behind it, like the word before the joint: "people with normal weight but raised pressure". */
function describesNext(tokens: readonly Token[], verb: number): boolean {
  const next = tokens[verb + 1];
  if (!isPastVerb(tokens[verb]) || !next || next.word.isStopWord || hasCommaBefore(tokens[verb - 1])) return false;
  return tokens.slice(Math.max(0, verb - MAX_WORDS_WITH), verb - 2).some(({ word }) => word.text === 'with');
}
/** Most words from "with" to the participle: "with normal weight but raised". */
const MAX_WORDS_WITH = 4;

/** Whether a participle continues another one, and not the verb of the subject: "Ulm announced Kelm, forked from Graz and backed by three banks". */
function goesOnFromParticiple(tokens: readonly Token[], verb: number): boolean {
  if (textAt(tokens, verb + 1) !== 'by') return false;
  const near = tokens.slice(Math.max(0, verb - MAX_WORDS_OF_PARTICIPLE), verb);
  const before = near.findLastIndex(isPastVerb);
  return before > 0 && hasCommaBefore(near[before]) && near[before + 1]?.word.isStopWord === true;
}
/** Most words from one participle to the next: "forked from Graz and". */
const MAX_WORDS_OF_PARTICIPLE = 20;

/** Whether a verb continues an infinitive: "Was planned to take five years and cost £3 billion" does not tell the actual cost. */
function goesOnFromInfinitive(tokens: readonly Token[], verb: number): boolean {
  if (!LIKE_INFINITIVE.has(textAt(tokens, verb))) return false;
  for (let at = verb - 1; at > 0; at -= 1) {
    if ((tokens[at]?.before ?? 0) & SEMICOLON) return false;
    const next = tokens[at + 1]?.word;
    if (MODALS_AND_DO.has(textAt(tokens, at))) return true;
    if (tokens[at]?.word.text === 'to' && next && !next.isStopWord && !next.hasDigit && verbCertainty(next.text) !== undefined) return true;
  }
  return false;
}

/** Verbs with the same form for past and infinitive. */
const LIKE_INFINITIVE = new Set(
  'cost cut put set hit let shut cast split spread hurt quit read bid burst shed rid thrust wed bet upset'.split(' '),
);

/** Whether "and" joins two verbs with a common object: "killed and wounded". */
export function joinsVerbs(tokens: readonly Token[], at: number): boolean {
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  return isPastVerb(before) && (isPastVerb(next) || (next?.word.isNegation === true && isPastVerb(tokens[at + 2])));
}
