import { COMMA, SEMICOLON, STOP } from '@lib/language/reading/characters';
import { FINITE_FORMS_OF_BE, FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { stemOrStopWord } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isNameWord, tells, type Token } from '@lib/language/reading/token';
import { clausesOf } from './clauses';
import { countShared, isAmong } from '../alignment/same-word';
import { areOfOtherTimes } from './values-told';

/**
 * A role that one alone plays, with who or what plays it: who made a thing, at which firm it was made, of what somebody died. In any wording; of two
 * that are nearly the same `difference/fillers.ts` tells more.
 */
export interface RoleTold {
  role: string;
  by: readonly Token[];
  /** The telling words of what the deed is done to; empty where the role is of no deed. */
  object: readonly Token[];
  /** The telling words beside it. */
  beside: readonly Token[];
}

/** Verbs of what one does, or few together, by their stems; what means the same has one name. */
const DEEDS: ReadonlyMap<string, string> = new Map(
  `creation: make design build create invent develop construct; discovery: discover; founding: found; writing: write author compose; showing: show;
purchase: acquire buy; killing: kill murder; replacing: replace succeed; coining: coin; painting: paint; beating: defeat beat`
    .split(/[;]\s*/)
    .flatMap((line) => {
      const [name = '', verbs = ''] = line.split(': ');
      return verbs.split(' ').map((verb): [string, string] => [stemOrStopWord(verb), name]);
    }),
);
/** Also a form of "find". */
const UNSURE = 'found';
/** Behind the verb, what is done is that something is so. */
const TELLING_THAT = new Set('that to how why whether what'.split(' '));
const [CREATION, FOUNDING, WRITING] = ['creation', 'founding', 'writing'];
/** So many more words both have to tell, beside what plays the role. */
const MIN_SHARED = 2;
/** Of a row of many deeds no more are looked at. */
const MAX_ROLES = 6;

/** A claim with the roles that it tells of. */
interface WithRoles {
  reading: Reading;
  roles: readonly RoleTold[];
}

/** Whether two claims give one role to different ones: "designed by Turing himself" and "designed by Tommy Flowers", "died of leukaemia" and "of ovarian cancer". */
export const giveRoleToOthers = (one: WithRoles, other: WithRoles, asked: Reading): boolean =>
  // Asked first: most claims tell of no role, and a large job asks for twenty thousand pairs.
  one.roles.length > 0 &&
  other.roles.length > 0 &&
  !areOfOtherTimes(one.reading, other.reading) &&
  one.roles.some((mine) => other.roles.some((their) => areOthers(mine, their, asked)));

function areOthers(mine: RoleTold, their: RoleTold, asked: Reading): boolean {
  if (mine.role !== their.role || mine.by.some((token) => isAmong(token, their.by))) return false;
  const [less, more] = mine.object.length <= their.object.length ? [mine, their] : [their, mine];
  if (!less.object.every((token) => isAmong(token, more.object))) return false;
  return countShared(mine.beside, their.beside, asked) >= MIN_SHARED;
}

/** The roles that a sentence tells of. English. */
export function rolesIn(reading: Reading): readonly RoleTold[] {
  const roles: RoleTold[] = [];
  for (const [at, { word, isCapitalised }] of reading.tokens.entries()) {
    const deed = isCapitalised || !word.verb.isPastForm || word.text === UNSURE ? undefined : DEEDS.get(word.stem);
    if (deed !== undefined) roles.push(...rolesOfDeed(reading, at, deed));
    else if (FINITE_FORMS_OF_BE.has(word.text)) roles.push(...roleOfSubject(reading, at));
    else if (word.text === 'under') roles.push(...teacherAt(reading, at));
    else if (DIED.has(word.text)) roles.push(...causeOfDeath(reading, at));
    if (roles.length >= MAX_ROLES) break;
  }
  return roles;
}

/** "Built by …", "built at …", "… built", "it was … who built". */
function rolesOfDeed(reading: Reading, at: number, deed: string): RoleTold[] {
  const { tokens } = reading;
  let next = at + 1;
  // "Designed and built by".
  if (tokens[next]?.word.text === 'and' && isFiniteOrPast(tokens[next + 1])) next += 2;
  const preposition = tokens[next]?.word.text ?? '';
  if (TELLING_THAT.has(preposition)) return [];
  const isPassive = preposition === 'by' || FORMS_OF_BE.has(tokens[at - 1]?.word.text ?? '');
  const object = isPassive ? subjectBefore(tokens, at) : objectBehind(tokens, at + 1);
  if (preposition === 'by') return named(reading, next + 1, `${deed} by`, object);
  if (preposition === 'at' && (deed === CREATION || deed === FOUNDING))
    return named(reading, next + 1, `${deed} at`, subjectBefore(tokens, at));
  if (preposition === 'in' && deed === WRITING) return named(reading, next + 1, `${deed} in`, subjectBefore(tokens, at));
  const last = tokens[at - 1]?.word.text === 'who' ? at - 2 : at - 1;
  let from = last + 1;
  while (isNameWord(tokens[from - 1])) from -= 1;
  return from > last || isPassive || object.length === 0 ? [] : played(reading, `${deed} by`, from, last + 1, object);
}

const isBreak = (token: Token | undefined): boolean => token === undefined || (token.before & (COMMA | SEMICOLON | STOP)) !== 0;

