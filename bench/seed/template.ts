import type { KeyObject } from 'node:crypto';
import type { DecidedUnit } from '@lib/store/commit/decide-unit';
import { contentDigest } from '@lib/store/commit/recorded-facts';
import type { Writes } from '@lib/store/commit/writes';
import { indexThreads, writesOf } from '@lib/store/commit/writes-of';
import { emptyStream, evolve, type Stream } from '@lib/store/history/aggregates';
import { chained, recordOf, type EventRecord } from '@lib/store/history/event-record';
import { uncommitted, type Contents } from '@lib/store/sealing/contents';
import type { KeyRing } from '@lib/store/sealing/key-ring';
import { documentPlace, eventPlace, pack, seal, sealPacked, type Packed } from '@lib/store/sealing/seal';
import { jobDocument } from '@lib/store/views/job-document';
import { CutText, Variables } from './cut-text';
import type { Told } from './history';

/** Has no effect, because a finished job has nothing on the agenda. */
const TIMES = { leaseMs: 60_000, redispatchFirstMs: 60_000, windowOf: () => 1 };

/** Rows of the views but for the sealed document; they hold ids and times, and nothing that depends on a key. */
type Rows = Pick<Writes, 'newThreads' | 'messages' | 'newJobs'>;

interface Content {
  text: CutText;
  /** Set if the content names no id, so that it is the same in all copies. */
  fixed: { bytes: Buffer; packed: Packed } | null;
}

interface EventTemplate {
  record: EventRecord;
  tenantId: string;
  id: number;
  streamId: number;
  facts: CutText;
  meta: CutText;
  content: Content | null;
  /** What the service recorded of the content under the thread's key. */
  digest: string;
}

/** A thread and its finished job as the store's own code derives them from their events, to be copied with other ids, times and keys. */
export class Template {
  private constructor(
    private readonly variables: Variables,
    private readonly events: readonly EventTemplate[],
    private readonly rows: CutText,
    private readonly document: CutText,
  ) {}

  static async of(history: readonly Told[], contents: Contents): Promise<Template> {
    const variables = new Variables();
    const decided = replay(history);
    const after = decided.streams;
    const before = new Map([...after.keys()].map((streamId) => [streamId, emptyStream(streamId)]));
    const { newThreads, messages, newJobs, events } = writesOf(
      { decided: [decided], before, documents: new Map(), threadIndexes: indexThreads([decided]) },
      TIMES,
    );
    const templates = events.map(({ record, tenantId }, place) =>
      eventTemplate(record, tenantId, history[place]?.content ?? null, variables),
    );
    const rows: Rows = { newThreads, messages, newJobs };
    const document = await documentOf(decided, contents);
    return new Template(
      variables,
      templates,
      new CutText(JSON.stringify(rows), variables),
      new CutText(JSON.stringify(document), variables),
    );
  }

  /** Adds what the service would have written had it happened `shiftMs` later. @returns the ids of the thread and its job */
  copyTo(writes: Writes, shiftMs: number, ring: KeyRing): { threadId: string; jobId: string } {
    const values = this.variables.anew(shiftMs);
    const { newThreads, messages, newJobs } = JSON.parse(this.rows.filled(values)) as Rows;
    const [thread, job] = [newThreads[0], newJobs[0]];
    if (!thread || !job) throw new Error('a template is a thread with a job');
    const threadIndex = writes.newThreads.length;
    const { key, kekId, wrapped } = ring.create(thread.id);
    writes.newKeys.push({ threadId: thread.id, tenantId: thread.tenantId, kekId, wrapped, threadIndex });
    writes.newThreads.push({ ...thread, threadIndex });
    for (const message of messages) writes.messages.push({ ...message, threadIndex });
    const document = seal(key, documentPlace(job.id), this.document.filled(values));
    writes.newJobs.push({ ...job, document, threadIndex });
    let previous: EventRecord | null = null;
    for (const event of this.events) {
      const before: Buffer | null = previous !== null && previous.streamId === values[event.streamId] ? previous.hash : null;
      previous = copyOfEvent(event, values, key, before);
      writes.events.push({ record: previous, tenantId: event.tenantId, threadIndex });
    }
    return { threadId: thread.id, jobId: job.id };
  }
}

/** The streams as the service folded them. */
function replay(history: readonly Told[]): DecidedUnit {
  const streams = new Map<string, Stream>();
  const appended = history.map(({ content, ...told }) => {
    const stream = streams.get(told.streamId) ?? emptyStream(told.streamId);
    const record = recordOf(told, stream.hash, null);
    const object = content === null ? null : (JSON.parse(content) as object);
    const event = { type: told.type, facts: told.facts, content: object ?? undefined } as unknown as Parameters<typeof evolve>[1];
    streams.set(told.streamId, evolve(stream, event, told.meta.occurredAt, record.hash));
    return { record, contentText: content ?? '' };
  });
  const { actor, correlationId } = history[0]?.meta ?? { actor: '', correlationId: '' };
  return {
    unit: { commands: [], meta: { actor, correlationId } },
    threadId: history[0]?.streamId ?? '',
    threadDeleted: false,
    appended,
    streams,
  };
}

async function documentOf({ streams, appended }: DecidedUnit, contents: Contents): Promise<object> {
  const fresh = uncommitted(appended);
  for (const [jobId, { kind, state }] of streams) {
    const document = kind === 'job' && (await jobDocument(jobId, state, contents.ofJob(jobId, state.threadId, fresh)));
    if (document) return document;
  }
  throw new Error('a template is a thread with a finished job');
}

function eventTemplate(record: EventRecord, tenantId: string, content: string | null, variables: Variables): EventTemplate {
  const { canonicalFacts, canonicalMeta } = record;
  const { contentDigest: digest = '' } = record.facts as { contentDigest?: string };
  const text = content === null ? null : new CutText(content, variables);
  const bytes = Buffer.from(content ?? '');
  return {
    record,
    tenantId,
    id: variables.placeOf(record.id),
    streamId: variables.placeOf(record.streamId),
    facts: new CutText(canonicalFacts, variables),
    meta: new CutText(canonicalMeta, variables),
    content: text && { text, fixed: text.isFixed ? { bytes, packed: pack(bytes) } : null },
    digest,
  };
}

/** Its `facts` and `meta` stay the template's: what is chained and stored is their canonical text. */
function copyOfEvent(event: EventTemplate, values: readonly string[], key: KeyObject, previous: Buffer | null): EventRecord {
  const { record, content, digest } = event;
  const [id, streamId] = [values[event.id] as string, values[event.streamId] as string];
  const place = eventPlace(streamId, record.version, record.type);
  let canonicalFacts = event.facts.filled(values);
  let sealed: Buffer | null = null;
  if (content) {
    const bytes = content.fixed?.bytes ?? Buffer.from(content.text.filled(values));
    sealed = sealPacked(key, place, content.fixed?.packed ?? pack(bytes));
    if (digest !== '') canonicalFacts = canonicalFacts.replace(digest, contentDigest(key, place, bytes));
  }
  return chained({ ...record, id, streamId, canonicalFacts, canonicalMeta: event.meta.filled(values) }, previous, sealed);
}
