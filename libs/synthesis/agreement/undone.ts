import { MODALS_AND_DO } from '@lib/language/reading/function-words';
import { verbCertainty } from '@lib/language/known-words';
import { hasCommaBefore, isContentWord, isFiniteOrPast, isNameWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { placesOf } from '../alignment/same-word';
import { isVerbAt } from '../roles/verb-and-object';

/**
 * After these, an infinitive tells of something that has not happened yet, if it ever will, or that is only said ("is reported to have closed"). But
 * somebody who "went on to win" or "managed to win" did win.
 */
const INTENDING = new Set(
  `is are was were be been plan plans planned planning expect expects expected agree agrees agreed offer offers offered apply applies applied hope hopes
hoped want wants wanted intend intends intended try tries tried attempt attempts attempted ask asks asked seek seeks sought design designed schedule
scheduled due set promise promises promised threaten threatens threatened vow vows vowed propose proposes proposed invite invites invited allow allowed
require required oblige obliged order ordered ready willing refuse refuses refused fail fails failed decline declines declined likely unlikely
supposed proposal pledged pledge obligation going reported alleged said believed thought rumoured rumored understood claimed`.split(/\s+/),
);

/** What somebody else is to do: "asked the court to declare it void". Who is forced or persuaded to do it does it. */
const DIRECTING = new Set(
  `ask asks asked allow allows allowed permit permits permitted require requires required order orders ordered invite invites invited urge urges urged want wants
wanted expect expects expected encourage encourages encouraged tell tells told advise advises advised warn warns warned recommend recommends
recommended request requests requested petition petitions petitioned beg begs begged empower empowers empowered authorise authorises authorised
authorize authorizes authorized entitle entitles entitled call calls called`.split(/\s+/),
);
/** Most words of whom it is asked of: "the federal constitutional court". */
const MAX_WORDS_ASKED = 6;

/** Before a form in "ing" these tell of what may never happen: "talks about sharing it", "accused of stealing it", "within a vote of repealing it". */
const BEFORE_UNDONE = new Set('of about from against without'.split(' '));
const BEFORE_VERB = new Set('be have being having'.split(' '));
/** Most words from "too" to the infinitive: "too badly damaged to sail". */
const MAX_WORDS_TOO = 4;

/** Whether a verb tells of what is not done yet, if it ever will be: "was to open", "asked the mayor to open", "too ill to open", "talks about opening". */
export function mayBeUndone(tokens: readonly Token[], verb: number): boolean {
  let at = verb - 1;
  while (tokens[at]?.word.verb.isAdverb || BEFORE_VERB.has(textAt(tokens, at))) at -= 1;
  if (tokens.slice(at + 1, verb).some(({ word }) => ALMOST.has(word.text))) return true;
  const before = textAt(tokens, at);
  if (tokens[verb]?.word.verb.endsInIng || textAt(tokens, verb - 1) === 'having') return BEFORE_UNDONE.has(before);
  if (before !== 'to') return isCausedAt(tokens, verb);
  return INTENDING.has(textAt(tokens, at - 1)) || isDirected(tokens, at) || isTooMuch(tokens, at);
}

/** Whether somebody else is made to do it: "had the painter sign the altarpiece". */
function isCausedAt(tokens: readonly Token[], verb: number): boolean {
  const [token, next] = [tokens[verb], tokens[verb + 1]];
  if (!token || token.isCapitalised || isFiniteOrPast(token) || verbCertainty(token.word.text) === undefined) return false;
  if (!next || !(next.word.verb.isDeterminer || isNameWord(next))) return false;
  const cause = tokens.findLastIndex(({ word }, at) => at < verb - 1 && at >= verb - MAX_WORDS_ASKED && CAUSING.has(word.text));
  const [article, ...whom] = tokens.slice(cause + 1, verb);
  const isNamed = article !== undefined && (isNameWord(article) || (article.word.verb.isDeterminer && whom.length > 0));
  return cause >= 0 && isNamed && !hasCommaBefore(token) && whom.every(({ word }) => !word.isStopWord);
}
const CAUSING = new Set('had made makes let lets'.split(' '));

/** Right before a verb: "nearly collided". */
const ALMOST = new Set('nearly almost'.split(' '));

/** "Too ill to attend". */
const isTooMuch = (tokens: readonly Token[], to: number): boolean =>
  tokens.slice(Math.max(0, to - MAX_WORDS_TOO), to).some(({ word }) => word.text === 'too');

/** Whether an infinitive is what somebody is asked to do, with nothing but whom between. */
function isDirected(tokens: readonly Token[], to: number): boolean {
  for (let at = to - 1; at >= Math.max(1, to - MAX_WORDS_ASKED); at -= 1) {
    const token = tokens[at];
    if (!token || hasCommaBefore(tokens[at + 1])) return false;
    if (DIRECTING.has(token.word.text)) return at < to - 1 && !tokens[at - 1]?.word.verb.isDeterminer;
  }
  return false;
}

/** Whether `theirs` does not say that what `mine` tells of was done. */
export const isOnlyUndone = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    if (!isContentWord(verb) || !(isVerbAt(mine, at) || isFiniteVerbAt(mine, at))) return false;
    if (MODALS_AND_DO.has(textAt(mine, at - 1)) || mayBeUndone(mine, at)) return false;
    const places = placesOf(verb, theirs);
    return places.length > 0 && places.every((place) => mayBeUndone(theirs, place));
  });
