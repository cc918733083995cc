import type { Confidence } from '@lib/domain/vocabulary';
import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import type { Claim } from '../claims/claim-table';
import type { SynthesisInput } from '../synthesis';
import { closenessOf, UNRELATED, type Closeness } from './relevance';
import { confirmedByFigures } from '../same-point/confirmed-figures';
import { disputesOf, type Dispute } from './disputes';
import { listedOnce } from './listed-once';
import { limitsOf, linesOfAnswer, type ReportLimits } from './limits';
import type { Judgement } from '../judgement/judgement';
import { NO_VIEW, type ModelsView } from '../same-point/models-view';
import { tellsAlike } from '../same-point/remark';
import { Remarks } from '../same-point/remarks';
import { isQuoted, isShared } from '../claims/who-says';
import { topicsOf, type Topic } from './topics';
import { underHeadings } from './under-headings';
import { verdictsIn } from './verdicts';
import { ANSWERS, answerOf, MIN_BESIDE_VERDICTS } from './answer';
import { answeredParts } from './answered-parts';
import { askedPartsOf } from '../question/asked-parts';
import { selectorOf, type Select } from './worth';

/** Assigns each claim to exactly one section of the report. */
export interface Outline {
  limits: ReportLimits;
  /** The best undisputed claims for the question. */
  answer: readonly Claim[];
  /** Claims of several providers that are not in the answer. */
  agreed: readonly Claim[];
  /** The disputes, closest to the question first. */
  disputed: readonly Dispute[];
  /** The disputes that are as close to the question as the best line of the answer. */
  disputedAnswer: readonly Dispute[];
  /** Claims that may conflict with others on the same point and are not in the answer. */
  doubtful: readonly Claim[];
  /** Claims that another provider likely makes too, in words of its own. Not in the answer. */
  likely: readonly Claim[];
  /**
   * Claims that several providers may share: others are on the same point in different words, or in the same words about something that cannot be
   * identified. Not in the answer.
   */
  compared: readonly Claim[];
  /** Claims of one provider on points that no other mentions, not in the answer. */
  alone: readonly Claim[];
  /** Quotations from documents that are not in the answer. */
  quoted: readonly Claim[];
  /** What the sections above have no room for; the last entry, without a title, belongs to no topic. */
  rest: readonly { title: string | null; claims: readonly Claim[] }[];
  /** The undisputed claims that have a line of their own. */
  shown: readonly Claim[];
  /** The topics of all undisputed claims, wherever they stand. */
  topics: readonly Topic[];
  /** For a shown claim, equally worded claims of other providers about something that may differ. They are only shown with it. */
  twins: ReadonlyMap<Claim, readonly Claim[]>;
  /** For a claim, those of other providers on the same point in different words. They are only shown below it. */
  samePoint: ReadonlyMap<Claim, readonly Claim[]>;
  /** The question. */
  asked: Reading;
  /** The remarks on pairs of claims on the same point. */
  remarks: Remarks;
  /** How a reader would judge pairs of them. */
  judgement: Judgement;
  /** The claims shown below another one on the same point. */
  below: ReadonlySet<Claim>;
  /** For such a claim, the one below which it is shown whole; elsewhere only what matters there. */
  wholeBelow: ReadonlyMap<Claim, Claim>;
  /** For a claim on whose point some claims may conflict, the first two of these. */
  differing: ReadonlyMap<Claim, readonly [Claim, Claim]>;
  /** The claims with another one below them that likely says the same, or has the same figures, at least in one direction. */
  alsoStated: ReadonlySet<Claim>;
  /** The claims with another one below them that likely says the same. */
  likelyStated: ReadonlySet<Claim>;
  /** Claims of one provider whose figures another provider confirms: `confidenceShown`. */
  confirmed: ReadonlySet<Claim>;
}

/** The confidence of a claim, including confirmation by figures. */
export const confidenceShown = (claim: Claim, { confirmed }: Pick<Outline, 'confirmed'>): Confidence =>
  confirmed.has(claim) ? 'medium' : claim.confidence;

