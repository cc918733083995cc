import type { FollowOnTopic } from '@lib/domain/job/recorded-report';
import type { Claim } from '../claims/claim-table';
import { gapsToPursue } from '../question/question-gaps';
import { shownWords } from './claim-text';
import { CUE_NAMES } from './disputed-section';
import type { Dispute } from './disputes';
import { isPerhapsShared, type Outline } from './outline';
import type { SynthesisInput } from '../synthesis';
import { isShared, providersOf } from '../claims/who-says';
import type { Topic } from './topics';
import { counted, enumerated, shortened } from './wording';

/** Most characters of a sentence within a topic, which must be readable as a question. */
const MAX_SENTENCE_LENGTH = 200;

/**
 * What to pursue next: disputes that no source has settled, words of the question that no claim mentions, and topics on which no two providers say
 * the same. Each with its reason and the claims it comes from. Deterministic; plain text, not Markdown.
 */
export function followOnTopics(
  { query, steps }: Pick<SynthesisInput, 'query' | 'steps'>,
  claims: readonly Claim[],
  outline: Outline,
  idOf: (claim: Claim) => string,
): FollowOnTopic[] {
  const { disputed, topics, limits } = outline;
  const asked = partOf(query);
  return [
    ...disputed.flatMap((dispute) => sidesOf(dispute, claims)).map((pair) => disputeTopic(pair, idOf)),
    ...differingPairs(outline).map((pair) => differingTopic(pair, outline, idOf)),
    ...(claims.length === 0
      ? []
      : gapOfQuestion(
          gapsToPursue(
            query,
            claims,
            steps.map(({ reportMarkdown }) => reportMarkdown),
          ),
          asked,
        )),
    ...topics.filter((topic) => isUnconfirmed(topic, outline)).map((topic) => unconfirmedTopic(topic, asked, idOf)),
  ].slice(0, limits.followOns);
}

const sentenceOf = ({ text, supporting }: Claim): string => shortened(shownWords(text, supporting), MAX_SENTENCE_LENGTH);

/** The claims on both sides of each dispute; the first opponent if there are several. */
function sidesOf({ claim, opponents }: Dispute, claims: readonly Claim[]): [Claim, Claim][] {
  // A sentence that needs its context would be unclear as a question.
  if (claim.supporting.some(({ leansOn }) => leansOn !== null)) return [];
  const said = claims.filter(({ supporting }) => opponents.some(([statement]) => supporting.includes(statement)));
  // A sentence may belong to two claims: in “(born 4 May 1950) was a painter” only the birth is disputed.
  const opponent = said.find(({ contradicting }) => contradicting.some((statement) => claim.supporting.includes(statement))) ?? said[0];
  return opponent ? [[claim, opponent]] : [];
}

function disputeTopic([one, other]: [Claim, Claim], idOf: (claim: Claim) => string): FollowOnTopic {
  const sides = [one, other].map(({ supporting }) => enumerated(providersOf(supporting)));
  const cue = one.contradicting.flatMap((statement) => (other.supporting.includes(statement) ? (one.cues.get(statement) ?? []) : []))[0];
  const inWhat = cue ? `They differ in ${CUE_NAMES[cue]}` : 'Both cannot hold';
  return {
    topic: `Which holds: “${sentenceOf(one)}” or “${sentenceOf(other)}”?`,
    rationale: `${String(sides[0])} for the one, ${String(sides[1])} for the other. ${inWhat}, and nothing in the reports settles it.`,
    kind: 'dispute',
    claimIds: [idOf(one), idOf(other)],
  };
}

function gapOfQuestion(gaps: readonly string[], asked: string): FollowOnTopic[] {
  if (gaps.length === 0) return [];
  const words = gaps.map((word) => `“${word}”`);
  return [
    {
      topic: `${enumerated(words)}, ${asked}`,
      rationale: `The question speaks of ${enumerated(words)}, and no claim does.`,
      kind: 'gap',
      claimIds: [],
    },
  ];
}

/** The end of a topic that names the whole question, so that the topic can be asked by itself. */
export const partOf = (query: string): string => `as part of the question “${shortened(query.trim(), MAX_SENTENCE_LENGTH)}”`;

/** Pairs of claims on the same point that visibly may conflict. */
const differingPairs = ({ shown, differing }: Outline): (readonly [Claim, Claim])[] =>
  shown.flatMap((claim) => {
    const pair = differing.get(claim);
    return pair ? [pair] : [];
  });

function differingTopic([one, other]: readonly [Claim, Claim], { remarks }: Outline, idOf: (claim: Claim) => string): FollowOnTopic {
  const differing = remarks.between(one, other);
  const [who, others] = [one, other].map(({ supporting }) => enumerated(providersOf(supporting)));
  return {
    topic: `Do both hold: “${sentenceOf(one)}” and “${sentenceOf(other)}”?`,
    rationale: `${String(who)} for the one, ${String(others)} for the other. They seem to speak of the same point, and may not fit together${differing === null ? '' : `: ${differing}`}.`,
    kind: 'gap',
    claimIds: [idOf(one), idOf(other)],
  };
}

/** Whether nobody else supports the topic's claims or mentions their points. A single word, usually a name, makes no question. */
const isUnconfirmed = ({ title, claims }: Topic, { twins, samePoint, below }: Outline): boolean =>
  title.includes(' ') && !claims.some((claim) => isShared(claim) || isPerhapsShared(claim, { samePoint, twins }) || below.has(claim));

function unconfirmedTopic({ title, claims }: Topic, asked: string, idOf: (claim: Claim) => string): FollowOnTopic {
  const providers = providersOf(claims.flatMap(({ supporting }) => supporting));
  const who = providers.length === 1 ? `Only ${String(providers[0])} speaks` : `${counted(providers.length, 'provider')} speak`;
  return {
    topic: `${title}, ${asked}`,
    rationale: `${who} of it, and no two were seen to say the same.`,
    kind: 'gap',
    claimIds: claims.map(idOf),
  };
}
