import { areTheSame } from '@lib/language/sets';
import type { Statement } from './statement';
import type { Heading, Headings } from '../subject/heading';

/**
 * Learns which headings surely name something: those below which a report says the same sentence with other figures, such as "The usual dose is
 * 500 mg" below "Aspirin" and "The usual dose is 400 mg" below "Ibuprofen".
 */
export function holdHeadingsApart(statements: readonly Statement[]): void {
  const withFigures = statements.filter(({ headings, reading, isOfTable }) => headings !== null && reading.numbers.size > 0 && !isOfTable);
  for (const alike of Map.groupBy(withFigures, wordsWithoutFigures).values()) {
    const [first, ...others] = alike;
    for (const other of others)
      if (first && !areTheSame(first.reading.numbers, other.reading.numbers)) tellApart(first.headings, other.headings);
  }
}

const wordsWithoutFigures = ({ reading: { tokens } }: Statement): string =>
  tokens.flatMap(({ word }) => (word.hasDigit ? [] : [word.stem])).join(' ');

function tellApart(one: Headings | null, other: Headings | null): void {
  const [mine, theirs] = [namesOnlyIn(one, other), namesOnlyIn(other, one)];
  if (mine.length > 0 && theirs.length > 0) for (const level of [...mine, ...theirs]) level.isSure = true;
}

const namesOnlyIn = (one: Headings | null, other: Headings | null): readonly Heading[] =>
  one?.names.filter(({ key }) => !other?.levels.some((level) => level.key === key)) ?? [];
