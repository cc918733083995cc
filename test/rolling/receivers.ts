import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinalEvent } from '@lib/domain/job/events';
import type { StoredRow } from '../support/histories';
import { Sink, type Behaviour } from '../webhooks/support/sink';
import { SingleTryClient, type Books } from './single-try-client';

const EVENT_TYPES = ['job.completed', 'job.failed', 'job.cancelled'];
/** So long that whoever stops has something in hand, and shorter than any drain. */
const SLOW_MS = 1_000;
/** Of the events, so many have their first attempt refused; it is repeated after about five seconds. */
const REFUSED = 8;

type Told = ReturnType<Sink['verified']>[number];

interface Receiver {
  sink: Sink;
  /** What its calls said, each verified as it came: signatures grow old. */
  told: Told[];
  /** Calls whose signature is none. */
  unsigned: string[];
  /** Ids of events that were answered with 2xx to somebody who still waited for it. */
  taken: Set<string>;
}

/** Two endpoints of the customers' that are told of the end of each job: one answers at once, one takes its time and refuses some at first. */
export class Receivers {
  private readonly receivers: Receiver[] = [];
  private underWay = 0;

  static async open(port: number, apiKey: string, books: Books): Promise<Receivers> {
    const receivers = new Receivers();
    const client = new SingleTryClient(port, apiKey, books, false);
    for (const isSlow of [false, true]) {
      const sink = await Sink.start();
      const { body } = await client.call('POST', '/v1/webhooks', 201, { body: { url: sink.url, eventTypes: EVENT_TYPES } });
      const receiver: Receiver = { sink, told: [], unsigned: [], taken: new Set() };
      const behaviour = isSlow ? receivers.slowly(receiver.taken) : atOnce(receiver.taken);
      sink.behaviour = (...call) => {
        hear(receiver, String(body.secret));
        behaviour(...call);
      };
      receivers.receivers.push(receiver);
    }
    client.close();
    return receivers;
  }

  /** Calls that wait for an answer. */
  get waiting(): number {
    return this.underWay;
  }

  /** How many calls came, and how many events were taken. */
  get counts(): { calls: number; events: number } {
    const sum = (count: (receiver: Receiver) => number) => this.receivers.reduce((all, receiver) => all + count(receiver), 0);
    return { calls: sum(({ told }) => told.length), events: sum(({ taken }) => taken.size) };
  }

  /** Whether each endpoint has taken as many events as there are jobs. */
  haveAll(jobs: number): boolean {
    return this.receivers.every(({ taken }) => taken.size >= jobs);
  }

  /** Ends that an endpoint was not told of, and calls that tell anything but the one final event of a job, under its id. */
  faults(events: readonly StoredRow[]): string[] {
    const finals = new Map(events.filter(({ type }) => isFinalEvent(type)).map((event) => [event.streamId, event]));
    return this.receivers.flatMap(({ sink, told, unsigned, taken }) => {
      const untold = [...finals.values()]
        .filter(({ id }) => !taken.has(id))
        .map(({ streamId }) => `${sink.url} was not told of ${streamId}`);
      const wrong = told.filter(({ id, type, data }) => {
        const final = finals.get(data.jobId ?? '');
        return id !== final?.id || type !== `job.${final.type.slice('Job'.length).toLowerCase()}`;
      });
      return [...untold, ...unsigned, ...wrong.map((call) => `${sink.url} was told ${JSON.stringify(call)}`)];
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.receivers.map(({ sink }) => sink.close()));
  }

  private slowly(taken: Set<string>): Behaviour {
    const seen = new Set<string>();
    return (response, request) => {
      const id = idOf(request);
      const isRefused = !seen.has(id) && seen.size % REFUSED === 0;
      seen.add(id);
      this.underWay += 1;
      response.on('close', () => (this.underWay -= 1));
      void delay(SLOW_MS).then(() => {
        if (response.destroyed) return;
        if (!isRefused) taken.add(id);
        response.writeHead(isRefused ? 503 : 204).end();
      });
    };
  }
}

function hear({ sink, told, unsigned }: Receiver, secret: string): void {
  try {
    told.push(...sink.verified(secret));
  } catch (error) {
    unsigned.push(`${sink.url}: ${String(error)}`);
  }
  sink.received.length = 0;
}

const idOf = ({ headers }: IncomingMessage): string => String(headers['webhook-id']);

const atOnce =
  (taken: Set<string>): Behaviour =>
  (response, request) => {
    taken.add(idOf(request));
    response.writeHead(204).end();
  };
