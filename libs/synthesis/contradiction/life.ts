import { sameName } from '@lib/language/reading/names';
import { datesConflict } from '@lib/language/reading/dates';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import { nationalitiesConflict, nationalityOf } from './nationality';
import { placesConflict } from '../difference/places';

/** Facts in a sentence that have only one value for the person named: place and date of birth and death, and nationality. */
export interface LifeFacts {
  /** Lower-cased parts of the name. */
  subject: ReadonlySet<string>;
  birth: LifeEvent;
  death: LifeEvent;
  nationalities: readonly string[];
}

interface LifeEvent {
  date: PartialDate | null;
  place: string | null;
}

const NOTHING: LifeEvent = { date: null, place: null };
const KIN =
  /\b(?:mother|father|parents?|brother|sister|siblings?|son|daughter|wife|husband|child|children|twins?|uncle|aunt|cousin|grandson|nephew|niece|family|widow)\b|['’]s?\s+\p{L}/iu;
const BORN = /\bborn\b(?![- ](?:to|into|again|and\s))/i;
const DIED = /\b(?:died|passed away|dies)\b/i;
/** The text about the event ends at one of these. */
const END_OF_EVENT = /[;()]|\b(?:and|who|which|where|when|to|as|is|was|has|had|began|made|after|before|from|aged|at the age)\b/;
const LIFESPAN = /^[^()]*\([^()]*?\s*(?:–|—|-|to)\s*[^()]*?\)/u;
const MIN_LIFE_YEARS = 15;
/** Most characters between a name and the dates in brackets. */
const MAX_TITLE_LENGTH = 40;
const SUFFIXES = new Set(['jr', 'sr', 'ii', 'iii', 'iv']);

const PLACE = String.raw`(\p{Lu}[\p{L}.'’-]*(?:,?\s(?:(?:of|de|da|do|del|la|el|the)\s)?\p{Lu}[\p{L}.'’-]*)*)`;
const IN_PLACE = new RegExp(String.raw`\bin\s+(?:the\s+)?(?:(?:village|town|city|district|state|province)\s+of\s+)?${PLACE}`, 'u');
/** Institutions are left out, since a house in a town is not a different place from the town. */
const AT_PLACE = new RegExp(
  String.raw`\b(?:at|near)\s+(?!(?:the\s+)?[^,]*(?:Hospital|Clinic|Centre|Center|House|Home|University))(?:the\s+)?${PLACE}`,
  'u',
);

/** Null for a sentence without such facts. */
export function lifeFactsOf(reading: Reading): LifeFacts | null {
  const { text, polarity, effects } = reading;
  const subject = subjectOf(reading);
  if (!subject || polarity.isNegated || effects.hedge !== '' || effects.attribution !== '') return null;
  const span = lifespanOf(reading, subject.end);
  const facts = {
    subject: subject.parts,
    birth: span?.birth ?? eventAt(reading, BORN, subject.end),
    death: span?.death ?? eventAt(reading, DIED, subject.end),
    nationalities: nationalityOf(text.slice(subject.end)),
  };
  return facts.birth === NOTHING && facts.death === NOTHING && facts.nationalities.length === 0 ? null : facts;
}

/** Whether two sentences give one person different values. Each fact is compared alone, and a less precise value is not a different one. */
export function lifeFactsConflict(one: LifeFacts, other: LifeFacts): boolean {
  if (!isSamePerson(one.subject, other.subject)) return false;
  if (eventsConflict(one.birth, other.birth) || eventsConflict(one.death, other.death)) return true;
  return nationalitiesConflict(one.nationalities, other.nationalities);
}

function isSamePerson(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const suffixes = (name: ReadonlySet<string>): string => [...name].filter((part) => SUFFIXES.has(part)).join();
  return sameName(one, other) && suffixes(one) === suffixes(other);
}

function eventsConflict(one: LifeEvent, other: LifeEvent): boolean {
  if (one.date && other.date && datesConflict(one.date, other.date)) return true;
  return one.place !== null && other.place !== null && placesConflict(one.place, other.place);
}

/** The name at the beginning of the sentence, unless the sentence is about a relative of that person. */
function subjectOf({ text, names }: Reading): { parts: ReadonlySet<string>; end: number } | null {
  const [first] = names;
  const [start, end] = [first?.tokens[0]?.start ?? -1, first?.tokens.at(-1)?.end ?? 0];
  if (!first || !/^(?:(?:the\s+)?[\p{L}-]*\s*)?$/iu.test(text.slice(0, start)) || KIN.test(text.slice(0, end + 3))) return null;
  return { parts: first.parts, end };
}

/** Dates such as "(July 7, 1899 – January 24, 1983)" right after the name. */
function lifespanOf(reading: Reading, end: number): { birth: LifeEvent; death: LifeEvent } | null {
  const after = reading.text.slice(end);
  const span = LIFESPAN.exec(after);
  if (!span || after.search(/[("]/) > MAX_TITLE_LENGTH) return null;
  const [birth, death] = datesWithin(reading, end, end + span[0].length).map(({ date }) => date);
  if (!birth || !death || death.year - birth.year < MIN_LIFE_YEARS) return null;
  return { birth: { date: birth, place: null }, death: { date: death, place: null } };
}

function eventAt(reading: Reading, event: RegExp, from: number): LifeEvent {
  const { text } = reading;
  const match = event.exec(text.slice(from));
  if (!match || KIN.test(text.slice(from + 2, from + match.index))) return NOTHING;
  const start = from + match.index + match[0].length;
  const end = start + (END_OF_EVENT.exec(text.slice(start))?.index ?? text.length);
  const [dated] = datesWithin(reading, start, end);
  const undated = dated ? `${text.slice(start, dated.start)}${text.slice(dated.end, end)}` : text.slice(start, end);
  const place = [IN_PLACE, AT_PLACE].map((form) => form.exec(undated)?.[1]).find((found) => found !== undefined) ?? null;
  const date = dated?.date ?? null;
  return date || place ? { date, place: place?.replace(/[.]$/, '') ?? null } : NOTHING;
}

/** The dates between two offsets of the text, with the offsets of each. */
function datesWithin({ tokens, dates }: Reading, from: number, to: number): { date: PartialDate; start: number; end: number }[] {
  return dates
    .map((date) => ({ date, start: tokens[date.from]?.start ?? 0, end: tokens[date.to - 1]?.end ?? 0 }))
    .filter(({ start, end }) => start >= from && end <= to);
}
