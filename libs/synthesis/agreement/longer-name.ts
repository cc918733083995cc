import { SPACE } from '@lib/language/reading/characters';
import { isNameWord, textAt, type Token } from '@lib/language/reading/token';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';
import { isThing } from '../subject/person-name';
import { INSTITUTIONS, OPTIONAL_IN_NAMES } from '../comparison/institutions';

/** With such a word a name means another thing of the same kind: "South Kelm", "Best Supporting Actress", "the Junior Cup". */
const DISTINGUISHING = new Set(
  `north south east west northern southern eastern western upper lower new old little great greater lesser junior senior youth women men girls boys ladies
supporting executive associate vice deputy assistant evening morning sunday daily weekly second third fourth ii iii iv indoor outdoor half reserve reserves max pro plus mini ultra lite`.split(
    /\s+/,
  ),
);

/** "The Kelm Post" is not "the Kelm Evening Post", nor "Kelm Hospital" "Kelm Children's Hospital". */
export const isInLongerName = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((token, at) => isOfOtherName(mine, at, theirs) || isOfLongerName(token, mine, theirs)) ||
  theirs.some((_, at) => isOfOtherName(theirs, at, mine));

function isOfLongerName(token: Token, mine: readonly Token[], theirs: readonly Token[]): boolean {
  const places = isNameWord(token) ? placesOf(token, theirs) : [];
  const isPartOfLonger = (place: number): boolean =>
    distinguishes(theirs[place - 1], theirs[place], mine) || distinguishes(theirs[place + 1], theirs[place + 1], mine);
  return places.length > 0 && places.every(isPartOfLonger);
}

/** Whether an institution, a firm or a place has a further word within its name: "Kelm Children’s Hospital", "the Reserve Bank of Kelm". */
function isOfOtherName(mine: readonly Token[], at: number, theirs: readonly Token[]): boolean {
  const [name, kind] = [mine[at - 1], mine[at]];
  if (!kind || !isNameWord(kind) || !(INSTITUTIONS.has(kind.word.text) || isThing(kind.word.text))) return false;
  const isLed = isNameWord(name) && kind.before === SPACE;
  if (!isLed && !(textAt(mine, at + 1) === 'of' && isNameWord(mine[at + 2]))) return false;
  const places = theirs.flatMap(({ word, isCapitalised }, place) => (isCapitalised && word.text === kind.word.text ? [place] : []));
  return (
    places.length > 0 &&
    places.every((place) => {
      const [first, further] = [theirs[place - 2], theirs[place - 1]];
      if (!further || !isNameWord(further) || isAmong(further, mine) || mayBeLacking(further.word.text)) return false;
      return isLed ? first !== undefined && name !== undefined && areAlike(first, name) : isOfSame(mine, at, theirs, place);
    })
  );
}

/** "Denver International Airport" is often "Denver Airport". */
const mayBeLacking = (word: string): boolean => OPTIONAL_IN_NAMES.has(word) || LACKING_IN_PLACES.has(word);
const LACKING_IN_PLACES = new Set('international university district central city'.split(' '));

const isOfSame = (mine: readonly Token[], at: number, theirs: readonly Token[], place: number): boolean =>
  textAt(theirs, place + 1) === 'of' && textAt(mine, at + 2) === textAt(theirs, place + 2);

/** @param later the one of the two words that stands second */
const distinguishes = (neighbour: Token | undefined, later: Token | undefined, mine: readonly Token[]): boolean =>
  later?.before === SPACE && isNameWord(neighbour) && DISTINGUISHING.has(neighbour?.word.text ?? '') && !isAmong(neighbour, mine);