/** How many more of the documents' other passages are shown, since an answer worded unlike the question is often among them. */
const MORE_BESIDE = 5;

/** Most disputes that are also shown in the answer, if they are what was asked. */
const MAX_DISPUTED_IN_ANSWER = 3;

/**
 * Gives each claim its section.
 * @param claims best first; ties keep this order
 * @param modelsView what a model says about two of them
 */
export function outlineOf(
  claims: readonly Claim[],
  { query, tier, mode, steps }: SynthesisInput,
  modelsView: ModelsView = NO_VIEW,
): Outline {
  const limits = limitsOf(tier, mode);
  const asked = readingOf(query);
  const isAnAnswer = isAsked(steps);
  const { listed, likeness, twins, samePoint, below, remarks, judgement } = listedOnce(claims, isAnAnswer, new Remarks(asked, modelsView));
  const disputes = disputesOf(claims);
  const closeness = closenessOf([...listed, ...disputes.map(({ claim }) => claim)], asked.stems);
  const seen = { ...seenIn(samePoint, remarks, judgement), confirmed: confirmedByFigures(samePoint, remarks) };
  const isStatedBySeveral = (claim: Claim): boolean => isShared(claim) || isPerhapsShared(claim, { samePoint, twins });
  const { select, worthOf, standingOf } = selectorOf(closeness, seen, samePoint);
  const answering = listed.filter(isAnAnswer);
  const least = ANSWERS * Math.max(0, ...answering.map(worthOf));
  const mayAnswer = (claim: Claim): boolean => closeness.relevanceOf(claim) > UNRELATED && worthOf(claim) >= least;
  const bestOf = (some: readonly Claim[]): Claim | undefined => select([...new Set(some)].filter(mayAnswer), 1)[0];
  const asking = answeredParts(askedPartsOf(query), answering, closeness.relevanceOf);
  const most = linesOfAnswer(limits, asking.count);
  const verdicts = verdictsIn(answering, samePoint, query, bestOf, most - MIN_BESIDE_VERDICTS);
  const answer = answerOf({ query, claims: answering, verdicts, most }, { select, standingOf, isStatedBySeveral, parts: asking });
  const others = listed.filter((claim) => !answer.includes(claim));
  const parts = { answer, ...partsBeside(others, seen, { select, limits, isStatedBySeveral }) };
  const placed = new Set(Object.values(parts).flat());
  const topics = topicsOf(likeness);
  const left = listed.filter((claim) => !placed.has(claim) && !isQuoted(claim));
  const sections = underHeadings(likeness);
  const rest = restOf(left, sections.length > 0 ? sections : topics, limits);
  const shown = [...placed, ...rest.flatMap((part) => part.claims)];
  const disputed = disputesFor(disputes, answer, closeness);
  const wholeBelow = firstsOf(shown, samePoint);
  return { limits, ...parts, ...disputed, rest, shown, topics, twins, samePoint, below, wholeBelow, asked, remarks, judgement, ...seen };
}

/** For each claim that is shown below others, the first of these. */
function firstsOf(shown: readonly Claim[], samePoint: Outline['samePoint']): Outline['wholeBelow'] {
  const firsts = new Map<Claim, Claim>();
  for (const claim of shown) for (const other of samePoint.get(claim) ?? []) if (!firsts.has(other)) firsts.set(other, claim);
  return firsts;
}

/** Whether others make the same point in other words, or in the same words about something that cannot be identified. */
export const isPerhapsShared = (claim: Claim, { samePoint, twins }: Pick<Outline, 'samePoint' | 'twins'>): boolean =>
  samePoint.has(claim) || twins.has(claim);

