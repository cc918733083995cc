import { stemOrStopWord } from '@lib/language/reading/lexicon';
import { FINITE_FORMS_OF_BE, FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { COMMA, SEMICOLON, STOP } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isNameWord, tells, type Token } from '@lib/language/reading/token';
import { clausesOf } from '../difference/clauses';
import { isAmong } from '../difference/same-word';
import { areOfOtherTimes } from './values-told';

/** What stands in a part that one alone has: who made a thing, in which language it is written, of what somebody died. */
export interface Played {
  part: string;
  by: readonly Token[];
  /** Where what plays it stands, exclusive of its end. */
  from: number;
  to: number;
}

/** Verbs of what one does, or few together, by their stems; what means the same has one name. */
const DEEDS: ReadonlyMap<string, string> = new Map(
  `make: design build create invent develop construct; find: discover; found: found establish; write: write author compose; show: show; direct: direct; lead: lead head; buy: acquire buy;
kill: kill murder; replace: replace succeed; coin: coin; paint: paint; defeat: defeat beat`
    .split(/[;]\s*/)
    .flatMap((line) => {
      const [name = '', verbs = ''] = line.split(': ');
      return verbs.split(' ').map((verb): [string, string] => [stemOrStopWord(verb), name]);
    }),
);
/** Where one thing is made, or in what. */
const WHERE = new Set('at in'.split(' '));
const AT_ONE_PLACE = new Set('make found write'.split(' '));
/** So many more words both have to tell, beside what plays the part. */
const MIN_SHARED = 2;

/** A claim with the parts that it tells of. */
interface WithParts {
  reading: Reading;
  parts: readonly Played[];
}

/** Whether two claims give one part to different ones: "designed by Turing himself" and "designed by Tommy Flowers", "died of leukaemia" and "of ovarian cancer". */
export const givePartToOthers = (one: WithParts, other: WithParts, asked: Reading): boolean =>
  // Asked first: most claims tell of no part, and a large job asks for twenty thousand pairs.
  one.parts.length > 0 &&
  other.parts.length > 0 &&
  !areOfOtherTimes(one.reading, other.reading) &&
  one.parts.some((mine) => other.parts.some((their) => areOthers(mine, one.reading, their, other.reading, asked)));

function areOthers(mine: Played, one: Reading, their: Played, other: Reading, asked: Reading): boolean {
  if (mine.part !== their.part || mine.by.some((token) => isAmong(token, their.by))) return false;
  const others = beside(other, their);
  const shared = beside(one, mine).filter((token) => !asked.stems.has(token.word.stem) && isAmong(token, others));
  return new Set(shared.map(({ word }) => word.stem)).size >= MIN_SHARED;
}

/** The telling words beside it: who is told to be above somebody is so for that clause alone. */
function beside({ tokens }: Reading, { part, from, to }: Played): Token[] {
  const name = tokens[from];
  const clause = part === UNDER && name ? (clausesOf(tokens).find((words) => words.includes(name)) ?? []) : tokens;
  const by = tokens.slice(from, to);
  return clause.filter((token) => (tells(token) || token.word.hasDigit) && !by.includes(token));
}
const UNDER = 'under';

/** The parts that a sentence tells of. English. */
export function partsIn(reading: Reading): Played[] {
  const { tokens } = reading;
  return tokens.flatMap((token, at): Played[] => {
    const deed = DEEDS.get(token.word.stem);
    if (deed !== undefined && token.word.verb.isPastForm && !token.isCapitalised) return partsOfDeed(reading, at, deed);
    if (FINITE_FORMS_OF_BE.has(token.word.text)) return roleAt(reading, at);
    if (token.word.text === 'under') return named(reading, at + 1, UNDER, 2);
    return DIED.has(token.word.text) ? diedOf(tokens, at) : [];
  });
}

