import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { SourceNumbering } from '../citations';
import type { Statement } from '../statement/statement';
import { quotedClaim } from './claim-text';
import type { Dispute, Side } from './disputes';
import type { Outline } from './outline';
import { counted, marks, providerList, section } from './wording';

/** Names of the cues, for a reader. */
export const CUE_NAMES: Readonly<Record<ContradictionCue, string>> = {
  polarity: 'whether it holds',
  quantity: 'the amount',
  direction: 'the direction',
  value: 'the date, name or other value',
};

/**
 * The table of disputes: all sides in their own words with their sources, and what they differ in. Opponents that differ in one thing share a row.
 * Nothing is reconciled.
 */
export function disputedSection({ disputed }: Outline, sources: SourceNumbering): string[] {
  const rows = disputed.flatMap(({ claim: { text, supporting, cues }, opponents }) =>
    [...Map.groupBy(opponents, ([first]) => cues.get(first))].map(([cue, sides]) => {
      const cells = [side(text, supporting, sources), sidesIn(sides, sources), cue ? CUE_NAMES[cue] : ''];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  return section(
    '## Disputed',
    rows.length === 0 ? [] : ['| One side | The other side | They differ in |', '| --- | --- | --- |', ...rows],
  );
}

/** The disputes in the answer: how many there are, and both sides of those as close to the question as the best line of the answer. */
export function disputesInAnswer({ disputed, disputedAnswer }: Outline, sources: SourceNumbering): string[] {
  if (disputed.length === 0) return [];
  const told = `The reports contradict each other on ${counted(disputed.length, 'point')}: see “Disputed”.`;
  if (disputedAnswer.length === 0) return [told];
  return [`${told} Closest to what was asked:`, '', ...disputedAnswer.map((dispute) => `- ${sidesOf(dispute, sources)}`)];
}

const sidesOf = ({ claim, opponents }: Dispute, sources: SourceNumbering): string =>
  `${side(claim.text, claim.supporting, sources)} or ${sidesIn(opponents, sources)}`;

const sidesIn = (sides: readonly Side[], sources: SourceNumbering): string =>
  sides.map((statements) => side(statements[0].text, statements, sources)).join(' or ');

const side = (text: string, statements: readonly Statement[], sources: SourceNumbering): string =>
  `“${quotedClaim(text, statements)}”${marks(statements, sources)} (${providerList(statements)})`;
