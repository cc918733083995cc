import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { SourceNumbering } from '../citations';
import type { Claim } from '../claims/claim-table';
import type { Statement } from '../statement/statement';
import { counted, marks, providerList, quoted, section } from './wording';

const MAX_OPPONENTS = 3;

/** What two sides differ in, for a reader. */
export const CUE_NAMES: Readonly<Record<ContradictionCue, string>> = {
  polarity: 'whether it holds',
  quantity: 'the amount',
  direction: 'the direction',
  value: 'the date, name or other value',
};

/**
 * The table of disputes: both sides in their own words with their sources, and in what they differ. A pair of opposing sentences is
 * shown once, though it makes two claims. Nothing is reconciled.
 */
export function disputedSection(disputed: readonly Claim[], mostRows: number, sources: SourceNumbering): string[] {
  const shown = new Set<Statement>();
  const pairs = disputed.flatMap((claim) => {
    if (claim.supporting.some((statement) => shown.has(statement))) return [];
    for (const statement of claim.contradicting) shown.add(statement);
    return claim.contradicting.slice(0, MAX_OPPONENTS).map((opponent) => ({ claim, opponent }));
  });
  const rows = pairs.slice(0, mostRows).map(({ claim: { text, supporting, cues }, opponent }) => {
    const cue = cues.get(opponent);
    const sides = [side(text, supporting, sources), side(opponent.text, [opponent], sources)];
    return `| ${[...sides, cue ? CUE_NAMES[cue] : ''].join(' | ')} |`;
  });
  const more = pairs.length - rows.length;
  const note = more > 0 ? ['', `${counted(more, 'more dispute')}: see the list of claims.`] : [];
  return section(
    '## Disputed',
    rows.length === 0 ? [] : ['| One side | The other side | They differ in |', '| --- | --- | --- |', ...rows, ...note],
  );
}

const side = (text: string, statements: readonly Statement[], sources: SourceNumbering): string =>
  `“${quoted(text)}”${marks(statements, sources)} (${providerList(statements)})`;
