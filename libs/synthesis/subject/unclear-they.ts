import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { headOf, isPluralWord, tellsOfEvent } from './antecedent';
import type { Opening } from './opening';

/** With these a subject tells of something else. */
const TELLING = new Set(
  `found finds find showed shows show reported reports report argued argues argue concluded concludes conclude suggested suggests suggest estimated
estimates estimate said says say noted notes note observed tested tests test measured examined compared analysed analyzed surveyed`.split(
    /\s+/,
  ),
);

/**
 * Whether "they" may be others than the subject of the sentence before, which names several things behind a verb of telling or of an event:
 * "Stubbs and Stubbs found that foxes sleep less. They", "Complaints led to new rules. They".
 */
export function mayBeOthers({ verb, to, kind, named }: Opening, { tokens }: Reading): boolean {
  const at = tokens.findIndex(({ word }, place) => place >= to && word.text === verb);
  if (at < 0 || !named || !(TELLING.has(verb) || (kind === 'thing' && tellsOfEvent(verb)))) return false;
  const head = headOf(named.tokens);
  return tokens.slice(at + 1).some((token) => isPlural(token) && token.word.text !== head);
}

const isPlural = (token: Token): boolean =>
  !token.isCapitalised && isContentWord(token) && isPluralWord(token.word.text) && !TIMES.has(token.word.text);
const TIMES = new Set('seconds minutes hours days weeks months years decades centuries times'.split(' '));
