import { textAt, type Token } from '@lib/language/reading/token';
import { partOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { isMeasure } from './antecedent';

/** What happens to a thing: "Construction of the bridge". */
const EVENTS = new Set(
  `construction building rebuilding opening reopening launch release design development founding completion production discovery inauguration creation
publication invention restoration renovation demolition introduction`.split(/\s+/),
);
/** Said of an event or a measure, and hardly of the thing itself. */
const OF_EVENT = new Set(
  'took lasted began started ended finished cost continued involved required rose fell grew increased decreased dropped'.split(' '),
);
const OF_EVENT_IN_PASSIVE = new Set('completed finished delayed interrupted suspended resumed financed funded'.split(' '));
/** An event that is over is no subject of these. */
const PRESENT = new Set('is has stands remains'.split(' '));

/**
 * What "it" refers to behind a subject such as "Construction of the tower" or "The height of the tower": the event or the measure, the thing
 * (`thingOf`), or either.
 * @param said what follows "it"; empty behind "its"
 */
export function referentOf(named: Reading, said: string): 'subject' | 'thing' | 'either' {
  const of = ofIn(named.tokens);
  const head = textAt(named.tokens, of - 1);
  const isEvent = EVENTS.has(head);
  if (of < 0 || !(isEvent || isMeasure(head))) return 'subject';
  const [verb = '', participle = ''] = said.split(' ');
  if (OF_EVENT.has(verb) || (verb === 'was' && OF_EVENT_IN_PASSIVE.has(participle))) return 'subject';
  return isEvent && PRESENT.has(verb) ? 'thing' : 'either';
}

/** The thing of such a subject: "the Eiffel Tower". */
export const thingOf = (named: Reading): Reading => partOf(named, ofIn(named.tokens) + 1, named.tokens.length);

/** Index of "of" before a name or a definite thing; -1 if there is none. */
function ofIn(tokens: readonly Token[]): number {
  const of = tokens.findIndex(({ word }, at) => at > 0 && word.text === 'of');
  const isDefinite = tokens[of + 1]?.word.text === 'the';
  return of > 0 && (isDefinite || tokens.slice(of + 1).some(({ isCapitalised }) => isCapitalised)) ? of : -1;
}
