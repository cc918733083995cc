import type { DeadlineReached, TopicsPlanned } from '@lib/domain/job/events';
import type { ExploredTopicView, JobTopicsView, SuggestedTopicView } from './topic.view';

/** The events of a job that speak of its topics, and that it exists. */
export const TOPIC_EVENTS = `select version, type, facts from event
  where stream_id = (select id from job where tenant_id = $1 and thread_id = $2 and id = $3)
    and type in ('JobRequested', 'DeadlineReached', 'TopicsPlanned', 'JobCompleted') order by version`;

export interface TopicEvent {
  version: number;
  type: string;
  facts: object;
}

/** @param contents of the events, in their order; null where it is gone or there is none */
export function jobTopics(jobId: string, events: readonly TopicEvent[], contents: readonly (object | null)[]): JobTopicsView {
  const view: JobTopicsView = { jobId, explored: [], stopReason: null, suggested: [] };
  const spidering = (events[0]?.facts as { spideringEnabled?: boolean }).spideringEnabled === true;
  for (const [place, { type, facts }] of events.entries()) {
    const content = contents[place] ?? null;
    if (type === 'TopicsPlanned') {
      view.explored.push(...exploredTopics(facts as TopicsPlanned['facts'], content as TopicsPlanned['content'] | null));
      view.stopReason = (facts as TopicsPlanned['facts']).stopReason;
    } else if (type === 'DeadlineReached' && (facts as DeadlineReached['facts']).phase === 'running' && spidering) {
      view.stopReason ??= 'deadline';
    } else if (type === 'JobCompleted') {
      view.suggested = suggestedTopics(content);
    }
  }
  return view;
}

/** Jobs that completed under an earlier build have none. */
function suggestedTopics(content: object | null): SuggestedTopicView[] {
  const { followOnTopics = [] } = (content ?? {}) as { followOnTopics?: { topic: string; rationale: string }[] };
  return followOnTopics.map(({ topic: text, rationale }) => ({ text, rationale }));
}

function exploredTopics({ round, topics }: TopicsPlanned['facts'], content: TopicsPlanned['content'] | null): ExploredTopicView[] {
  const texts = new Map(content?.topics.map((topic) => [topic.topic, topic]));
  return topics.map(({ topic, parent, steps }) => {
    const { text = '', rationale = '' } = texts.get(topic) ?? {};
    return { topic, parent, round, text, rationale, stepIds: steps.map(({ stepId }) => stepId) };
  });
}
