import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isNameWord, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { boundOf } from '../difference/values';
import { isBreak, named, played, UNDER, type StatedRole } from './stated-role';

/** The roles of persons that a word introduces: a teacher, an origin, an office, a cause of death. */
export function rolesAt(reading: Reading, at: number): StatedRole[] {
  const { text } = reading.tokens[at]?.word ?? { text: '' };
  if (FINITE_FORMS_OF_BE.has(text)) return roleOfSubject(reading, at);
  if (text === UNDER) return teacherAt(reading, at);
  if (DIED.has(text)) return causeOfDeath(reading, at);
  const origin = COMING.has(text) ? originAt(reading, at) : [];
  if (origin.length > 0) return origin;
  return HOLDING.has(text) ? holderAt(reading, at) : [];
}

/** The holder of a share: "Nets make up 46 % of it", "Ulm came first with 36 %". */
function holderAt(reading: Reading, at: number): StatedRole[] {
  const { tokens, amounts } = reading;
  const share = amounts.find(({ unit, from }) => unit === 'share' && from > at && from - at <= MAX_BEFORE_SHARE);
  const isHolder = (token: Token | undefined): boolean => token !== undefined && isContentWord(token);
  let from = at;
  while (at - from < MAX_HOLDER_WORDS && !isBreak(tokens[from]) && isHolder(tokens[from - 1])) from -= 1;
  return share && from < at ? played(reading, `holding ${String(boundOf(share))}`, from, at) : [];
}
const HOLDING = new Set(
  'make makes made account accounts accounted represent represents represented constitute constitutes constituted lead leads led came ranked'.split(
    ' ',
  ),
);
const MAX_BEFORE_SHARE = 6;
const MAX_HOLDER_WORDS = 3;

/** Where a person comes from: "joined from Ulm Energy", "formerly of Ulm Energy", "a former Ulm Energy manager". */
function originAt(reading: Reading, at: number): StatedRole[] {
  const { tokens } = reading;
  const [text, next] = [textAt(tokens, at), textAt(tokens, at + 1)];
  const who = reading.names.findLast((name) => name.tokens.every((token) => tokens.indexOf(token) < at))?.tokens ?? [];
  if (who.length === 0) return [];
  if (text !== 'former') return ORIGIN_BEHIND.has(next) ? named(reading, at + 2, ORIGIN, who) : [];
  // As in "the former Ulm Energy manager Jon Rowe".
  const isOfAnother = tokens
    .slice(at + 1, at + MAX_TITLE)
    .some((token, place) => isNameWord(token) && !isNameWord(tokens[at + place]) && place > 0);
  return isNameWord(tokens[at + 1]) && !isOfAnother ? named(reading, at + 1, ORIGIN, who) : [];
}
const ORIGIN = 'coming from';
/** Most words from "former" to the person's name. */
const MAX_TITLE = 6;
const COMING = new Set('joined came hired recruited poached formerly previously former'.split(' '));
const ORIGIN_BEHIND = new Set('from of at with'.split(' '));

/** A teacher: "a doctorate under Alonzo Church", but not "under Alex Ferguson". */
function teacherAt(reading: Reading, at: number): StatedRole[] {
  const isTaught = reading.tokens.some(({ word }) => TAUGHT.has(word.text));
  const isPerson = isNameWord(reading.tokens[at + 1]) && (isNameWord(reading.tokens[at + 2]) || isNameWord(reading.tokens[at + 3]));
  return isTaught && isPerson ? named(reading, at + 1, UNDER, []) : [];
}
const TAUGHT = new Set('doctorate phd thesis degree studied trained painted worked apprenticed'.split(' '));

/** The holder of a role: "The player of the year was Kanté", "Mahrez was the player of the year". */
function roleOfSubject(reading: Reading, at: number): StatedRole[] {
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

/** Null for a role that several may have, and for anything more than a role. */
function roleOf(tokens: readonly Token[]): string | null {
  const telling = tokens.filter(isContentWord);
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
/** In words after "died": "died on 16 April 1958, aged 37, of leukaemia". */
const MAX_BEHIND = 10;

/** Only for a single person: some "patients died of sepsis", and others of something else. */
function causeOfDeath(reading: Reading, at: number): StatedRole[] {
  const { tokens } = reading;
  const isOnePerson = at === 0 || isNameWord(tokens[at - 1]) || /^(?:he|she)$/.test(textAt(tokens, at - 1));
  const of = tokens.findIndex(({ word }, place) => place > at && place <= at + MAX_BEHIND && (word.text === 'of' || word.text === 'from'));
  if (!isOnePerson || of < 0) return [];
  const end = tokens.findIndex((token, place) => place > of && (isBreak(token) || !isContentWord(token)));
  const to = end < 0 ? tokens.length : end;
  const by = tokens.slice(of + 1, to);
  const isCause = by.length > 0 && !by.some(({ word, isCapitalised }) => isCapitalised || word.hasDigit || word.text === 'course');
  return isCause ? played(reading, 'death', of + 1, to) : [];
}
