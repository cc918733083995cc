import type { ExplorationStop } from '@lib/domain/job/facts';
import type { Claim } from '../claims/claim-table';
import type { ExploredTopic } from '../synthesis';
import type { ReportedStep } from './shortfall-section';
import { counted, enumerated, quoted, section } from './wording';

const STOPS: Readonly<Record<ExplorationStop, string>> = {
  no_topics: 'The reports mention nothing more that several of them leave unexplained.',
  budget: 'The budget has no room for more.',
  deadline: 'The time of the job allows no more.',
  rounds: 'More rounds are not made.',
  failed: 'More could not be looked for.',
};

/** The topics that a job with spidering followed, as a tree: why each was followed, who was asked, and how many claims resulted. */
export function explorationSection(
  steps: readonly ReportedStep[],
  claims: readonly Claim[],
  stop: ExplorationStop | null | undefined,
): string[] {
  const topics = new Map(steps.flatMap(({ topic }) => (topic ? [[topic.topic, topic]] : [])));
  const children = (parent: number | null): ExploredTopic[] =>
    [...topics.values()].filter((topic) => topic.parent === parent).sort((a, b) => a.topic - b.topic);
  const branch = (topic: ExploredTopic, depth: number): string[] => [
    `${'  '.repeat(depth)}- ${topicText(topic, steps, claims)}`,
    ...children(topic.topic).flatMap((child) => branch(child, depth + 1)),
  ];
  const lines = children(null).flatMap((topic) => branch(topic, 0));
  return section('## Topics followed', lines.length > 0 && stop ? [...lines, '', STOPS[stop]] : lines);
}

function topicText({ topic, text, rationale }: ExploredTopic, steps: readonly ReportedStep[], claims: readonly Claim[]): string {
  const asked = steps.filter((step) => step.topic?.topic === topic);
  const answered = new Set(asked.filter(({ status }) => status === 'completed').map(({ stepId }) => stepId));
  const found = claims.filter(({ supporting }) => supporting.some(({ stepId }) => answered.has(stepId))).length;
  const providers = enumerated(asked.map(({ provider }) => provider));
  return `“${quoted(text)}”, asked of ${providers}: ${counted(found, 'claim')} ${found === 1 ? 'rests' : 'rest'} on it. ${quoted(rationale)}`;
}
