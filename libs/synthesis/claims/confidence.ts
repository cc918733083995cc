import type { Confidence } from '@lib/domain/vocabulary';
import type { Reading } from '@lib/language/reading/reading';
import type { Statement } from '../statement/statement';
import { isQuoted } from './who-says';

/**
 * How far a claim can be trusted, judged only by who says it and with which sources:
 *
 * - `high`: two or more providers say it, with at least two witnesses, one of them a source or the word of a report that names sources elsewhere, or
 * with three witnesses; nobody contradicts.
 * - `medium`: two or more providers say it with fewer witnesses, or one provider with two; nobody contradicts.
 * - `low`: everything else, and everything that a provider contradicts.
 *
 * Quotations from local documents are `medium`: the text is there word for word, and several engines reading it confirm nothing more.
 *
 * A witness is a source, or the word of a provider that names no source. Sources on the same site, or in the same local document, are one witness
 * (`witnessKey`), so two providers that cite one source are one witness. A provider that repeats another's sentence without a source of its own is no
 * witness. A report without sources therefore makes claims of low confidence until others say the same. What two such reports say is `medium` only if
 * it contains a number, because two models that do not search invent the same professions and awards. A statement about "currently" without a date is
 * one level lower. Measured on labelled facts: `make bench-claims`, docs/confidence.md.
 *
 * Support that only a model asserts never makes a claim `high`. What others say in other words on the same point is added later, once points are
 * known: `confirmedByFigures`.
 *
 * @param claim the statement whose wording the claim uses
 */
export function confidenceOf(
  claim: Statement,
  supporting: readonly Statement[],
  isContradicted: boolean,
  { sourced, inOtherWords }: Trust,
): Confidence {
  if (isContradicted) return 'low';
  if (isQuoted({ supporting })) return 'medium';
  const byAll = confidenceByWitnesses(claim, supporting, sourced);
  const isSeen = (): boolean =>
    confidenceByWitnesses(
      claim,
      supporting.filter((statement) => !inOtherWords.has(statement)),
      sourced,
    ) === 'high';
  const confidence = byAll === 'high' && inOtherWords.size > 0 && !isSeen() ? 'medium' : byAll;
  if (confidence === 'low' || !isSaidToBeSoNow(claim.reading)) return confidence;
  return confidence === 'high' ? 'medium' : 'low';
}

/** What a claim's confidence depends on besides its supporters and opponents. */
export interface Trust {
  /** The steps found by `stepsWithSources`. */
  sourced: ReadonlySet<string>;
  /** Supporting statements that only a model judged to say the same. */
  inOtherWords: ReadonlySet<Statement>;
}

/**
 * The steps whose reports name a source for at least half of their sentences, so their authors searched instead of only remembering. A report with a
 * single source does not count: that source may be the one another provider read, and a sentence without its mark would then be worth more than with
 * it.
 */
export function stepsWithSources(sentences: readonly Statement[]): ReadonlySet<string> {
  const byStep = Map.groupBy(sentences, ({ stepId }) => stepId);
  const searched = [...byStep].filter(([, own]) => {
    const marked = own.filter(({ witnesses }) => witnesses.size > 0);
    return marked.length * 2 >= own.length && new Set(marked.flatMap(({ witnesses }) => [...witnesses])).size > 1;
  });
  return new Set(searched.map(([stepId]) => stepId));
}

function confidenceByWitnesses(claim: Statement, supporting: readonly Statement[], sourced: ReadonlySet<string>): Confidence {
  const [first] = supporting;
  // Most claims rest on one statement, so there is nothing to count.
  if (first && supporting.length === 1) return first.witnesses.size >= 2 ? 'medium' : 'low';
  const counted = withoutCopies(supporting);
  const providers = new Set(counted.map(({ provider }) => provider));
  const sources = new Set<string>();
  for (const { witnesses } of counted) for (const source of witnesses) sources.add(source);
  const naming = new Set(counted.filter(({ witnesses }) => witnesses.size > 0).map(({ provider }) => provider));
  const witnesses = sources.size + providers.size - naming.size;
  const isSearchedFor = sources.size > 0 || counted.some(({ stepId }) => sourced.has(stepId));
  if (providers.size >= 2 && witnesses >= 2 && (isSearchedFor || witnesses >= 3)) return 'high';
  if (providers.size < 2 && witnesses < 2) return 'low';
  return isSearchedFor || claim.reading.numbers.size > 0 ? 'medium' : 'low';
}

const NOW = new Set(['currently', 'presently', 'current']);

/** Such a statement may be outdated: things may have changed since the report's sources were written. */
export const isSaidToBeSoNow = ({ tokens, dates }: Reading): boolean => dates.length === 0 && tokens.some(({ word }) => NOW.has(word.text));

/** If several providers write the same sentence, only those count that name a new source. */
function withoutCopies(statements: readonly Statement[]): Statement[] {
  const kept: Statement[] = [];
  for (const statement of statements.toSorted((a, b) => b.witnesses.size - a.witnesses.size)) {
    const first = kept.find(({ wording }) => wording === statement.wording);
    if (!first || first.provider === statement.provider || namesNewSource(statement, kept)) kept.push(statement);
  }
  return kept;
}

function namesNewSource({ wording, witnesses }: Statement, others: readonly Statement[]): boolean {
  for (const source of witnesses) if (!others.some((other) => other.wording === wording && other.witnesses.has(source))) return true;
  return false;
}
