import { COMMA } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

/** After its last word a sentence that ends with one of these still has something to say. */
const OPEN_ENDS = new Set(
  `known best noted regarded considered described named called titled entitled dubbed involved located situated based able unable such most one first second
third several many some also not is are was were be been being has have had does do did can could may might will would should must the a an his her its
their other another various proven supposed expected reported said allowed scheduled designed intended responsible famous`.split(/\s+/),
);
/** What begins with such a word waits for its main clause. */
const SUBORDINATORS = new Set(
  'once when if although though while after before since because as whereas unless until whenever where that'.split(' '),
);
const RELATIVES = new Set('who which that where when whom whose'.split(' '));
/** "who was born" and "which he joined" wait for more. */
const SHORTEST_RELATIVE = 4;
/** Verb and complement. */
const LEAST_SAID = 2;

/** Whether the words read as a sentence: with a verb that tells of its subject, and with what the verb asks for. English. */
export function isWholeSentence({ tokens }: Reading): boolean {
  const last = tokens.at(-1)?.word;
  if (!last || OPEN_ENDS.has(last.text)) return false;
  const verb = mainVerbIn(tokens);
  if (verb < 0) return false;
  const relative = tokens.findLastIndex(({ word }) => RELATIVES.has(word.text));
  if (relative > 0 && tokens.length - relative < SHORTEST_RELATIVE) return false;
  let said = 0;
  for (let at = verb; at < tokens.length; at += 1) if (saysSomething(tokens[at])) said += 1;
  return said >= LEAST_SAID;
}

const saysSomething = (token: Token | undefined): boolean =>
  token !== undefined && !token.word.isStopWord && token.word.role !== 'filler' && !token.word.verb.isAdverb;

/** -1 if there is none. */
function mainVerbIn(tokens: readonly Token[]): number {
  const from = SUBORDINATORS.has(tokens[0]?.word.text ?? '') ? tokens.findIndex(({ before }, at) => at > 0 && (before & COMMA) !== 0) : 1;
  if (from < 0) return -1;
  for (let at = from; at < tokens.length; at += 1) if (tokens[at]?.word.text === 'born' || isFiniteVerbAt(tokens, at)) return at;
  return -1;
}
