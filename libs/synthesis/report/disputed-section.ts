import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { SourceNumbering } from '../citations';
import type { Statement } from '../statement/statement';
import { quotedClaim } from './claim-text';
import type { Dispute } from './disputes';
import type { Outline } from './outline';
import { counted, marks, providerList, section } from './wording';

/** Names of the cues, for a reader. */
export const CUE_NAMES: Readonly<Record<ContradictionCue, string>> = {
  polarity: 'whether it holds',
  quantity: 'the amount',
  direction: 'the direction',
  value: 'the date, name or other value',
};

/** The table of disputes: both sides in their own words with their sources, and what they differ in. Nothing is reconciled. */
export function disputedSection({ disputed }: Outline, sources: SourceNumbering): string[] {
  const pairs = disputed.flatMap(({ claim, opponents }) => opponents.map((opponent) => ({ claim, opponent })));
  const rows = pairs.map(({ claim: { text, supporting, cues }, opponent }) => {
    const cue = cues.get(opponent[0]);
    const sides = [side(text, supporting, sources), side(opponent[0].text, opponent, sources)];
    return `| ${[...sides, cue ? CUE_NAMES[cue] : ''].join(' | ')} |`;
  });
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
  [side(claim.text, claim.supporting, sources), ...opponents.map((opponent) => side(opponent[0].text, opponent, sources))].join(' or ');

const side = (text: string, statements: readonly Statement[], sources: SourceNumbering): string =>
  `“${quotedClaim(text, statements)}”${marks(statements, sources)} (${providerList(statements)})`;
