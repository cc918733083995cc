import { SPACE } from '@lib/language/reading/characters';
import { partOf } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { headOf, isGroup } from './antecedent';
import { isRole } from './person-name';

/** Bodies can act, but are neither passed nor enter into force. */
const BODIES = new Set(
  `parliament legislature assembly senate congress ministry minister court tribunal agency authority commission corporation university department office
bank president union inc ltd plc llc company regulator chamber council bundestag bundesrat knesset duma storting riksdag folketing sejm cortes diet
commons lords`.split(/\s+/),
);
const LAWS = new Set(
  'act law ordinance directive regulation treaty code agreement decree statute convention bill amendment charter'.split(' '),
);
/** These come into force as laws do. A gavel does not. */
const LIKE_LAWS = new Set(
  'measure measures ban bans rule rules reform reforms scheme tax taxes levy programme program policy plan package provision provisions obligation obligations change changes section clause article right deal contract tariff tariffs sanctions text version'.split(
    ' ',
  ),
);
const COMING_INTO_FORCE =
  /^(?:has |had )?(?:(?:entered|came|comes|went|gone|come) into (?:force|effect)|(?:took|takes|taken) effect|(?:is|was|been) (?:in force|enacted|repealed|ratified|codified|promulgated))\b/;
/** Verbs for what a body does with a law. */
const ADOPTING = new Set('adopted passed approved enacted ratified signed voted'.split(' '));
const OF_BODIES = /^(?:(?:has|had|employs) (?:\S+ ){1,2}(?:employees|members|staff)|(?:is|was) (?:headed|chaired|staffed|headquartered))\b/;
/** Verbs for actions of a person or body. */
const ACTS = new Set(
  `imposed appealed announced decided argued claimed refused agreed declined sued ruled appointed voted denied objected filed promised apologised
apologized hired`.split(/\s+/),
);
/** After these, the object may be the next topic. */
const SHOWING = new Set('contained contains had has showed shows revealed found suffered caused introduced included added'.split(' '));
/** After these, the object is as likely the next topic: "Mozilla released Firefox 120. It …". */
const MAKING = new Set(
  `released launched developed introduced published built created unveiled designed produced wrote directed recorded invented discovered opened founded
established acquired bought`.split(/\s+/),
);
const ADDED = new Set('added introduced included removed reported observed'.split(' '));
const MAX_LAW_WORDS = 6;

/** The parts of a sentence that help to find the next sentence's topic. */
export interface SentenceBefore {
  sentence: Reading;
  named: Reading;
  verb: string;
  hasIndefiniteObject: boolean;
}

/** The referent of "it" or "they", given what is said of it: the subject of the sentence before or, if only a law is possible, its object. */
export function sayableOf({ sentence, named, verb, hasIndefiniteObject }: SentenceBefore, said: string): Reading | null {
  const words = said.split(' ');
  const isLaw = named.tokens.some(({ word }) => LAWS.has(word.text));
  if (COMING_INTO_FORCE.test(said)) {
    if (isBody(named) || ADOPTING.has(verb)) return lawIn(sentence, named);
    return isLaw || isNamed(named) || LIKE_LAWS.has(headOf(named.tokens)) ? named : null;
  }
  if (MAKING.has(verb) && hasObject(sentence, named, verb)) return null;
  if (OF_BODIES.test(said)) return isLaw && !isBody(named) ? null : named;
  if (ACTS.has(words[0] ?? '')) return mayAct(named) ? named : null;
  const isPassive = (words[0] === 'was' || words[0] === 'were') && /ed$/.test(words[1] ?? '');
  if (isPassive && hasIndefiniteObject && SHOWING.has(verb)) return null;
  return isAddition(sentence, named) ? null : named;
}

/** Whether a noun or a name follows the verb directly, or after an article. */
function hasObject({ tokens }: Reading, named: Reading, verb: string): boolean {
  const at = tokens.findIndex(({ word, start }) => word.text === verb && start >= (named.tokens.at(-1)?.end ?? 0));
  const next = tokens[at + 1];
  return at >= 0 && next !== undefined && (next.word.verb.isDeterminer || isContentWord(next));
}

/** Whether it contains a name behind its first word. */
const isNamed = ({ tokens }: Reading): boolean => tokens.length === 1 || tokens.some(({ isCapitalised }, at) => isCapitalised && at > 0);

const isBody = ({ tokens }: Reading): boolean =>
  BODIES.has(headOf(tokens)) || isGroup(headOf(tokens)) || BODIES.has(tokens.at(-1)?.word.text ?? '');

/** Whether a subject can act: noise cannot appeal, but anything with a name may. */
function mayAct(named: Reading): boolean {
  const head = headOf(named.tokens);
  if (isBody(named) || isRole(head.replace(/s$/, ''))) return true;
  const end = named.tokens.findIndex(({ word }) => word.text === head);
  const isNamed = named.tokens.some(({ isCapitalised }, at) => isCapitalised && at > 0 && at <= end);
  return isNamed || (named.tokens.length === 1 && !ABSTRACT.test(head));
}

const ABSTRACT = /(?:ments?|tions?|sions?|ances?|ences?|ity|ities|ness|ism|ury|ery)$/;

/** Whether something was added to the real topic: "Encryption was added in 3.1". */
function isAddition({ tokens }: Reading, named: Reading): boolean {
  const last = named.tokens.at(-1);
  const at = tokens.findIndex(({ start }) => start >= (last?.end ?? 0));
  const [copula, participle] = [textAt(tokens, at), textAt(tokens, at + 1)];
  const isBare = named.tokens[0]?.word.isStopWord === false && named.tokens.slice(1).every(({ isCapitalised }) => !isCapitalised);
  return isBare && (copula === 'was' || copula === 'were') && ADDED.has(participle);
}

/** The only law named after the subject of a sentence, with its article. */
function lawIn(sentence: Reading, named: Reading): Reading | null {
  const { tokens } = sentence;
  const after = tokens.findIndex(({ start }) => start >= (named.tokens.at(-1)?.end ?? 0));
  const laws = tokens.flatMap(({ word }, at) => (at > after && LAWS.has(word.text) ? [at] : []));
  const [law] = laws;
  if (law === undefined || laws.length > 1) return null;
  for (let at = law - 1; at >= Math.max(after, law - MAX_LAW_WORDS); at -= 1) {
    if (!isWithin(tokens, at + 1)) return null;
    if (tokens[at]?.word.text === 'the') return capitalised(partOf(sentence, at, law + 1));
  }
  return null;
}

const capitalised = ({ text, tokens }: Reading): Reading => new Reading(text.charAt(0).toUpperCase() + text.slice(1), tokens);

const isWithin = (tokens: readonly Token[], at: number): boolean => tokens[at]?.before === SPACE;
