import { sameName } from './alignment';
import { datesConflict, datesOf, type PartialDate } from './dates';
import { nationalitiesConflict, nationalityOf } from './nationality';
import { placesConflict } from './places';
import type { Reading } from './reading';

/** What one sentence says of a named subject that has but one value: when and where a life began and ended, and of what nation it is. */
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
/** The event ends where another begins. */
const END_OF_EVENT = /[;()]|\b(?:and|who|which|where|when|to|as|is|was|has|had|began|made|after|before|from|aged|at the age)\b/;
const LIFESPAN = /^[^()]*\(([^()]*?)\s*(?:–|—|-|to)\s*([^()]*?)\)/u;
const SHORTEST_LIFE = 15;
const SUFFIXES = new Set(['jr', 'sr', 'ii', 'iii', 'iv']);

const PLACE = String.raw`(\p{Lu}[\p{L}.'’-]*(?:,?\s(?:(?:of|de|da|do|del|la|el|the)\s)?\p{Lu}[\p{L}.'’-]*)*)`;
const IN_PLACE = new RegExp(String.raw`\bin\s+(?:the\s+)?(?:(?:village|town|city|district|state|province)\s+of\s+)?${PLACE}`, 'u');
/** A house in a town is no other place than the town. */
const AT_PLACE = new RegExp(
  String.raw`\b(?:at|near)\s+(?!(?:the\s+)?[^,]*(?:Hospital|Clinic|Centre|Center|House|Home|University))(?:the\s+)?${PLACE}`,
  'u',
);

/** Null for a sentence that says nothing of the kind. */
export function lifeFactsOf(reading: Reading): LifeFacts | null {
  const { text, isNegated, roles } = reading;
  const subject = subjectOf(reading);
  if (!subject || isNegated || roles.hedge !== '' || roles.attribution !== '') return null;
  const span = lifespanOf(text, subject.end);
  const facts = {
    subject: subject.parts,
    birth: span?.birth ?? eventAt(text, BORN, subject.end),
    death: span?.death ?? eventAt(text, DIED, subject.end),
    nationalities: nationalityOf(text.slice(subject.end)),
  };
  return facts.birth === NOTHING && facts.death === NOTHING && facts.nationalities.length === 0 ? null : facts;
}

/** One subject with two values: each compared alone, a value that only says less than the other is none. */
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

/** The name that the sentence begins with, unless it goes on with a relative of it. */
function subjectOf({ text, names }: Reading): { parts: ReadonlySet<string>; end: number } | null {
  const [first] = names;
  const [start, end] = [first?.words[0]?.start ?? -1, first?.words.at(-1)?.end ?? 0];
  if (!first || !/^(?:(?:the\s+)?[\p{L}-]*\s*)?$/iu.test(text.slice(0, start)) || KIN.test(text.slice(0, end + 3))) return null;
  return { parts: first.parts, end };
}

/** "(July 7, 1899 – January 24, 1983)" right after the name. */
function lifespanOf(text: string, end: number): { birth: LifeEvent; death: LifeEvent } | null {
  const [, from = '', to = ''] = LIFESPAN.exec(text.slice(end)) ?? [];
  if (text.slice(end).search(/[("]/) > 40) return null;
  const [birth, death] = [datesOf(`in ${from} `)[0], datesOf(`in ${to} `)[0]];
  if (!birth || !death || death.year - birth.year < SHORTEST_LIFE) return null;
  return { birth: { date: birth, place: null }, death: { date: death, place: null } };
}

function eventAt(text: string, event: RegExp, from: number): LifeEvent {
  const match = event.exec(text.slice(from));
  if (!match || KIN.test(text.slice(from + 2, from + match.index))) return NOTHING;
  const told = text.slice(from + match.index + match[0].length);
  const window = told.slice(0, END_OF_EVENT.exec(told)?.index ?? told.length);
  const [date = null] = datesOf(`${window} `);
  const undated = date ? `${window.slice(0, date.start)}${window.slice(date.end)}` : window;
  const place = [IN_PLACE, AT_PLACE].map((form) => form.exec(undated)?.[1]).find((found) => found !== undefined) ?? null;
  return date || place ? { date, place: place?.replace(/[.]$/, '') ?? null } : NOTHING;
}
