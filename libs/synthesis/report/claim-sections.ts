import { MAY_HELP } from '@lib/domain/quoting-report';
import type { SourceNumbering } from '../citations';
import type { Claim } from '../claims/claim-table';
import { mayHelp } from './answer';
import { claimText } from './claim-text';
import { disputesInAnswer } from './disputed-section';
import { leadsBelow, leadsIn } from './leads';
import { inertText } from './markdown-text';
import { confidenceShown, isPerhapsShared, type Outline } from './outline';
import { isQuoted, isShared } from '../claims/who-says';
import { rowBeside } from './row-beside';
import { counted, enumerated, section } from './wording';

/** The direct answer, numbered so that other sections can refer to it, and its disputed points. */
export function answerSection(outline: Outline, reports: number, sources: SourceNumbering): string[] {
  const { answer, disputed, quoted } = outline;
  const heading = '## Answer';
  if (answer.length === 0 && disputed.length === 0 && quoted.length > 0)
    return section(heading, [
      'No answer: the documents do not answer the question. What comes closest stands under “Also in the documents”.',
    ]);
  if (answer.length === 0 && disputed.length === 0)
    return section(heading, [`No answer: nothing in the ${reports === 1 ? 'report' : `${reports} reports`} answers the question.`]);
  const firstOfWeaker = answer.findLastIndex((claim) => !mayHelp(claim)) + 1;
  const lines = answer.flatMap((claim, place) => [
    ...(place > 0 && place === firstOfWeaker ? ['', `${MAY_HELP}:`, ''] : []),
    ...claimItem(`${String(place + 1)}. `, claim, outline, sources),
  ]);
  if (answer.length === 0) lines.push('No undisputed answer.');
  lines.push(...howToRead(outline), ...differingInAnswer(outline));
  const contradictions = disputesInAnswer(outline, sources);
  if (contradictions.length > 0) lines.push('', ...contradictions);
  return section(heading, lines);
}

/** Explains the confidence levels, and the notes before what stands below a claim: those that occur. */
function howToRead(outline: Outline): string[] {
  const { shown, samePoint, confirmed } = outline;
  if (shown.every(isQuoted)) return [];
  const isRaised = shown.some((claim) => [claim, ...(samePoint.get(claim) ?? [])].some((one) => confirmed.has(one)));
  const raised = !isRaised ? '' : '; medium also where another provider tells all figures of it';
  const compared =
    samePoint.size === 0 ? '' : ` Only what is said in nearly the same words counts as agreed.${howToCompare(leadsIn(outline))}`;
  return ['', `*low, medium, high: how many independent sources stand behind a claim, not how likely it is${raised}.${compared}*`];
}

function howToCompare(leads: ReadonlySet<string>): string {
  const isLikely = leads.has('Likely the same');
  const likely = isLikely ? 'as “Likely the same” where words and figures suggest so' : '';
  const compare = leads.has('Compare') ? `${isLikely ? 'else ' : ''}as “Compare”` : '';
  const others = [likely, compare].filter((part) => part !== '').join(', ');
  if (!leads.has('In full')) return others === '' ? '' : ` What others say of the same point stands below it: ${others}.`;
  if (others === '') return ' What one of them adds stands below it as “In full”.';
  return ` What others say of the same point stands below it: ${others}, and what one of them adds as “In full”.`;
}

function differingInAnswer({ answer, differing, remarks }: Outline): string[] {
  if (differing.size === 0) return [];
  const above = pointsOf(answer, (claim) => differing.has(claim));
  const which = `${above.length === 1 ? 'point' : 'points'} ${enumerated(above)} above${above.length < differing.size ? ' among them' : ''}`;
  const among = above.length === 0 ? '' : ` (${which})`;
  const isByModel = differing.values().some(([one, other]) => remarks.differOnlyToModel(one, other));
  return [
    '',
    `On at least ${counted(differing.size, 'point')}${among} the reports tell other figures, dates or names, or one denies what another says${isByModel ? ', or a model sees a contradiction' : ''}: see “Perhaps contradicting each other”.`,
  ];
}

/** What several providers say. */
export function agreedSection(outline: Outline, sources: SourceNumbering): string[] {
  const isAgreed = (claim: Claim): boolean => isShared(claim) && !outline.differing.has(claim);
  return claimsSection('## Agreed by several providers', isAgreed, outline.agreed, outline, sources);
}

/** Points on which providers' statements may conflict; whether they do is left to the reader. */
export function doubtfulSection(outline: Outline, sources: SourceNumbering): string[] {
  const isDoubtful = (claim: Claim): boolean => outline.differing.has(claim);
  return claimsSection('## Perhaps contradicting each other', isDoubtful, outline.doubtful, outline, sources);
}

