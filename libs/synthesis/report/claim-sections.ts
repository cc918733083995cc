import type { SourceNumbering } from '../citations';
import type { Claim } from '../claims/claim-table';
import { inertText } from './markdown-text';
import { isQuoted, isShared, type Outline } from './outline';
import { claimText, counted, enumerated, section } from './wording';

/** The direct answer, numbered so that other parts can point at it, and the warning that something is disputed. */
export function answerSection({ answer, disputed, quoted, twins }: Outline, reports: number, sources: SourceNumbering): string[] {
  const heading = '## Answer';
  if (answer.length === 0 && disputed.length === 0 && quoted.length > 0)
    return section(heading, [
      'No answer: the documents do not answer the question. What comes closest stands under “Also in the documents”.',
    ]);
  if (answer.length === 0 && disputed.length === 0)
    return section(heading, [`No answer: of ${counted(reports, 'report')} none states anything that could be taken as a claim.`]);
  const lines = answer.map((claim, place) => `${String(place + 1)}. ${claimText(claim, sources, twins.get(claim))}`);
  if (answer.length === 0) lines.push('No undisputed answer.');
  if (disputed.length > 0) lines.push('', `The reports contradict each other in ${counted(disputed.length, 'claim')}: see “Disputed”.`);
  return section(heading, lines);
}

/** What several providers say. */
export function agreedSection({ answer, agreed }: Outline, sources: SourceNumbering): string[] {
  return section('## Agreed by several providers', [...pointer(answer, isShared, agreed.length > 0), ...claimList(agreed, sources)]);
}

/** What one provider says alone. */
export function aloneSection({ answer, alone, twins }: Outline, sources: SourceNumbering): string[] {
  const isAlone = (claim: Claim): boolean => !isShared(claim) && !isQuoted(claim);
  return section('## Said by one provider only', [...pointer(answer, isAlone, alone.length > 0), ...claimList(alone, sources, twins)]);
}

/** What stands in documents besides the answer. */
export function quotedSection({ quoted }: Outline, sources: SourceNumbering): string[] {
  return section('## Also in the documents', claimList(quoted, sources));
}

/** What the parts above have no room for, under the topics that it speaks of. */
export function topicsSection({ rest, omitted, twins }: Outline, sources: SourceNumbering): string[] {
  const isSorted = rest.some(({ title }) => title !== null);
  const parts = rest.map(({ title, claims }) => [
    ...(isSorted ? [`### ${title === null ? 'Other points' : inertText(title)}`, ''] : []),
    ...claimList(claims, sources, twins),
  ]);
  if (omitted > 0 && rest.length > 0) parts.push([`${counted(omitted, 'more claim')} of less weight: see the list of claims.`]);
  const lines = parts.flatMap((part, place) => (place === 0 ? part : ['', ...part]));
  return section(isSorted ? '## More by topic' : '## Further points', lines);
}

/** Names the points of the answer that would stand here, which are not repeated. */
function pointer(answer: readonly Claim[], belongs: (claim: Claim) => boolean, goesOn: boolean): string[] {
  const points = answer.flatMap((claim, place) => (belongs(claim) ? [place + 1] : []));
  if (points.length === 0) return [];
  const which =
    points.length > 1 && points.length === answer.length
      ? 'Every point'
      : `${points.length === 1 ? 'Point' : 'Points'} ${enumerated(points)}`;
  const named = `${which} of the answer`;
  return goesOn ? [`${named}, and:`, ''] : [`${named}.`];
}

const claimList = (claims: readonly Claim[], sources: SourceNumbering, twins: Outline['twins'] = new Map()): string[] =>
  claims.map((claim) => `- ${claimText(claim, sources, twins.get(claim))}`);
