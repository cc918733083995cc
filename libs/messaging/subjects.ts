import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';

/**
 * The map of the wire: every stream, subject and payload type. Each payload carries `v`. A prefix, if one is set,
 * comes before every subject and the stream's name, so that several deployments can share a server.
 */
export const WIRE_VERSION = 1;

/** JetStream work queue; ids only, and it may be wiped at any moment without losing a job. */
export const WORK_STREAM = 'RESEARCH_WORK';

/**
 * A piece of work for any free process: ids, never content. `cancel` tells a provider to stop a run. A step that `resumes` continues a run that its
 * provider has accepted; that is a hint from the dispatch, and the claim decides. A synthesis is `first` if it is dispatched by the commit that made
 * it due, so that nobody has tried it yet.
 */
export type Work =
  | { kind: 'step'; provider: ProviderId; jobId: string; stepId: string; resumes: boolean }
  | { kind: 'cancel'; provider: ProviderId; jobId: string; stepId: string; run: number }
  | { kind: 'explore'; jobId: string }
  | { kind: 'synthesis'; jobId: string; first: boolean };

/** What one consumer takes: the steps of one provider, the runs to cancel at it, the searches for topics, or the syntheses. */
export type WorkQueue = { kind: 'step' | 'cancel'; provider: ProviderId } | { kind: 'explore' } | { kind: 'synthesis' };

/**
 * Whether work may take longer than an entry waits for its acknowledgement: its holder then tells the broker from time to time that it is still at
 * work.
 */
export const takesLong = ({ kind }: WorkQueue): boolean => kind === 'explore' || kind === 'synthesis';

export function workSubject(work: Work): string {
  switch (work.kind) {
    case 'step':
      return `work.step.${work.provider}.${work.jobId}.${work.stepId}`;
    case 'cancel':
      return `work.cancel.${work.provider}.${work.jobId}.${work.stepId}.${work.run}`;
    case 'explore':
    case 'synthesis':
      return `work.${work.kind}.${work.jobId}`;
  }
}

/** Names of the durable consumer and of the stream; a prefix ends in a dot, or is empty. */
export const consumerName = (queue: WorkQueue): string => ('provider' in queue ? `${queue.kind}-${queue.provider}` : queue.kind);
export const streamName = (subjectPrefix: string): string => `${subjectPrefix.replace('.', '_')}${WORK_STREAM}`;

/** The NATS_PREFIX that has a stream of this name; null if it is none of ours. */
export const prefixOfStream = (name: string): string | null =>
  name.endsWith(WORK_STREAM) ? name.slice(0, -WORK_STREAM.length).replace(/_$/, '') : null;

/** `*` stands for every provider. */
export function queueSubject(queue: WorkQueue | { kind: 'step' | 'cancel'; provider: '*' }): string {
  if (queue.kind === 'explore' || queue.kind === 'synthesis') return `work.${queue.kind}.*`;
  return `work.${queue.kind}.${queue.provider}.*.*${queue.kind === 'cancel' ? '.*' : ''}`;
}

/**
 * Request and reply between a worker and the saga; each message carries a batch. Workers add their provider to the subject, so that the broker can
 * confine them to it; those of the release before do not.
 */
export const SAGA_SUBJECTS = {
  claim: 'step.claim',
  recordExternalId: 'step.external',
  heartbeat: 'step.heartbeat',
  report: 'step.report',
  abandonedRun: 'run.abandoned',
  runCancelled: 'run.cancelled',
} as const;
export type SagaCall = keyof typeof SAGA_SUBJECTS;

/** A heartbeat that one saga did not answer is repeated here, where every saga is asked. */
export const HEARTBEAT_TO_ALL = 'step.heartbeat.all';

/** The subject at which a saga listens to the workers of a provider. */
export const sagaSubject = (call: SagaCall, provider: ProviderId | '*'): string => `${SAGA_SUBJECTS[call]}.${provider}`;
export const heartbeatToAllSubject = (provider: ProviderId | '*'): string => `${SAGA_SUBJECTS.heartbeat}.${provider}.all`;

/** Queue group of the processes that serve the saga's subjects. */
export const SAGA_GROUP = 'saga';

const JOB_CHANGED = 'job.changed.';
/** Broadcast after each commit with events of a job; payload `{ v, version }`, of the last of them. */
export const jobChangedSubject = (jobId: string): string => JOB_CHANGED + jobId;
export const ANY_JOB_CHANGED = `${JOB_CHANGED}*`;

