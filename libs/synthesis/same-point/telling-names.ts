import { genderOfGivenName, isKnownName } from '@lib/language/known-words';
import { isMonth } from '@lib/language/reading/dates';
import type { NameRun } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import type { WithNames } from './names-in-place';

/** Whether each surely has a name that is neither in the other nor in the question: what is only capitalised, or calls a place otherwise, is none. */
export const surelyNameOthers = (one: WithNames, other: WithNames): boolean => namesAnother(one, other) && namesAnother(other, one);

const namesAnother = ({ own, reading }: WithNames, { reading: other }: WithNames): boolean =>
  own.some((name) => isSurelyName(name, reading) && !isPlaceOf(name, other));

/** Not a month, a unit, "Article" before a number, nor a word that has its capital from its place: "Status: Final", "| Event: …". */
function isSurelyName({ tokens: [first, second] }: NameRun, { text }: Reading): boolean {
  if (!first) return false;
  if (second) return true;
  const { word, start, end } = first;
  const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
  if (isMonth(word.text) || word.text.length === 1 || BEFORE_NUMBER.has(word.text) || word.unit !== null) return false;
  if (BEHIND_NUMBER.test(before) && end - start <= MAX_UNIT_LENGTH) return false;
  if (!BEGINNING.test(before)) return true;
  return isKnownName(word.text) || genderOfGivenName(word.text) !== undefined || IN_CAPITALS.test(text.slice(start, end));
}
/** In UTF-16 units. */
const MAX_BEFORE = 4;
const MAX_UNIT_LENGTH = 6;
const BEFORE_NUMBER = new Set('no article art annex section part chapter phase step figure table zone level type category'.split(' '));
const BEHIND_NUMBER = /\d\s$/;
const BEGINNING = /(?:^|[:|.;!?\]•–—])["“'([\s]*$/u;
const IN_CAPITALS = /\p{Lu}.*\p{Lu}|\d/u;

/** Whether the other calls the same place otherwise: "Britain" and "the UK", "Danish" and "Denmark". */
function isPlaceOf({ tokens }: NameRun, { tokens: others }: Reading): boolean {
  const place = PLACE_OF.get(tokens.map(({ word }) => word.text).join(' '));
  return (
    place !== undefined &&
    others.some(({ word }, at) =>
      [word.text, `${word.text} ${others[at + 1]?.word.text ?? ''}`].some((text) => PLACE_OF.get(text) === place),
    )
  );
}

/** Names of one place that do not begin alike. */
const PLACES = `us usa america american americans united-states;uk britain british britons united-kingdom great-britain;denmark danish danes;sweden swedish
swedes;france french;netherlands dutch holland;spain spanish;switzerland swiss;finland finnish;poland polish;greece greek;ireland irish;wales welsh;england
english;scotland scottish;norway norwegian;europe european europeans eu european-union;turkey turkish;kiev kyiv;germany german`;
const PLACE_OF = new Map(
  PLACES.split(';').flatMap((names, place) => names.split(/\s+/).map((name) => [name.replace('-', ' '), place] as const)),
);
