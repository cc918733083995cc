import { COMMA, SPACE } from '@lib/language/reading/characters';
import { isOneOf, type Token } from '@lib/language/reading/token';
import { NARROWING } from '../difference/edit-kinds';
import { PAST, PRESENT } from '../difference/restatement';
import { isAmong, meanTheSame } from '../difference/same-word';
import type { Terms } from '../comparison/numbered-terms';
import { BEING, isName, isVerb } from './own-doer';

const MODAL = new Set('can could may might would should'.split(' '));
const PREPOSITIONS = new Set(
  'in at on for with from to by of as against since until during after before under over between among into through'.split(' '),
);

/** Whether a word of one statement, which another one has too, has another part there: who beats whom, what a name is called, what was and what is. */
export const playsAnotherPart = (mine: readonly Token[], theirs: readonly Token[], question: Terms): boolean =>
  isOfOtherTime(mine, theirs) ||
  isOnlyPossible(mine, theirs) ||
  turnsName(mine, theirs) ||
  exchangesEpithets(mine, theirs, question) ||
  exchangesSides(mine, theirs);

/** Where the word itself stands, or else one that means the same. */
function placesOf({ word }: Token, tokens: readonly Token[]): number[] {
  const same = tokens.flatMap((other, place) => (other.word.stem === word.stem ? [place] : []));
  return same.length > 0 ? same : tokens.flatMap((other, place) => (meanTheSame(word, other.word) ? [place] : []));
}

/** Who was head of a house may no longer be it; what somebody is by profession is told in both tenses. */
const isOfOtherTime = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((copula, at) => {
    const office = officeAfter(mine, at);
    if (!office) return false;
    const forms = theirs.filter((_, place) => {
      const held = officeAfter(theirs, place);
      return held !== null && meanTheSame(held.word, office.word);
    });
    return forms.length > 0 && forms.every(({ word }) => PRESENT.has(word.text) !== PRESENT.has(copula.word.text));
  });

/** What stands after "is" or "was", without an article that leaves open which. */
function officeAfter(tokens: readonly Token[], at: number): Token | null {
  const [copula, next] = [tokens[at], tokens[at + 1]];
  if (!copula || !next || !(PRESENT.has(copula.word.text) || PAST.has(copula.word.text))) return null;
  const office = next.word.text === 'the' ? tokens[at + 2] : next;
  return !office || office.word.isStopWord || office.word.verb.isPastForm || office.word.text === 'born' ? null : office;
}

/** What can kill trees need not kill them. */
function isOnlyPossible(mine: readonly Token[], theirs: readonly Token[]): boolean {
  if (mine.some((token) => isOneOf(MODAL, token))) return false;
  return theirs.some((token, at) => {
    const verb = theirs[at + 1];
    return (
      isOneOf(MODAL, token) && verb !== undefined && !verb.word.isStopWord && placesOf(verb, theirs).length === 1 && isAmong(verb, mine)
    );
  });
}

/** "Ada Maria Kelm" and "Maria Ada Kelm"; "Executive Chairman" and "Chairman and Executive Director". */
const turnsName = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((first, at) => {
    const second = mine[at + 1];
    if (!second || !isOfOneName(first, second) || meanTheSame(first.word, second.word)) return false;
    const places = placesOf(first, theirs);
    const isTurned = places.some((place) => {
      const before = theirs[place - 1];
      return before !== undefined && isNextTo(before, theirs[place]) && meanTheSame(second.word, before.word);
    });
    return isTurned || (places.length > 0 && isAmong(second, theirs) && places.every((place) => belongsToOther(theirs, place, second)));
  });

const isNextTo = (one: Token | undefined, next: Token | undefined): boolean =>
  one !== undefined && next !== undefined && isOfOneName(one, next);

const isOfOneName = (one: Token, next: Token): boolean => isName(one) && isName(next) && next.before === SPACE;

/** Another name goes on behind the word than the one that is looked for, unless that is of the word: "the Law School of Yale University". */
function belongsToOther(tokens: readonly Token[], at: number, wanted: Token): boolean {
  if (tokens[at - 1]?.word.text === 'of') return false;
  let end = at;
  while (isNextTo(tokens[end], tokens[end + 1])) end += 1;
  return end > at && !tokens.slice(at, end + 1).some(({ word }) => meanTheSame(word, wanted.word));
}

/** "The champions United" are not "the champions Rovers". */
function exchangesEpithets(mine: readonly Token[], theirs: readonly Token[], question: Terms): boolean {
  const others = epithetsIn(theirs, question);
  return epithetsIn(mine, question).some(([epithet, name]) => {
    const ofSame = others.filter(([other]) => meanTheSame(other.word, epithet.word));
    if (ofSame.some(([, other]) => meanTheSame(other.word, name.word))) return false;
    if (ofSame.some(([, other]) => isAmong(other, mine))) return true;
    const ofName = others.filter(([, other]) => meanTheSame(other.word, name.word));
    return isAmong(epithet, theirs) && ofName.some(([other]) => isAmong(other, mine));
  });
}

/** Each noun right before a name, with the name. */
const epithetsIn = (tokens: readonly Token[], question: Terms): [Token, Token][] =>
  tokens.flatMap((name, at): [Token, Token][] => {
    const before = tokens[at - 1];
    if (!before || !isName(name) || name.before !== SPACE || question.has(name.word.stem)) return [];
    const { isStopWord, isAmount, verb, text } = before.word;
    const isNoun = !before.isCapitalised && !isStopWord && !isAmount && !verb.isPastForm && !verb.isFinite && text !== 'born';
    return isNoun && !NARROWING.has(text) ? [[before, name]] : [];
  });

/** "Wages outpaced prices" and "prices outpaced wages": what stands before the verb of the one stands after that of the other, and the other way. */
const exchangesSides = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    if (!isVerb(verb)) return false;
    const place = theirs.findIndex((token) => isVerb(token) && meanTheSame(token.word, verb.word));
    if (place < 0 || isPassive(mine, at) !== isPassive(theirs, place)) return false;
    return (
      mine.some((_, own) => own < at && standsOnly(mine, own, theirs, (other) => other > place)) &&
      mine.some((_, own) => own > at && standsOnly(mine, own, theirs, (other) => other < place))
    );
  });

function standsOnly(mine: readonly Token[], at: number, theirs: readonly Token[], isThere: (place: number) => boolean): boolean {
  const token = mine[at];
  if (!token || token.word.isStopWord || token.word.isAmount || token.word.verb.isAdverb || isAdjunct(mine, at)) return false;
  const places = placesOf(token, theirs);
  return places.length > 0 && places.every((place) => isThere(place) && !isAdjunct(theirs, place));
}

/** A preposition stands before it, with nothing but its own words between. */
function isAdjunct(tokens: readonly Token[], at: number): boolean {
  for (let place = at; place > 0; place -= 1) {
    const [token, before] = [tokens[place], tokens[place - 1]];
    if (!token || !before || token.before & COMMA || isVerb(before)) return false;
    if (PREPOSITIONS.has(before.word.text)) return true;
    if ((before.isCapitalised && !token.isCapitalised) || (before.word.isStopWord && !before.word.verb.isDeterminer)) return false;
  }
  return false;
}

const isPassive = (tokens: readonly Token[], verb: number): boolean =>
  tokens.slice(Math.max(0, verb - 2), verb).some(({ word }) => BEING.has(word.text));