/** "Built by …", "built at …", "… built", "it was … who built". */
function partsOfDeed(reading: Reading, at: number, deed: string): Played[] {
  const { tokens } = reading;
  let next = at + 1;
  // "Designed and built by".
  if (tokens[next]?.word.text === 'and' && isFiniteOrPast(tokens[next + 1])) next += 2;
  const preposition = tokens[next]?.word.text ?? '';
  if (preposition === 'by') return named(reading, next + 1, `${deed} by`, 1);
  if (WHERE.has(preposition) && AT_ONE_PLACE.has(deed)) return named(reading, next + 1, `${deed} ${deed === 'write' ? 'in' : 'at'}`, 1);
  const last = tokens[at - 1]?.word.text === 'who' ? at - 2 : at - 1;
  let from = last + 1;
  while (isNameWord(tokens[from - 1])) from -= 1;
  if (from > last || FORMS_OF_BE.has(tokens[at - 1]?.word.text ?? '')) return [];
  return [{ part: `${deed} by`, by: tokens.slice(from, last + 1), from, to: last + 1 }];
}

/** @param least how many words the name has at least */
function named({ tokens, names }: Reading, start: number, part: string, least: number): Played[] {
  const from = tokens[start]?.word.text === 'the' ? start + 1 : start;
  const name = names.find((run) => run.tokens[0] === tokens[from]);
  const last = name?.tokens.at(-1);
  return !name || !last || name.tokens.length < least ? [] : [{ part, by: name.tokens, from, to: tokens.indexOf(last) + 1 }];
}

/** "The player of the year was Kanté", "Mahrez was the player of the year". */
function roleAt(reading: Reading, at: number): Played[] {
  const { tokens, names } = reading;
  const [article] = tokens;
  const isAt = (place: number, text: string): boolean => tokens[place]?.word.text === text;
  if (at > 2 && article?.word.text === 'the') {
    const role = roleOf(tokens.slice(1, at));
    return role === null ? [] : named(reading, at + 1, role, 1);
  }
  const [first] = names;
  const last = first?.tokens.at(-1);
  if (!first || !last || first.tokens[0] !== article || !isAt(at + 1, 'the')) return [];
  const end = tokens.findIndex(({ before }, place) => place > at + 1 && (before & (COMMA | SEMICOLON | STOP)) !== 0);
  const role = roleOf(tokens.slice(at + 2, end < 0 ? tokens.length : end));
  return role === null ? [] : [{ part: role, by: first.tokens, from: 0, to: tokens.indexOf(last) + 1 }];
}

/** Null for what several can be, or what is more than a role. */
function roleOf(tokens: readonly Token[]): string | null {
  const telling = tokens.filter(tells);
  const isRole = telling.length >= MIN_SHARED && telling.length <= MAX_ROLE_WORDS && !tokens.some(isFiniteOrPast);
  return isRole && !/[^s]s$/.test(telling.at(-1)?.word.text ?? '')
    ? `be ${telling
        .map(({ word }) => word.stem)
        .sort()
        .join(' ')}`
    : null;
}
const MAX_ROLE_WORDS = 5;

const DIED = new Set('die died dies dying'.split(' '));
/** In words behind "died": "died on 16 April 1958, aged 37, of leukaemia". */
const MAX_BEHIND = 10;

function diedOf(tokens: readonly Token[], at: number): Played[] {
  const of = tokens.findIndex(({ word }, place) => place > at && place <= at + MAX_BEHIND && (word.text === 'of' || word.text === 'from'));
  let to = of + 1;
  while (of > 0 && tokens[to] && tells(tokens[to] as Token) && (to === of + 1 || tokens[to]?.before === tokens[of]?.before)) to += 1;
  const by = of < 0 ? [] : tokens.slice(of + 1, to).filter(({ word }) => !word.hasDigit);
  return by.length === 0 || by.some(({ isCapitalised }) => isCapitalised) ? [] : [{ part: 'die of', by, from: of + 1, to }];
}
