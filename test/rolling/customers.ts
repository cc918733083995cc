import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinalStatus, type JobStatus, type ProviderId } from '@lib/domain/vocabulary';
import type { AcceptedJob } from '../support/load';
import { QUICK, SLOW_BACKGROUND } from '../support/simulated-providers';
import { SingleTryClient, type Books } from './single-try-client';

type Wait = (client: SingleTryClient, job: AcceptedJob) => Promise<void>;

const POLL_MS = 400;
const PAUSE_MS = 500;
const QUICK_ONES = [[QUICK], undefined];
/** At each restart somebody waits for one of them. */
const LONG_ONES = [[SLOW_BACKGROUND]];

interface Way {
  wait: Wait;
  /** Whom he asks in turn; undefined for whom the service chooses. */
  providers: readonly (readonly ProviderId[] | undefined)[];
  keepsConnection?: boolean;
}

const addressOf = ({ threadId, jobId }: AcceptedJob): string => `/v1/threads/${threadId}/jobs/${jobId}`;

const poll: Wait = async (client, job) => {
  for (;;) {
    const { body } = await client.call('GET', addressOf(job), 200);
    if (isFinalStatus(body.status as JobStatus)) return;
    await delay(POLL_MS);
  }
};

const longPoll: Wait = async (client, job) => {
  for (;;) {
    const { body } = await client.call('GET', addressOf(job), 200, { headers: { prefer: 'wait=20' } });
    if (isFinalStatus(body.status as JobStatus)) return;
  }
};

/** Every event comes once and in order, over however many connections. */
const stream =
  (books: Books): Wait =>
  async (client, job) => {
    const path = `${addressOf(job)}/events`;
    let last = 0;
    const take = (id: number): void => {
      if (id !== last + 1) books.fail(`${path} gave event ${id} after ${last}`);
      last = id;
    };
    for (let connections = 0; ; connections += 1) {
      const left = await client.follow(path, last, take);
      if (left === null) break;
      const { body } = await client.call('GET', addressOf(job), 200);
      if (!isFinalStatus(body.status as JobStatus)) books.resumed += 1;
      await delay(Math.min(left.retryMs, POLL_MS));
    }
    const { body } = await client.call('GET', path, 200);
    const { length } = body.events as unknown[];
    // A run that is given up at the end may still be told of after it.
    if (length < last) books.fail(`${path} has ${length} events and gave ${last}`);
  };

/** Customers who ask, wait in their way for the answer, and ask again, until nobody is let in any more. */
export class Customers {
  readonly jobs: AcceptedJob[] = [];
  readonly canaries = new Set([`canary${randomBytes(8).toString('hex')}`]);
  /** Jobs that nobody waits for any more. */
  ended = 0;
  private isOpen = true;
  private readonly left: Promise<void>;

  constructor(
    private readonly port: number,
    private readonly apiKey: string,
    private readonly books: Books,
  ) {
    const ways: Way[] = [
      { wait: poll, providers: QUICK_ONES },
      { wait: poll, providers: QUICK_ONES, keepsConnection: false },
      { wait: poll, providers: LONG_ONES },
      { wait: longPoll, providers: QUICK_ONES },
      { wait: longPoll, providers: LONG_ONES },
      { wait: stream(books), providers: QUICK_ONES },
      { wait: stream(books), providers: LONG_ONES },
    ];
    this.left = Promise.all(ways.map((way) => this.serve(way))).then(() => undefined);
  }

  get open(): number {
    return this.jobs.length - this.ended;
  }

  /** Resolves once everybody has what he asked for. */
  finish(): Promise<void> {
    this.isOpen = false;
    return this.left;
  }

  private async serve({ wait, providers, keepsConnection }: Way): Promise<void> {
    const client = new SingleTryClient(this.port, this.apiKey, this.books, keepsConnection);
    for (let visit = 0; this.isOpen; visit += 1) {
      // What went wrong stands in the books.
      await this.visit(client, wait, providers[visit % providers.length]).catch(() => undefined);
      await delay(PAUSE_MS);
    }
    client.close();
  }

  private async visit(client: SingleTryClient, wait: Wait, providers: readonly ProviderId[] | undefined): Promise<void> {
    const message = `What became of ${[...this.canaries].join()} number ${this.jobs.length}?`;
    const { body } = await client.call('POST', '/v1/threads', 201, { body: { message, budget: 'S', ...(providers && { providers }) } });
    const job = { threadId: String(body.id), jobId: (body.job as { id: string }).id };
    this.jobs.push(job);
    await wait(client, job).finally(() => (this.ended += 1));
  }
}
