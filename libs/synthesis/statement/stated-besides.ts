import { ARTICLES } from '@lib/language/reading/articles';
import { CLOSING, COMMA, DASH, OPENING, SEMICOLON } from '@lib/language/reading/characters';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { placeInQuote, type PlainQuote } from '../sentences/citation-marks';
import type { Quote } from '../sentences/quotes';
import { personIn } from '../subject/person-name';
import { takeApart } from './clause-statements';
import { closed } from './clause-text';
import type { Found } from './read-sentence';
import { statementFrom, type ReadReport, type ReadSentence, type Statement } from './statement';

const RELATIVE_SUBJECTS = new Set('who which that'.split(' '));
/** Plausible lengths of a life in years. */
const MIN_LIFE_YEARS = 15;
const MAX_LIFE_YEARS = 115;
const MIN_WORDS = 3;

/** Words from `from` to `to`, exclusive, that state something additional, and what to put before them. */
interface Aside {
  /** The name that it is about, and linking words that the sentence lacks: "was born on". */
  name: Reading;
  inserted: string;
  from: number;
  to: number;
}

/** Divides a sentence into its clauses and its additional statements. */
export function takeWhollyApart(statement: Statement, sentence: ReadSentence, report: ReadReport): void {
  takeApart(statement, sentence, report);
  const besides = statedBesides(sentence, statement, report).flatMap(partsOf);
  if (besides.length === 0) return;
  statement.clauses = [...partsOf({ ...statement }), ...besides];
  statement.parts = null;
}

const partsOf = (statement: Statement): readonly Statement[] => (statement.clauses.length > 0 ? statement.clauses : [statement]);

/**
 * Statements made in passing, in words that are not a clause. English.
 * - A life in brackets: "Tove Jansson (9 August 1914 – 27 June 2001) was …".
 * - A description of a person named: "tied to Alfred Wegener, a scientist born in Berlin".
 */
function statedBesides(sentence: ReadSentence, whole: Statement, report: ReadReport): Statement[] {
  if (sentence.quote.cells || sentence.reading.text !== sentence.plain.text) return [];
  return [...livesIn(sentence, report), ...descriptionsIn(sentence, report)].map((aside) =>
    statementOfAside(aside, sentence, whole, report),
  );
}

function livesIn({ reading, reference }: ReadSentence, { subjects }: ReadReport): Aside[] {
  const { tokens, dates } = reading;
  const { subject, insert, at, to } = reference;
  if (!subject || insert || ((tokens[to]?.before ?? 0) & OPENING) === 0) return [];
  const name = personIn(reading, at, to, true);
  if (!name || !subjects.isSurelyPerson(name)) return [];
  const [birth, death] = dates;
  if (!birth || !death || birth.from !== to || death.from !== birth.to || !isSure(birth) || !isSure(death)) return [];
  const years = death.year - birth.year;
  if (((tokens[death.from]?.before ?? 0) & DASH) === 0 || ((tokens[death.to]?.before ?? 0) & CLOSING) === 0) return [];
  if (years < MIN_LIFE_YEARS || years > MAX_LIFE_YEARS) return [];
  return [
    { name, inserted: `was born ${preposition(birth)}`, from: birth.from, to: birth.to },
    { name, inserted: `died ${preposition(death)}`, from: death.from, to: death.to },
  ];
}

const isSure = ({ isApproximate, years }: PartialDate): boolean => !isApproximate && years === 1;
const preposition = ({ day }: PartialDate): string => (day === null ? 'in' : 'on');

function descriptionsIn({ reading, reference }: ReadSentence, { subjects }: ReadReport): Aside[] {
  const { tokens, tense } = reading;
  const asides: Aside[] = [];
  // Before the subject is known, a comma may end an introduction: "Through Ada Lund, the society helps".
  if (reference.subject === null) return asides;
  for (let at = reference.to + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || !hasCommaBefore(token) || !ARTICLES.has(token.word.text)) continue;
    let begin = at;
    while (begin > reference.to && tokens[begin - 1]?.isCapitalised && (begin === at || !hasCommaBefore(tokens[begin]))) begin -= 1;
    const name = at - begin > 1 ? personIn(reading, begin, at, true) : null;
    const end = tokens.findIndex(({ before }, place) => place > at && (before & (COMMA | SEMICOLON)) !== 0);
    const to = end < 0 ? tokens.length : end;
    if (!name || !subjects.isSurelyPerson(name) || to - at < MIN_WORDS || !isDescription(tokens, at, to)) continue;
    asides.push({ name, inserted: tense === 'past' ? 'was' : 'is', from: at, to });
  }
  return asides;
}

/**
 * Whether the words are a description such as "a scientist who drew maps", not the next item of a list or the subject of a verb: "the society helps",
 * "a son, and a daughter".
 */
function isDescription(tokens: readonly Token[], from: number, to: number): boolean {
  if (tokens[to]?.word.text === 'and') return false;
  const verb = tokens.findIndex((_, at) => at > from && at < to && isFiniteVerbAt(tokens, at));
  return verb < 0 || RELATIVE_SUBJECTS.has(textAt(tokens, verb - 1));
}

function statementOfAside({ name, inserted, from, to }: Aside, sentence: ReadSentence, whole: Statement, report: ReadReport): Statement {
  const { quote, plain, reading } = sentence;
  const { tokens } = reading;
  const [start, last] = [tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0];
  const begin = placeInQuote(plain, start, quote.text);
  const end = to === tokens.length ? quote.text.length : placeInQuote(plain, last, quote.text);
  const said = closed(plain.text.slice(start, last));
  const lead = `${name.text} ${inserted} `;
  const own: Quote = { ...quote, text: quote.text.slice(begin, end), start: quote.start + begin };
  const text: PlainQuote = {
    text: lead + said,
    stretches: [
      { at: 0, place: 0 },
      { at: lead.length, place: 0 },
    ],
    marks: [],
  };
  const read = report.sentences.read(text.text);
  const found: Found = { quote: own, plain: text, read, reading: read.reading };
  const reference = { subject: name, insert: null, at: 0, to: name.tokens.length, start: 0, end: name.text.length };
  const part: ReadSentence = { ...sentence, ...found, reference, before: null, namesNothing: false, isUnknown: false };
  const { citationIndexes } = whole;
  const statement = statementFrom(
    { from: 0, end: own.text.length, citationIndexes, text: `[${name.text} ${inserted}] ${said}`, reading: found.reading },
    part,
    report,
    whole.wording,
  );
  takeApart(statement, part, report);
  for (const clause of statement.clauses) {
    clause.citationIndexes = citationIndexes;
    clause.witnesses = statement.witnesses;
  }
  return statement;
}
