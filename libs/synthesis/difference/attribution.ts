import { FORMS_OF_HAVE, FORMS_OF_SAY, SUBJECT_PRONOUNS_AND_POSSESSIVES } from '@lib/language/reading/function-words';
import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import type { Reading } from '@lib/language/reading/reading';
import { isNameWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { meanTheSame } from '../alignment/same-word';

/** Words that, before a verb, attribute the statement to somebody or call it unknown. */
const REPORTING = new Set(
  `claim claims claimed claiming say says said argue argues argued believe believes believed think thinks thought suspect suspects suspected
allege alleges alleged suggest suggests suggested assert asserts asserted insist insists insisted deny denies denied doubt doubts doubted fear fears feared
assume assumes assumed maintain maintains maintained contend contends contended speculate speculates speculated rumoured rumored accuse accuses accused supposed considered regarded deemed reputed`.split(
    /\s+/,
  ),
);
/** Before "that" these tell of what somebody wants or imagines. */
const WISHING = new Set(
  `hope hopes hoped wish wishes wished dream dreams dreamed imagine imagines imagined pretend pretends pretended urge urges urged demand demands demanded
recommend recommends recommended propose proposes proposed request requests requested`.split(/\s+/),
);
/** Words that cast doubt wherever they stand. */
const DOUBTING = new Set(
  'supposedly allegedly reportedly purportedly perhaps possibly probably maybe arguably apparently whether nobody'.split(' '),
);
const AFTERTHOUGHTS = new Set('reportedly allegedly supposedly'.split(' '));
/** Nouns that attribute only together with "that": "a rumour that", "legend has it that". */
const NOUNS = new Set(
  `rumour rumours rumor rumors legend myth tradition argument argues theory hypothesis allegation allegations accusation accusations suspicion
belief`.split(/\s+/),
);
/** The next word is a noun, not a verb: "a claims adjuster", "for fear of war". */
const BEFORE_NOUN = new Set('a an the his her its their any no for of in with without despite'.split(' '));
/** Sources with first-hand knowledge of what they report. */
const SOURCES = new Set(
  `census survey surveys study studies data report reports statistics figures law officials authorities committee commission government ministry
agency court`.split(/\s+/),
);
/** Words for information that may prove wrong. */
const PRELIMINARY = new Set('early initial first preliminary unconfirmed some false conflicting disputed'.split(' '));
const BESIDE_VERB = FORMS_OF_HAVE.union(new Set(['also', 'later', 'once']));

/** Whether the words before a verb attribute the statement to somebody without first-hand knowledge. */
export function isAttributed(before: readonly Token[], inner: Reading, isAdded: (token: Token) => boolean): boolean {
  return before.some((token, at) => {
    if (!isAdded(token)) return false;
    if (isLeftOpen(before, at) || isViewOf(before, at)) return true;
    const { text } = token.word;
    if (text === 'according') return !namesSource(before, at);
    if (DOUBTING.has(text)) return true;
    if (WISHING.has(text)) return textAt(before, at + 1) === 'that';
    if (!REPORTING.has(text) && !NOUNS.has(text)) return false;
    const next = before.findIndex((other, place) => place > at && hasCommaBefore(other));
    const rest = before.slice(at + 1, next < 0 ? before.length : next);
    if (rest.some(({ word }) => word.text === 'that')) return !(FORMS_OF_SAY.has(text) && isKnownToSayer(before, at));
    if (isNounAt(before, at)) return false;
    const [subject] = rest.filter(({ word }) => !word.isStopWord);
    const reaches =
      next < 0 || rest.length === 0 || inner.tokens.some(({ word }) => subject !== undefined && meanTheSame(word, subject.word));
    return reaches && !(FORMS_OF_SAY.has(text) && isKnownToSayer(before, at));
  });
}

/** "It is conceivable that": only these say that what follows is so. */
const CERTAIN = new Set(
  `clear true certain evident obvious known notable remarkable striking important significant established proven documented undisputed undeniable agreed
surprising unsurprising ironic crucial essential worth`.split(/\s+/),
);

/** "In the eyes of the opposition". */
const isViewOf = (tokens: readonly Token[], at: number): boolean =>
  VIEWS.has(textAt(tokens, at)) &&
  textAt(tokens, at + 1) === 'of' &&
  textAt(tokens, at - 1) === 'the' &&
  VIEWING.has(textAt(tokens, at - 2));
const VIEWS = new Set('eyes view views opinion judgement judgment estimation'.split(' '));
const VIEWING = new Set('in from'.split(' '));

/** Whether an adjective leaves open whether what follows is so: "it is conceivable that". */
function isLeftOpen(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || next?.word.text !== 'that' || CERTAIN.has(token.word.text) || token.word.isStopWord) return false;
  let be = at - 1;
  while (tokens[be]?.word.verb.isAdverb) be -= 1;
  return FORMS_OF_BE.has(textAt(tokens, be)) && textAt(tokens, be - 1) === 'it';
}

/** Whether an attribution follows the statement: ", according to its maker", "allegedly". */
export const isAfterthought = (tokens: readonly Token[], at: number): boolean => {
  const text = textAt(tokens, at);
  return AFTERTHOUGHTS.has(text) || (text === 'according' && !namesSource(tokens, at));
};

function isNounAt(tokens: readonly Token[], at: number): boolean {
  if (NOUNS.has(textAt(tokens, at))) return true;
  return BEFORE_NOUN.has(textAt(tokens, at - 1)) || tokens[at + 1]?.word.text === 'of';
}

/** "According to the 2020 census" only names the source of a figure. */
function namesSource(tokens: readonly Token[], at: number): boolean {
  const end = tokens.findIndex((token, place) => place > at && hasCommaBefore(token));
  const named = tokens.slice(at + 1, end < 0 ? tokens.length : end);
  return named.some(isSource) && !named.some(({ word }) => PRELIMINARY.has(word.text));
}

const isSource = ({ word }: Token): boolean => SOURCES.has(word.text);

/** Whether the sayer has first-hand knowledge: "reports say", "the committee said", or a person speaking of themselves. */
function isKnownToSayer(before: readonly Token[], at: number): boolean {
  const place = before.findLastIndex(({ word }, other) => other < at && !BESIDE_VERB.has(word.text));
  const sayer = before[place];
  if (!sayer) return false;
  const from = before.findLastIndex((token, other) => other <= place && hasCommaBefore(token));
  if (isSource(sayer)) return !before.slice(Math.max(0, from), place).some(({ word }) => PRELIMINARY.has(word.text));
  return isNameWord(sayer) && isOfSayer(before, at);
}

/** Whether the sayer speaks of themselves: "Ada said in an interview that she left". */
export function isOfSayer(tokens: readonly Token[], at: number): boolean {
  const told = tokens.findIndex(({ word }, place) => place > at && word.text === 'that');
  return FORMS_OF_SAY.has(textAt(tokens, at)) && SUBJECT_PRONOUNS_AND_POSSESSIVES.has(textAt(tokens, (told < 0 ? at : told) + 1));
}
