import { reserve } from '../budget';
import type { PlanTopics } from './commands';
import type { JobEvent } from './events';
import type { ExplorationStop, PlannedTopic } from './facts';
import { availableMicros } from './reservations';
import { isFinal, type JobState } from './state';
import type { StepState } from './step';
import { timeLeftMs } from './time-left';

/** Limits of spidering: rounds of topics, and topics per round. */
const MAX_ROUNDS = 2;
export const MAX_TOPICS = 3;
/** Providers that are asked about one topic: two, so that they can confirm each other. */
const PROVIDERS_PER_TOPIC = 2;
/** Least share of the job's time that must be left to begin a round. */
const MIN_TIME_SHARE = 0.25;

/** Whether a job whose steps have settled looks for follow-on topics before its synthesis. After the last round a stop reason is set. */
export const mayExplore = ({ spideringEnabled, exploration, steps }: JobState): boolean =>
  spideringEnabled && exploration.stopReason === null && steps.some(({ status }) => status === 'completed');

/** Providers for the topic with this index in its round, chosen from those that answered. Each topic starts with a different provider. */
export function providersOfTopic(state: JobState, index: number): StepState[] {
  const answered = state.steps.filter(({ status, topic }) => status === 'completed' && topic === null);
  const first = index % answered.length;
  return [...answered.slice(first), ...answered.slice(0, first)].slice(0, PROVIDERS_PER_TOPIC);
}

/** Plans topics for the open round only. Leaves out topics that do not fit the budget; if none fits, the exploration ends. */
export function planTopics(command: PlanTopics, state: JobState, at: string): JobEvent[] {
  const { open, round } = state.exploration;
  if (isFinal(state) || !open || command.round !== round) return [];
  const isLate = timeLeftMs(state, at) < MIN_TIME_SHARE * state.deadlines.jobMs;
  const topics = isLate ? [] : affordable(command, state);
  const numbers = new Set(topics.map(({ topic }) => topic));
  const content = {
    topics: command.topics.filter(({ topic }) => numbers.has(topic)).map(({ topic, text, rationale }) => ({ topic, text, rationale })),
  };
  const stopReason = stopReasonOf(command, topics, isLate);
  return [{ type: 'TopicsPlanned', facts: { round, topics, stopReason, process: command.process ?? null }, content }];
}

function stopReasonOf({ topics, round, failed }: PlanTopics, planned: readonly PlannedTopic[], isLate: boolean): ExplorationStop | null {
  if (failed) return 'failed';
  if (topics.length === 0) return 'no_topics';
  if (isLate) return 'deadline';
  if (planned.length === 0) return 'budget';
  return round >= MAX_ROUNDS ? 'rounds' : null;
}

function affordable({ topics }: PlanTopics, state: JobState): PlannedTopic[] {
  const asked = topics
    .slice(0, MAX_TOPICS)
    .flatMap(({ topic, parent, candidates }) => candidates.map((candidate) => ({ ...candidate, topic, parent })));
  const lastWave = Math.max(...state.steps.map(({ entry }) => entry.wave));
  const planned = new Map<number, PlannedTopic>();
  let waves = 0;
  for (const { candidate, reservedMicros } of reserve(asked, availableMicros(state))) {
    if (reservedMicros === null) continue;
    const { topic, parent, ...entry } = candidate;
    const wave = lastWave + 1 + (state.researchMode === 'methodical' ? waves : 0);
    waves += 1;
    const steps = [...(planned.get(topic)?.steps ?? []), { ...entry, reservedMicros, wave }];
    planned.set(topic, { topic, parent, steps });
  }
  return [...planned.values()];
}
