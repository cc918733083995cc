import { setTimeout as delay } from 'node:timers/promises';
import { isFinalEvent, type StoredRow } from '../support/histories';
import { answers, Sink, type Behaviour } from '../webhooks/support/sink';
import { Caller, type Books } from './caller';

const EVENT_TYPES = ['job.completed', 'job.failed', 'job.cancelled'];
/** So long that whoever stops has something in hand, and shorter than any drain. */
const SLOW_MS = 1_000;
/** Of the events, so many have their first attempt refused; it is repeated after about five seconds. */
const REFUSED = 8;

interface Receiver {
  sink: Sink;
  secret: string;
}

/** Two endpoints of the customers' that are told of the end of each job: one answers at once, one takes its time and refuses some at first. */
export class Receivers {
  private readonly receivers: Receiver[] = [];
  private underWay = 0;

  static async open(port: number, apiKey: string, books: Books): Promise<Receivers> {
    const receivers = new Receivers();
    const caller = new Caller(port, apiKey, books, false);
    for (const behaviour of [answers(204), receivers.slowly()]) {
      const sink = await Sink.start(behaviour);
      receivers.receivers.push({ sink, secret: '' });
      const { body } = await caller.call('POST', '/v1/webhooks', 201, { body: { url: sink.url, eventTypes: EVENT_TYPES } });
      receivers.receivers.splice(-1, 1, { sink, secret: String(body.secret) });
    }
    caller.close();
    return receivers;
  }

  /** Calls that wait for an answer. */
  get waiting(): number {
    return this.underWay;
  }

  /** How many calls came, of how many events. */
  get counts(): { calls: number; events: number } {
    const received = this.receivers.flatMap(({ sink }) =>
      sink.received.map(({ headers }) => `${sink.url} ${String(headers['webhook-id'])}`),
    );
    return { calls: received.length, events: new Set(received).size };
  }

  /** Whether each endpoint was told of the end of each job. */
  haveAll(jobIds: readonly string[]): boolean {
    return this.receivers.every(({ sink }) => {
      const told = new Set(sink.received.map(({ body }) => (JSON.parse(body) as { data: { jobId: string } }).data.jobId));
      return jobIds.every((jobId) => told.has(jobId));
    });
  }

  /** Ends that an endpoint was not told of, and calls that tell anything but the one final event of a job, under its id. */
  faults(events: readonly StoredRow[]): string[] {
    const finals = new Map(events.filter(isFinalEvent).map((event) => [event.streamId, event]));
    return this.receivers.flatMap(({ sink, secret }) => {
      const told = sink.verified(secret);
      const known = new Set(told.map(({ id }) => id));
      const untold = [...finals.values()]
        .filter(({ id }) => !known.has(id))
        .map(({ streamId }) => `${sink.url} was not told of ${streamId}`);
      const wrong = told.filter(({ id, type, data }) => {
        const final = finals.get(data.jobId ?? '');
        return id !== final?.id || type !== `job.${final.type.slice('Job'.length).toLowerCase()}`;
      });
      return [...untold, ...wrong.map((call) => `${sink.url} was told ${JSON.stringify(call)}`)];
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.receivers.map(({ sink }) => sink.close()));
  }

  private slowly(): Behaviour {
    const seen = new Set<string>();
    return (response, request) => {
      const id = String(request.headers['webhook-id']);
      const isRefused = !seen.has(id) && seen.size % REFUSED === 0;
      seen.add(id);
      this.underWay += 1;
      response.on('close', () => (this.underWay -= 1));
      void delay(SLOW_MS).then(() => response.writeHead(isRefused ? 503 : 204).end());
    };
  }
}