/** What one provider says and others likely say too, in words of their own. */
export function likelySection(outline: Outline, sources: SourceNumbering): string[] {
  const isLikely = (claim: Claim): boolean => !isShared(claim) && outline.likelyStated.has(claim) && !outline.differing.has(claim);
  return claimsSection('## Likely agreed, in other words', isLikely, outline.likely, outline, sources);
}

/** What providers say on the same point in their own words, or in the same words about something that cannot be identified. */
export function comparedSection(outline: Outline, sources: SourceNumbering): string[] {
  const isCompared = (claim: Claim): boolean =>
    !isShared(claim) && isPerhapsShared(claim, outline) && !outline.differing.has(claim) && !outline.likelyStated.has(claim);
  return claimsSection('## Perhaps on the same point, from several providers', isCompared, outline.compared, outline, sources);
}

const NOT_MATCHED = 'The comparison saw these in one report only. It misses what another says in quite different words.';

/** What one provider says, and no rule matches with another report. */
export function aloneSection(outline: Outline, reports: number, sources: SourceNumbering): string[] {
  const isAlone = (claim: Claim): boolean => !isShared(claim) && !isQuoted(claim) && !isPerhapsShared(claim, outline);
  const lines = claimsSection('## Not matched with another report', isAlone, outline.alone, outline, sources);
  return lines.length === 0 || reports < 2 ? lines : lines.toSpliced(1, 0, '', NOT_MATCHED);
}

/** Further quotations from documents that are not in the answer. */
export function quotedSection(outline: Outline, sources: SourceNumbering): string[] {
  return section('## Also in the documents', claimList(outline.quoted, outline, sources));
}

/** Everything for which the sections above have no room, sorted by topic. */
export function topicsSection(outline: Outline, sources: SourceNumbering): string[] {
  const { rest } = outline;
  const isSorted = rest.some(({ title }) => title !== null);
  const parts = rest.map(({ title, claims }) => [
    ...(isSorted ? [`### ${title === null ? 'Other points' : inertText(title)}`, ''] : []),
    ...claimList(claims, outline, sources),
  ]);
  const lines = parts.flatMap((part, place) => (place === 0 ? part : ['', ...part]));
  return section(isSorted ? '## More by topic' : '## Further points', lines);
}

/** Claims of one kind, after a pointer to the points of the answer that are of this kind. */
function claimsSection(
  heading: string,
  isOfKind: (claim: Claim) => boolean,
  claims: readonly Claim[],
  outline: Outline,
  sources: SourceNumbering,
): string[] {
  return section(heading, [...pointer(outline.answer, isOfKind, claims.length > 0), ...claimList(claims, outline, sources)]);
}

/** Refers to the points of the answer that belong here, instead of repeating them. */
function pointer(answer: readonly Claim[], belongs: (claim: Claim) => boolean, goesOn: boolean): string[] {
  const points = pointsOf(answer, belongs);
  if (points.length === 0) return [];
  const which =
    points.length > 1 && points.length === answer.length
      ? 'Every point'
      : `${points.length === 1 ? 'Point' : 'Points'} ${enumerated(points)}`;
  const named = `${which} of the answer`;
  return goesOn ? [`${named}, and:`, ''] : [`${named}.`];
}

const pointsOf = (answer: readonly Claim[], belongs: (claim: Claim) => boolean): number[] =>
  answer.flatMap((claim, place) => (belongs(claim) ? [place + 1] : []));

const claimList = (claims: readonly Claim[], outline: Outline, sources: SourceNumbering): string[] =>
  claims.flatMap((claim) => claimItem('- ', claim, outline, sources));

/** A list item, followed by what others say on the same point. */
function claimItem(mark: string, claim: Claim, outline: Outline, sources: SourceNumbering): string[] {
  const { twins, samePoint, wholeBelow, remarks } = outline;
  const others = samePoint.get(claim) ?? [];
  const indent = ' '.repeat(mark.length);
  const leads = leadsBelow(claim, outline);
  const textOf = (shown: Claim): string => claimText({ ...shown, confidence: confidenceShown(shown, outline) }, sources, twins.get(shown));
  return [
    `${mark}${textOf(claim)}`,
    ...others.map((other, place) => {
      const above = [claim, ...others.slice(0, place)];
      const part = wholeBelow.get(other) === claim ? other : rowBeside(other, above, remarks);
      return `${indent}- ${leads[place] ?? ''}: ${textOf(part)}`;
    }),
  ];
}