/** @returns which job changed; its version is null where the payload does not tell one that this build can read */
export function readJobChanged(subject: string, payload: unknown): { jobId: string; version: number | null } {
  const { version } = (payload ?? {}) as { version?: unknown };
  return { jobId: subject.slice(JOB_CHANGED.length), version: typeof version === 'number' ? version : null };
}

/** Broadcast after a commit that deleted threads or erased jobs; payload `{ v, streamIds }`. */
export const CONTENT_ERASED_SUBJECT = 'content.erased';

/** @returns the ids of the erased threads and jobs; empty if this build cannot read any from the payload */
export function readContentErased(payload: unknown): string[] {
  const { streamIds } = (payload ?? {}) as { streamIds?: unknown };
  return Array.isArray(streamIds) ? streamIds.filter((streamId) => typeof streamId === 'string') : [];
}

/** Broadcast where a commit left steps waiting for their turn; payload `{ v, providers }`. */
export const STEPS_WAIT_SUBJECT = 'agenda.waiting';

/** Broadcast by each api process a few times a second while it answers callers with limits; payload `{ v, from, taken }`. */
export const LIMITS_TAKEN_SUBJECT = 'limits.taken';

/** Broadcast by an api process whose readiness checks all passed; payload `{ v, from }`. */
export const API_WELL_SUBJECT = 'api.well';

/** @returns the process that sent it; null for a payload that this build cannot read */
export function readApiWell(payload: unknown): string | null {
  const { v, from } = (payload ?? {}) as { v?: unknown; from?: unknown };
  return v === WIRE_VERSION && typeof from === 'string' ? from : null;
}

/** Whether a subscription to `pattern` receives `subject`: `*` stands for one token, a final `>` for one or more. */
export const matchesSubject = (pattern: string, subject: string): boolean => {
  if (pattern === subject) return true;
  const wanted = pattern.split('.');
  const tokens = subject.split('.');
  const open = wanted.at(-1) === '>';
  if (open ? tokens.length < wanted.length : tokens.length !== wanted.length) return false;
  return (open ? wanted.slice(0, -1) : wanted).every((token, place) => token === '*' || token === tokens[place]);
};

/** The message of a work entry: the same ids as in its subject, so that the two can be compared. */
export const workPayload = (work: Work): { v: number } & Work => ({ v: WIRE_VERSION, ...work });

/**
 * Reads a work entry back.
 * @returns the work, or the reason why it is not a valid entry; the reason never repeats the entry's content. An entry of a newer build is not an
 * error: it is left to the processes that can read it.
 */
export const readWork = (subject: string, text: string): Work | { unreadable: string; isNewer?: true } => {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return { unreadable: 'not JSON' };
  }
  if (typeof payload !== 'object' || payload === null) return { unreadable: 'not an object' };
  const { v, ...ids } = payload as Record<string, unknown>;
  if (typeof v === 'number' && v > WIRE_VERSION) return { unreadable: 'a newer wire version', isNewer: true };
  if (v !== WIRE_VERSION) return { unreadable: 'another wire version' };

  const hints = { resumes: ids.resumes === true, first: ids.first === true };
  const work = workOfSubject(subject, hints);
  if (work === null) return { unreadable: 'unknown subject' };
  const told: Record<string, unknown> = { ...ids, ...hints };
  const matches = Object.entries(work).every(([name, value]) => told[name] === value);
  return matches ? work : { unreadable: 'ids that differ from its subject' };
};

const workOfSubject = (subject: string, { resumes, first }: { resumes: boolean; first: boolean }): Work | null => {
  const [area, kind, third = '', jobId = '', stepId = '', run = '', ...rest] = subject.split('.');
  if (area !== 'work' || rest.length > 0) return null;
  if (kind === 'explore' || kind === 'synthesis') {
    if (third === '' || jobId !== '') return null;
    return kind === 'explore' ? { kind, jobId: third } : { kind, jobId: third, first };
  }
  const provider = PROVIDERS.find((known) => known === third);
  if (!provider || jobId === '' || stepId === '') return null;
  if (kind === 'step') return run === '' ? { kind, provider, jobId, stepId, resumes } : null;
  return kind === 'cancel' && /^[1-9]\d{0,3}$/.test(run) ? { kind, provider, jobId, stepId, run: Number(run) } : null;
};

/** First token of every reply subject; an asker that names any other subject gets no answer. */
export const INBOX = '_INBOX';

/** Replies to one party come below this subject, so that the broker can keep them from every other one. */
export const inboxPrefix = (subjectPrefix: string, party: string): string => `${INBOX}.${subjectPrefix}${party}`;
