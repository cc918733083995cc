import type { Confidence } from '@lib/domain/vocabulary';
import { readingOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import type { Claim } from '../claims/claim-table';
import type { SynthesisInput } from '../synthesis';
import { closenessOf, UNRELATED, type Closeness } from './closeness';
import { comparing, mayDiffer } from './comparing';
import { disputesOf, type Dispute } from './disputes';
import { likenessOf } from './likeness';
import { limitsOf, type ReportLimits } from './limits';
import { onSamePoint } from './same-point';
import { isDisputed, isQuoted, isShared } from './who-says';
import { selectDiverse } from './selection';
import { topicsOf, type Topic } from './topics';
import { ofSeveral, twinsIn } from './twins';

/** Which claim stands in which part of the report. Each stands in one part alone. */
export interface Outline {
  limits: ReportLimits;
  /** The best claims for the question that nobody disputes. */
  answer: readonly Claim[];
  /** What several providers say, and is not in the answer. */
  agreed: readonly Claim[];
  /** What reports contradict each other in, what is closest to the question first. */
  disputed: readonly Dispute[];
  /** Those of them that are as close to the question as the best line of the answer. */
  disputedAnswer: readonly Dispute[];
  /** What perhaps several say: others speak of the same point in different words, or in the same words of what nobody can place. Not in the answer. */
  compared: readonly Claim[];
  /** What one provider says and no other speaks of, and is not in the answer. */
  alone: readonly Claim[];
  /** What is quoted from documents, and is not in the answer. */
  quoted: readonly Claim[];
  /** What the parts above have no room for; the last one, without a title, is what belongs to no topic. */
  rest: readonly { title: string | null; claims: readonly Claim[] }[];
  /** What stands on a line of its own and is not disputed. */
  shown: readonly Claim[];
  /** How many claims the report has no room for at all. */
  omitted: number;
  /** The topics of all undisputed claims, wherever they stand. */
  topics: readonly Topic[];
  /** Those that perhaps several say, wherever they stand. */
  perhapsShared: ReadonlySet<Claim>;
  /** By a claim that stands in a part those that say the same in as many words of what nobody can place: they stand nowhere else. */
  twins: ReadonlyMap<Claim, readonly Claim[]>;
  /** By a claim those of other providers on the same point in different words: they stand below it and nowhere else. */
  samePoint: ReadonlyMap<Claim, readonly Claim[]>;
  /** Those with something below them that may not fit to them, at first sight. */
  differing: ReadonlySet<Claim>;
}

const TRUST: Readonly<Record<Confidence, number>> = { high: 1, medium: 0.8, low: 0.6 };
/** What a claim is worth that another one may contradict: a lone voice does not stand before what nobody doubts. */
const DIFFERING = 0.75;
/** What a claim is worth whose figures another provider tells as well. */
const SAME_FIGURES = 1.2;
/** Share of the best claim's worth that an answer must have: a short answer beats one that wanders off. */
const ANSWERS = 0.4;
/** An answer from documents alone may have more lines: engines have left out what does not answer, and one line of a section needs another. */
const MORE_QUOTED = 2;
const MOST_QUOTED = 7;
/** Of what else stands in the documents a reader is shown so much more: an answer in other words than its question is often among it. */
const MORE_BESIDE = 5;

/** So many disputes stand in the answer too, where they are what was asked. */
const MOST_DISPUTED_IN_ANSWER = 3;

const differs = ({ reading: one }: Claim, { reading: other }: Claim): boolean => mayDiffer(one, other);

const hasSameFigures = ({ reading: one }: Claim, { reading: other }: Claim): boolean => comparing(one, other) === 'same figures';

/** Whether an engine gives it as its answer and not as what else it found. */
const isPlaced = ({ supporting }: Claim): boolean => supporting.some(({ quotation }) => Number.isFinite(quotation?.place));

/** Give the claims in their order: it breaks ties. */
export function outlineOf(claims: readonly Claim[], { query, tier, mode, steps }: SynthesisInput): Outline {
  const limits = limitsOf(tier, mode);
  const asked = readingOf(query);
  const question = asked.stems;
  const isAnAnswer = isAsked(steps);
  const { undisputed, listed, likeness, twins, samePoint } = listedOnce(claims, isAnAnswer, asked);
  const disputes = disputesOf(claims);
  const closeness = closenessOf([...listed, ...disputes.map(({ claim }) => claim)], question);
  const whereSome = (is: typeof differs): ReadonlySet<Claim> =>
    new Set([...samePoint].flatMap(([claim, others]) => (others.some((other) => is(claim, other)) ? [claim] : [])));
  const differing = whereSome(differs);
  const select = selectorOf(closeness, differing, whereSome(hasSameFigures));
  const answering = listed.filter(isAnAnswer);
  const answer = answering.every(isQuoted)
    ? select(answering.filter(isPlaced), Math.min(MOST_QUOTED, limits.answer + MORE_QUOTED))
    : select(answering, limits.answer, ANSWERS);
  const others = listed.filter((claim) => !answer.includes(claim));
  const perhapsShared = new Set([...samePoint.keys(), ...ofSeveral(twins)]);
  const byOne = others.filter((claim) => !isShared(claim) && !isQuoted(claim));
  const parts = {
    answer,
    agreed: select(others.filter(isShared), limits.agreed),
    compared: select(
      byOne.filter((claim) => perhapsShared.has(claim)),
      limits.agreed,
    ),
    alone: select(
      byOne.filter((claim) => !perhapsShared.has(claim)),
      limits.alone,
    ),
    quoted: others.filter(isQuoted).slice(0, limits.agreed + limits.alone + MORE_BESIDE),
  };
  const placed = new Set(Object.values(parts).flat());
  const topics = topicsOf(likeness);
  const unplaced = listed.filter((claim) => !placed.has(claim) && !isQuoted(claim));
  const rest = restOf(unplaced, topics, limits);
  const shown = [...placed, ...rest.flatMap((part) => part.claims)];
  const omitted = undisputed.length - shown.length - shown.reduce((below, claim) => below + (samePoint.get(claim)?.length ?? 0), 0);
  return {
    limits,
    ...parts,
    ...disputesFor(disputes, answer, closeness),
    rest,
    shown,
    omitted,
    topics,
    perhapsShared,
    twins,
    samePoint,
    differing,
  };
}

/** The undisputed claims, and of them those that stand on a line of their own: the others stand with their twin or below one on the same point. */
function listedOnce(claims: readonly Claim[], isAnAnswer: (claim: Claim) => boolean, question: Reading) {
  const twins = twinsIn(claims, isAnAnswer);
  const second = new Set([...twins.values()].flat());
  const undisputed = claims.filter((claim) => !isDisputed(claim) && !second.has(claim));
  const likeness = likenessOf(
    undisputed.filter((claim) => !isQuoted(claim)),
    question.stems,
  );
  const samePoint = onSamePoint(likeness, isAnAnswer, question);
  const below = new Set([...samePoint.values()].flat());
  return { undisputed, listed: undisputed.filter((claim) => !below.has(claim)), likeness, twins, samePoint };
}

/** Whether somebody says it who was asked the job's own question: what only a follow-on topic brought up is no answer to it. */
function isAsked(steps: SynthesisInput['steps']): (claim: Claim) => boolean {
  const asked = new Set(steps.flatMap(({ stepId, topic }) => (topic ? [] : [stepId])));
  return ({ supporting }) => supporting.some(({ stepId }) => asked.has(stepId));
}

/** A function that takes the best of some of the claims, in the order of `claims`; of those worth less than a share of the best none. */
function selectorOf(
  { relevanceOf, cosineOf }: Closeness,
  differing: ReadonlySet<Claim>,
  alsoTold: ReadonlySet<Claim>,
): (some: readonly Claim[], most: number, share?: number) => Claim[] {
  const worthOf = (claim: Claim): number =>
    TRUST[claim.confidence] * relevanceOf(claim) * (differing.has(claim) ? DIFFERING : alsoTold.has(claim) ? SAME_FIGURES : 1);
  return (some, most, share = 0) => {
    const least = share * Math.max(0, ...some.map(worthOf));
    const worthy = some.filter((claim) => worthOf(claim) >= least);
    const likeness = (left: number, right: number): number => cosineOf(worthy[left], worthy[right]);
    return selectDiverse(worthy.map(worthOf), likeness, most).flatMap((position) => worthy[position] ?? []);
  };
}

/** Those closest to the question first, and of these the ones as close as the best line of the answer; without an answer the closest. */
function disputesFor(
  disputes: readonly Dispute[],
  answer: readonly Claim[],
  { relevanceOf }: Closeness,
): Pick<Outline, 'disputed' | 'disputedAnswer'> {
  const disputed = disputes.toSorted((one, other) => relevanceOf(other.claim) - relevanceOf(one.claim));
  const best = Math.max(...(answer.length > 0 ? answer : disputed.map(({ claim }) => claim)).map(relevanceOf));
  // What shares no word with the question is not what was asked.
  const isWhatWasAsked = ({ claim }: Dispute): boolean => relevanceOf(claim) > UNRELATED && relevanceOf(claim) >= best;
  return { disputed, disputedAnswer: disputed.filter(isWhatWasAsked).slice(0, MOST_DISPUTED_IN_ANSWER) };
}

/** By topic, those with most to say first; what is alone in its topic joins what has none. */
function restOf(claims: readonly Claim[], topics: readonly Topic[], limits: ReportLimits): Outline['rest'] {
  const left = new Set(claims);
  const parts: { title: string | null; claims: readonly Claim[] }[] = topics
    .map(({ title, claims: members }) => ({ title, claims: members.filter((claim) => left.has(claim)) }))
    .filter((part) => part.claims.length > 1)
    .sort((a, b) => b.claims.length - a.claims.length)
    .slice(0, limits.topics)
    .map(({ title, claims: members }) => ({ title, claims: members.slice(0, limits.claimsPerTopic) }));
  const inTopics = new Set(parts.flatMap((part) => part.claims));
  const others = claims.filter((claim) => !inTopics.has(claim)).slice(0, limits.claimsPerTopic);
  return others.length === 0 ? parts : [...parts, { title: null, claims: others }];
}
