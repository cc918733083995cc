import type { JobEvent, TopicsPlanned } from '@lib/domain/job/events';
import { upcast } from '../history/upcasters';
import type { JobContents, TopicText } from '../sealing/job-contents';
import type { ExploredTopicView, JobTopicsView, SuggestedTopicView } from './topic.view';

/** Whether an event speaks of a job's topics, or of the job itself: a new type of event has to say so here. */
const TELLS_OF_TOPICS: Record<JobEvent['type'], boolean> = {
  JobRequested: true,
  DeadlineReached: true,
  TopicsPlanned: true,
  JobCompleted: true,
  BalanceReserved: false,
  StepSkipped: false,
  StepStarted: false,
  StepExternalIdRecorded: false,
  StepRetryRedirected: false,
  StepRedriven: false,
  StepCompleted: false,
  StepFailed: false,
  StepAttemptLost: false,
  StepResultLate: false,
  StepRunCancelled: false,
  ExploreStarted: false,
  SynthesisStarted: false,
  SynthesisClaimed: false,
  SynthesisAttemptLost: false,
  SynthesisSettled: false,
  JobFailed: false,
  JobCancelled: false,
  JobRedriven: false,
  ContentErased: false,
};
const TYPES = Object.entries(TELLS_OF_TOPICS).flatMap(([type, tells]) => (tells ? [`'${type}'`] : []));

export const TOPIC_EVENTS = `select version, type, schema_version as "schemaVersion", facts from event
  where stream_id = (select job.id from job join thread on thread.id = job.thread_id where job.tenant_id = $1 and thread_id = $2 and job.id = $3)
    and type in (${TYPES.join(', ')}) order by version`;

export interface TopicEvent {
  version: number;
  type: string;
  schemaVersion: number;
  facts: object;
}

export async function jobTopics(jobId: string, events: readonly TopicEvent[], contents: JobContents): Promise<JobTopicsView> {
  const view: JobTopicsView = { jobId, explored: [], stopReason: null, suggested: [] };
  let spidering = false;
  const told = await Promise.all(events.map((event) => toldBy(event, contents)));
  for (const { event, topics, suggested } of told) {
    if (event.type === 'JobRequested') spidering = event.facts.spideringEnabled;
    else if (event.type === 'DeadlineReached' && event.facts.phase === 'running' && spidering) view.stopReason ??= 'deadline';
    else if (event.type === 'TopicsPlanned') {
      view.explored.push(...exploredTopics(event.facts, topics));
      view.stopReason = event.facts.stopReason;
    } else if (event.type === 'JobCompleted') view.suggested = suggested;
  }
  return view;
}

async function toldBy({ version, type, schemaVersion, facts }: TopicEvent, contents: JobContents) {
  const event = upcast(type, schemaVersion, facts);
  const topics = event.type === 'TopicsPlanned' ? await contents.topics(version) : [];
  const suggested = event.type === 'JobCompleted' ? await suggestedTopics(version, contents) : [];
  return { event, topics, suggested };
}

async function suggestedTopics(synthesisVersion: number, contents: JobContents): Promise<SuggestedTopicView[]> {
  const followOnTopics = (await contents.synthesis({ synthesisVersion }))?.followOnTopics ?? [];
  return followOnTopics.map(({ topic: text, rationale }) => ({ text, rationale }));
}

function exploredTopics({ round, topics }: TopicsPlanned['facts'], told: readonly TopicText[]): ExploredTopicView[] {
  const texts = new Map(told.map((topic) => [topic.topic, topic]));
  return topics.map(({ topic, parent, steps }) => {
    const { text = '', rationale = '' } = texts.get(topic) ?? {};
    return { topic, parent, round, text, rationale, stepIds: steps.map(({ stepId }) => stepId) };
  });
}
