import { verbCertaintyInS } from '@lib/language/known-words';
import { FINITE_FORMS_OF_BE, PRESENT_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { SPACE } from '@lib/language/reading/characters';
import { contrastedIn, isNegationAt } from '@lib/language/reading/polarity';
import { isNameWord, isOneOf, isPastVerb, isContentWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { YEAR } from '@lib/language/reading/numeral';
import { isPassive } from '@lib/language/reading/verbs';
import { deniedIn } from '../difference/denials';
import { NARROWING } from '../alignment/edit-kinds';
import { areAlike, isAmong, meanTheSame, placesOfItselfElseAlike } from '../alignment/same-word';
import type { Terms } from '../comparison/numbered-terms';
import { hasOtherComplement } from './complements';
import { takesComplementOfOther } from './complement-of-other';
import { breaksCompound } from './broken-compound';
import { isFigureOfOther, pairsOtherwise } from './paired-otherwise';
import { ranksAnother } from './ranked-noun';
import { hangsOnOther, isNumberOfRelative, RELATIVES_BEHIND_COMMA } from './relative-clauses';
import { dividesObject, exchangesBetweenVerbs, exchangesObjects } from '../roles/objects-of-verbs';
import { exchangesRolesOfWords } from '../roles/roles-of-words';
import { exchangesSidesOfVerb } from '../roles/sides-of-verb';
import { isDoneByOther, isDoneByRelated, isGivenWhatIsGiven, isNoDoer } from '../roles/doers';
import { isDoneNotSuffered } from '../roles/subject-and-voice';
import { isVerbAt } from '../roles/verb-and-object';

const MODAL = new Set('can could may might would should'.split(' '));

/** Whether a word shared by both statements plays another part in each: who beats whom, what a name refers to, past or present. */
export const playsAnotherPart = (mine: readonly Token[], theirs: readonly Token[], question: Terms): boolean =>
  ranksAnother(mine, theirs) ||
  isOfOtherTime(mine, theirs) ||
  isOnlyPossible(mine, theirs) ||
  isNumberOfRelative(mine, theirs) ||
  hangsOnOther(mine, theirs) ||
  turnsName(mine, theirs) ||
  exchangesEpithets(mine, theirs, question) ||
  exchangesSidesOfVerb(mine, theirs) ||
  exchangesObjects(mine, theirs) ||
  exchangesBetweenVerbs(mine, theirs) ||
  dividesObject(mine, theirs) ||
  hasOtherComplement(mine, theirs) ||
  deniesOther(mine, theirs) ||
  contrastsOther(mine, theirs) ||
  tellsOfAntecedent(mine, theirs) ||
  exchangesRolesOfWords(mine, theirs) ||
  pairsOtherwise(mine, theirs) ||
  isFigureOfOther(mine, theirs) ||
  isDoneNotSuffered(mine, theirs) ||
  isGivenWhatIsGiven(mine, theirs) ||
  isDoneByRelated(mine, theirs) ||
  isDoneByOther(mine, theirs) ||
  isNoDoer(mine, theirs) ||
  breaksCompound(mine, theirs) ||
  isOnlyOnce(mine, theirs) ||
  takesComplementOfOther(mine, theirs);

/** "Ada, not Bea, won" is not said by "Bea, not Ada, won". */
function contrastsOther(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const [own, others] = [contrastedIn(mine), contrastedIn(theirs)];
  if (!own || !others) return false;
  const areContrasted = theirs.filter((_, at) => others.has(at));
  return mine.some((token, at) => own.has(at) && isContentWord(token) && !isAmong(token, areContrasted));
}

/** Whether the statements deny different things: "It is not yet required" is not said by "they will require it although it is not yet ready". */
function deniesOther(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const own = deniedIn(mine, MAX_DENIED);
  if (own.length === 0 || !theirs.some((_, at) => isNegationAt(theirs, at))) return false;
  const others = deniedIn(theirs, MAX_DENIED);
  return !own.some((token) => isAmong(token, others)) || deniesOtherVerb(mine, theirs);
}

const MAX_DENIED = 3;

/** "Did not say that he ignored it" and "said that he did not ignore it". */
function deniesOtherVerb(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const [own, others] = [deniedIn(mine, 1), deniedIn(theirs, 1)];
  return (
    own.some((token) => !isAmong(token, others) && isAmong(token, theirs)) &&
    others.some((token) => !isAmong(token, own) && isAmong(token, mine))
  );
}

/** "Smith sued Jones, who paid" is not said by "Smith sued Jones and paid": a different person paid. */
const tellsOfAntecedent = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((token, at) => at > 0 && hasCommaBefore(token) && RELATIVES_BEHIND_COMMA.has(token.word.text) && isVerbAt(mine, at + 1)) &&
  !theirs.some(({ word }) => RELATIVES_BEHIND_COMMA.has(word.text));

/** A former head of a house may no longer be its head, so the tense matters for offices; for professions it does not. */
const isOfOtherTime = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((copula, at) => {
    const office = officeAfter(mine, at);
    if (!office || isMaker(mine, at, office)) return false;
    const forms = theirs.filter((_, place) => {
      const held = officeAfter(theirs, place);
      return held !== null && areAlike(held, office);
    });
    return forms.length > 0 && forms.every(({ word }) => PRESENT_FORMS_OF_BE.has(word.text) !== PRESENT_FORMS_OF_BE.has(copula.word.text));
  });

/**
 * "The author was Ada Roth" and "the author is Ada Roth": the maker of something remains its maker. Directors are left out, since a director may be
 * one of an institute.
 */
const isMaker = (tokens: readonly Token[], copula: number, named: Token): boolean =>
  isNameWord(named) && MAKERS.has(tokens.slice(0, copula).find(({ word }) => !word.isStopWord)?.word.text ?? '');

const MAKERS = new Set('author writer screenwriter architect creator founder inventor discoverer painter sculptor'.split(' '));

/** The noun after "is" or "was", unless an indefinite article leaves open which. */
function officeAfter(tokens: readonly Token[], at: number): Token | null {
  const [copula, next] = [tokens[at], tokens[at + 1]];
  if (!copula || !next || !FINITE_FORMS_OF_BE.has(copula.word.text)) return null;
  const office = next.word.text === 'the' ? tokens[at + 2] : next;
  return !office || office.word.isStopWord || office.word.verb.isPastForm || office.word.text === 'born' ? null : office;
}

/** "The court hears cases" is not said by "the court heard a case in 2019". */
const isOnlyOnce = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  theirs.some(({ word }, at) => YEAR.test(word.text) && textAt(theirs, at - 1) !== 'of') &&
  mine.some((verb, at) => {
    if (!verb.word.verb.endsInS || verbCertaintyInS(verb.word.text) === undefined || !isVerbAt(mine, at)) return false;
    const places = placesOfItselfElseAlike(verb, theirs);
    return places.length > 0 && places.every((place) => isPastVerb(theirs[place]) && !isPassive(theirs, place));
  });

/** Whether `theirs` only says that something is possible: what can kill trees does not necessarily kill them. */
function isOnlyPossible(mine: readonly Token[], theirs: readonly Token[]): boolean {
  if (mine.some((token) => isOneOf(MODAL, token))) return false;
  return theirs.some((token, at) => {
    const verb = theirs[at + 1];
    return (
      isOneOf(MODAL, token) &&
      verb !== undefined &&
      !verb.word.isStopWord &&
      placesOfItselfElseAlike(verb, theirs).length === 1 &&
      isAmong(verb, mine)
    );
  });
}

/**
 * Whether the parts of a name stand in a different order or in different names: "Ada Maria Kelm" and "Maria Ada Kelm"; "Executive Chairman" and
 * "Chairman and Executive Director".
 */
const turnsName = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((first, at) => {
    const second = mine[at + 1];
    if (!second || !isOfOneName(first, second) || areAlike(first, second)) return false;
    const places = placesOfItselfElseAlike(first, theirs);
    const isTurned = places.some((place) => {
      const before = theirs[place - 1];
      return before !== undefined && isNextTo(before, theirs[place]) && areAlike(second, before);
    });
    return isTurned || (places.length > 0 && isAmong(second, theirs) && places.every((place) => belongsToOther(theirs, place, second)));
  });

const isNextTo = (one: Token | undefined, next: Token | undefined): boolean =>
  one !== undefined && next !== undefined && isOfOneName(one, next);

const isOfOneName = (one: Token, next: Token): boolean => isNameWord(one) && isNameWord(next) && next.before === SPACE;

/** Whether the word begins a longer name without the wanted word; after "of" it does not count: "the Law School of Yale University". */
function belongsToOther(tokens: readonly Token[], at: number, wanted: Token): boolean {
  if (tokens[at - 1]?.word.text === 'of') return false;
  let end = at;
  while (isNextTo(tokens[end], tokens[end + 1])) end += 1;
  return end > at && !tokens.slice(at, end + 1).some(({ word }) => meanTheSame(word, wanted.word));
}

/** Whether a description goes with a different name: "the champions United" are not "the champions Rovers". */
function exchangesEpithets(mine: readonly Token[], theirs: readonly Token[], question: Terms): boolean {
  const others = epithetsIn(theirs, question);
  return epithetsIn(mine, question).some(([epithet, name]) => {
    const ofSame = others.filter(([other]) => areAlike(other, epithet));
    if (ofSame.some(([, other]) => areAlike(other, name))) return false;
    if (ofSame.some(([, other]) => isAmong(other, mine))) return true;
    const ofName = others.filter(([, other]) => areAlike(other, name));
    return isAmong(epithet, theirs) && ofName.some(([other]) => isAmong(other, mine));
  });
}

/** Each noun directly before a name, together with the name. */
const epithetsIn = (tokens: readonly Token[], question: Terms): [Token, Token][] =>
  tokens.flatMap((name, at): [Token, Token][] => {
    const before = tokens[at - 1];
    if (!before || !isNameWord(name) || name.before !== SPACE || question.has(name.word.stem)) return [];
    const { isStopWord, isAmount, verb, text } = before.word;
    const isNoun = !before.isCapitalised && !isStopWord && !isAmount && !verb.isPastForm && !verb.isFinite && text !== 'born';
    return isNoun && !NARROWING.has(text) ? [[before, name]] : [];
  });