/** "The oak tower of Tolm" of "the oak tower of Tolm was built". */
function subjectBefore(tokens: readonly Token[], at: number): Token[] {
  let from = at - 1;
  while (from > 0 && !isBreak(tokens[from])) from -= 1;
  return tokens.slice(Math.max(from, 0), at).filter((token) => tells(token) && !isFiniteOrPast(token));
}

/** "The oak tower" of "built the oak tower in 1911". */
function objectBehind(tokens: readonly Token[], from: number): Token[] {
  let to = from;
  while (!(to > from && isBreak(tokens[to])) && tokens[to] && !PREPOSITIONS.has(tokens[to]?.word.text ?? '')) to += 1;
  return tokens.slice(from, to).filter((token) => tells(token) || token.word.isAmount || OF_ORDER.has(token.word.text));
}
const OF_ORDER = new Set('first last second third'.split(' '));
const PREPOSITIONS = new Set(
  'in on at for from to with without after before during by as and but while of into near under over who which that'.split(' '),
);

const named = (reading: Reading, start: number, role: string, object: readonly Token[]): RoleTold[] => {
  const from = reading.tokens[start]?.word.text === 'the' ? start + 1 : start;
  const name = reading.names.find((run) => run.tokens[0] === reading.tokens[from]);
  const last = name?.tokens.at(-1);
  return last ? played(reading, role, from, reading.tokens.indexOf(last) + 1, object) : [];
};

/** Nothing where it is played together with others: "Smith and Jones". */
function played({ tokens }: Reading, role: string, from: number, to: number, object: readonly Token[] = []): RoleTold[] {
  const [before, behind] = [tokens[from - 1]?.word.text, tokens[to]?.word.text];
  if (before === 'and' || before === 'or' || behind === 'and' || behind === 'or') return [];
  if (isNameWord(tokens[to]) || (from > 0 && isBreak(tokens[from]) && isNameWord(tokens[from - 1]))) return [];
  const by = tokens.slice(from, to);
  const isTeacher = role === UNDER;
  const clause = isTeacher ? (clausesOf(tokens).find((words) => words.some((word) => word === by[0])) ?? []) : tokens;
  const beside = clause.filter(
    (token) => (tells(token) || token.word.hasDigit) && !by.includes(token) && (isTeacher || !DEEDS.has(token.word.stem)),
  );
  return [{ role, by, object, beside }];
}

/** "A doctorate under Alonzo Church", and not "under Alex Ferguson". */
function teacherAt(reading: Reading, at: number): RoleTold[] {
  const isTaught = reading.tokens.some(({ word }) => TAUGHT.has(word.text));
  const isPerson = isNameWord(reading.tokens[at + 1]) && (isNameWord(reading.tokens[at + 2]) || isNameWord(reading.tokens[at + 3]));
  return isTaught && isPerson ? named(reading, at + 1, UNDER, []) : [];
}
const UNDER = 'under';
const TAUGHT = new Set('doctorate phd thesis degree studied trained painted worked apprenticed'.split(' '));

/** "The player of the year was Kanté", "Mahrez was the player of the year". */
function roleOfSubject(reading: Reading, at: number): RoleTold[] {
  const { tokens, names } = reading;
  const [article] = tokens;
  if (at > 2 && article?.word.text === 'the') {
    const role = roleOf(tokens.slice(1, at));
    return role === null ? [] : named(reading, at + 1, role, []);
  }
  const [first] = names;
  const last = first?.tokens.at(-1);
  if (!first || !last || first.tokens[0] !== article || tokens[at + 1]?.word.text !== 'the') return [];
  const end = tokens.findIndex((token, place) => place > at + 1 && isBreak(token));
  const role = roleOf(tokens.slice(at + 2, end < 0 ? tokens.length : end));
  return role === null ? [] : played(reading, role, 0, tokens.indexOf(last) + 1);
}

/** Null for what several can be, or what is more than a role. */
function roleOf(tokens: readonly Token[]): string | null {
  const telling = tokens.filter(tells);
  const isRole = telling.length >= MIN_ROLE_WORDS && telling.length <= MAX_ROLE_WORDS && !tokens.some(isFiniteOrPast);
  if (!isRole || /[^s]s$/.test(telling.at(-1)?.word.text ?? '')) return null;
  return `be ${telling
    .map(({ word }) => word.stem)
    .sort()
    .join(' ')}`;
}
const MIN_ROLE_WORDS = 2;
const MAX_ROLE_WORDS = 5;

const DIED = new Set('die died dies'.split(' '));
/** In words behind "died": "died on 16 April 1958, aged 37, of leukaemia". */
const MAX_BEHIND = 10;

/** Of one person alone: "patients died of sepsis", and others of something else. */
function causeOfDeath(reading: Reading, at: number): RoleTold[] {
  const { tokens } = reading;
  const isOnePerson = at === 0 || isNameWord(tokens[at - 1]) || /^(?:he|she)$/.test(tokens[at - 1]?.word.text ?? '');
  const of = tokens.findIndex(({ word }, place) => place > at && place <= at + MAX_BEHIND && (word.text === 'of' || word.text === 'from'));
  if (!isOnePerson || of < 0) return [];
  const end = tokens.findIndex((token, place) => place > of && (isBreak(token) || !tells(token)));
  const to = end < 0 ? tokens.length : end;
  const by = tokens.slice(of + 1, to);
  const isCause = by.length > 0 && !by.some(({ word, isCapitalised }) => isCapitalised || word.hasDigit || word.text === 'course');
  return isCause ? played(reading, 'death', of + 1, to) : [];
}
