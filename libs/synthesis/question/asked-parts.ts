import { BEGINS_QUESTION, QUESTION_WORD } from '@lib/language/reading/function-words';
import { readingOf } from '@lib/language/reading/read-text';
import { kindsAskedIn, withoutAsking, type AskedKind } from './asked-kinds';
import { REQUESTS } from './question-gaps';

/** One part of a question: "how many died" in "What caused the fire, and how many died?". */
export interface AskedPart {
  /** Worded as in the question. */
  text: string;
  /** The kinds of answers it asks for; empty if only its words tell. */
  kinds: readonly AskedKind[];
  /** Stems of its content words, without words that only ask and without names and numbers, which concern the whole question. */
  stems: ReadonlySet<string>;
}

/** Separates a further question: ", and what", "and is it". After a colon comes a question about the things before it. */
const FURTHER = new RegExp(
  String.raw`(?:\s*[;:?]+\s*(?:and\s+|or\s+)?|\s*,\s*(?:and\s+|or\s+|but\s+)?|\s+(?:and|or)\s+)(?:also\s+)?(?=${BEGINS_QUESTION}\b)`,
  'giu',
);
const ASKS_SOMETHING = new RegExp(
  String.raw`\b(?:${QUESTION_WORD}|is|are|was|were|do|does|did|has|have|can|could|should|will|would)\b`,
  'iu',
);
/** Aspects to compare, as in "How do they compare in speed, safety and price?" */
const ASPECTS = /\b(?:compar|differ)\w*\b.{0,60}?\b(?:in|on|regarding|in terms of|with regard to)\s+(?<aspects>[^?;:]+)$/iu;
const BETWEEN_ASPECTS = /\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/u;
const AT_END = /[?.!\s]+$/u;
/** In UTF-16 units. A longer question tells a story, and dividing it takes time quadratic in its length. */
const MAX_LENGTH = 1000;
const MAX_PARTS = 8;

/** The parts of a question, in order: a single one if it asks one thing, none if it is too long to be divided. */
export function askedPartsOf(query: string): AskedPart[] {
  if (query.length > MAX_LENGTH) return [];
  const topic = new Set(
    readingOf(query).tokens.flatMap(({ word, isCapitalised, start }) => ((isCapitalised && start > 0) || word.hasDigit ? word.stem : [])),
  );
  const texts = questionsIn(query).flatMap(aspectsIn).slice(0, MAX_PARTS);
  return texts.map((text) => {
    const kinds = kindsAskedIn(text);
    const own = readingOf(withoutAsking(text, kinds)).tokens.filter(
      ({ word }) => !word.isStopWord && !topic.has(word.stem) && !REQUESTS.has(word.text),
    );
    return { text, kinds, stems: new Set(own.map(({ word }) => word.stem)) };
  });
}

/** Only divides after a part that asks something: not at the colon of "PostgreSQL or MySQL: which is faster". */
function questionsIn(query: string): string[] {
  const cuts = [...query.matchAll(FURTHER)].filter(({ index }) => ASKS_SOMETHING.test(query.slice(0, index)));
  const begins = [0, ...cuts.map(({ index, 0: separator }) => index + separator.length)];
  const ends = [...cuts.map(({ index }) => index), query.length];
  return begins.map((begin, at) => query.slice(begin, ends[at]).replace(AT_END, ''));
}

const aspectsIn = (question: string): string[] => ASPECTS.exec(question)?.groups?.['aspects']?.split(BETWEEN_ASPECTS) ?? [question];
