import { namesWhich } from '../subject/heading';
import { replacing } from '@lib/language/reading/parts';
import { hasIdentifier, isBare, leavesOpenWhich, namesNothing, NO_REFERENCE, withSubject, type Referred } from '../subject/reference';
import type { ReadReport, ReadSentence, Said } from './statement';

/** A sentence of a report, or a part that could be a sentence of its own. */
export type Found = Pick<ReadSentence, 'quote' | 'plain' | 'read' | 'reading'>;

/** Adds the subject of a sentence, or otherwise the context that may tell it. */
export function referring(
  found: Found,
  { reference, isOnTopic: isBehindTopic, mayBeOther }: Referred,
  report: ReadReport,
  spokenOf: string | null,
): ReadSentence & { isOpen: boolean } {
  const headings = report.headings.over(found.quote.above);
  const isPlaced = headings !== null && namesWhich(headings);
  const mayBeAsked = (): boolean => found.reading.tokens.some(({ word }) => report.asked.has(word.stem));
  const isNameless = reference !== null && found.quote.cells === null && namesNothing(found.reading, reference) && !mayBeAsked();
  const isOpen = isNameless || (reference !== null && leavesOpenWhich(reference));
  const before = isOpen ? spokenOf : null;
  const isAny =
    isOpen && before === null && (isNameless || (isBare(found.reading, reference) && !mayBeAsked())) && !hasIdentifier(found.reading);
  const isOnTopic = isAny && isBehindTopic;
  const saysNothing = isNameless || (isOnTopic && found.reading.numbers.size === 0);
  const isUnknown = (isAny && !isOnTopic) || (isOpen && mayBeOther);
  const { quote, plain, read, reading } = found;
  // Properties one by one, because spreading an object for every sentence would cost twenty times as much.
  return {
    quote,
    plain,
    read,
    reading,
    reference: reference ?? NO_REFERENCE,
    before,
    context: spokenOf,
    headings,
    namesNothing: saysNothing && !isPlaced,
    isUnknown: isUnknown && !isPlaced,
    isOpen,
  };
}

export function saidIn({ quote, plain, reading, reference }: ReadSentence, { reader }: ReadReport): Said {
  const end = quote.text.length;
  return {
    from: 0,
    end,
    citationIndexes: reader.citationsIn(plain, quote.start, 0, end),
    text: quote.cells ? reading.text : withSubject(plain.text, reference),
    reading: reference.insert ? replacing(reading, reference.at, reference.insert) : reading,
  };
}