/** The visible relations between the claims on each point. */
function seenIn(
  samePoint: Outline['samePoint'],
  remarks: Remarks,
  judgement: Judgement,
): Pick<Outline, 'differing' | 'alsoStated' | 'likelyStated'> {
  const points = [...samePoint];
  const withOneBelow = (isSo: (claim: Claim, other: Claim) => boolean): ReadonlySet<Claim> =>
    new Set(points.flatMap(([claim, others]) => (others.some((other) => isSo(claim, other)) ? [claim] : [])));
  const likelyStated = withOneBelow((claim, other) => judgement.areLikelyTheSame(claim, other));
  return {
    differing: new Map(
      points.flatMap(([claim, others]) => {
        // What several providers say is not moved out of its section by what only a model sees.
        const counts = (one: Claim, other: Claim): boolean => !isShared(claim) || !remarks.differOnlyToModel(one, other);
        const pair = remarks.differingIn([claim, ...others], counts);
        return pair ? [[claim, pair]] : [];
      }),
    ),
    likelyStated,
    alsoStated: likelyStated.union(withOneBelow((claim, other) => tellsAlike(remarks.between(claim, other)))),
  };
}

/** The sections of what is not in the answer. */
function partsBeside(
  claims: readonly Claim[],
  { differing, likelyStated }: Pick<Outline, 'differing' | 'likelyStated'>,
  { select, limits, isStatedBySeveral }: { select: Select; limits: ReportLimits; isStatedBySeveral: (claim: Claim) => boolean },
): Pick<Outline, 'doubtful' | 'agreed' | 'likely' | 'compared' | 'alone' | 'quoted'> {
  const others = claims.filter((claim) => !differing.has(claim));
  const byOne = others.filter((claim) => !isShared(claim) && !isQuoted(claim));
  const likely = byOne.filter((claim) => likelyStated.has(claim));
  const compared = byOne.filter((claim) => isStatedBySeveral(claim) && !likelyStated.has(claim));
  const alone = byOne.filter((claim) => !isStatedBySeveral(claim));
  return {
    doubtful: claims.filter((claim) => differing.has(claim)),
    agreed: select(others.filter(isShared), limits.agreed),
    likely: select(likely, limits.agreed),
    compared: select(compared, limits.agreed),
    alone: select(alone, limits.alone),
    quoted: others.filter(isQuoted).slice(0, limits.agreed + limits.alone + MORE_BESIDE),
  };
}

/** Whether it comes from a step on the job's own question: a claim found only through a follow-on topic does not answer it. */
function isAsked(steps: SynthesisInput['steps']): (claim: Claim) => boolean {
  const asked = new Set(steps.flatMap(({ stepId, topic }) => (topic ? [] : [stepId])));
  return ({ supporting }) => supporting.some(({ stepId }) => asked.has(stepId));
}

/** The disputes closest to the question first, and among them those as close as the best line of the answer; without an answer, the closest. */
function disputesFor(
  disputes: readonly Dispute[],
  answer: readonly Claim[],
  { relevanceOf }: Closeness,
): Pick<Outline, 'disputed' | 'disputedAnswer'> {
  const disputed = disputes.toSorted((one, other) => relevanceOf(other.claim) - relevanceOf(one.claim));
  const best = Math.max(...(answer.length > 0 ? answer : disputed.map(({ claim }) => claim)).map(relevanceOf));
  // A dispute that shares no word with the question is not what was asked.
  const isWhatWasAsked = ({ claim }: Dispute): boolean => relevanceOf(claim) > UNRELATED && relevanceOf(claim) >= best;
  return { disputed, disputedAnswer: disputed.filter(isWhatWasAsked).slice(0, MAX_DISPUTED_IN_ANSWER) };
}

/** The rest by topic, the largest first; a single claim of a topic joins those without one. */
function restOf(
  claims: readonly Claim[],
  topics: readonly { title: string; claims: readonly Claim[] }[],
  limits: ReportLimits,
): Outline['rest'] {
  const left = new Set(claims);
  const parts: { title: string | null; claims: readonly Claim[] }[] = topics
    .map(({ title, claims: members }) => ({ title, claims: members.filter((claim) => left.has(claim)) }))
    .filter((part) => part.claims.length > 1)
    .sort((a, b) => b.claims.length - a.claims.length)
    .slice(0, limits.topics);
  const inTopics = new Set(parts.flatMap((part) => part.claims));
  const others = claims.filter((claim) => !inTopics.has(claim));
  return others.length === 0 ? parts : [...parts, { title: null, claims: others }];
}
