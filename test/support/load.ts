import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinalStatus, type JobStatus, type ProviderId } from '@lib/domain/vocabulary';
import { Client, Unanswered, type Answer } from './client';
import type { Supervisor } from './supervisor';

/** A job that was answered with 201. */
export interface AcceptedJob {
  threadId: string;
  jobId: string;
}

export interface LoadOptions {
  /** As many as this; without a number, for as long as nobody calls `finish`. */
  jobs?: number;
  /** Jobs that are open at a time: a customer asks for the next one when one has ended. */
  atATime?: number;
  providers?: readonly ProviderId[];
}

const POLL_MS = 150;
/** Longer than any outage and everything that follows from it. */
const PATIENCE_MS = 60_000;

/** Customers who ask, wait until their job has ended, and ask again; whatever fails on the way they repeat. */
export class Load {
  readonly accepted: AcceptedJob[] = [];
  /** How each job that was seen to the end ended, by its id. */
  readonly endings = new Map<string, unknown>();
  /** Requests of which the customer never learned what became of them. */
  unanswered = 0;
  /** Content that only sealed events and answers may hold: a word of every question, and a statement of a report once one was read. */
  readonly canaries = new Set([`canary${randomBytes(8).toString('hex')}`]);
  private readonly finished: Promise<void>;
  private readonly client: Client;
  private jobs: number;
  private asked = 0;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly options: LoadOptions = {},
  ) {
    this.jobs = options.jobs ?? Infinity;
    this.client = new Client(supervisor);
    this.finished = this.run();
    // Whoever awaits it sees the failure; until then it is nobody's.
    this.finished.catch(() => undefined);
  }

  get openJobs(): number {
    return this.accepted.length - this.endings.size;
  }

  /** Resolves when everything that was asked for has ended; an endless load asks for nothing more. */
  finish(): Promise<void> {
    if (this.jobs === Infinity) this.jobs = this.asked;
    return this.finished;
  }

  private async run(): Promise<void> {
    const { atATime = 8 } = this.options;
    await Promise.all(Array.from({ length: Math.min(this.jobs, atATime) }, () => this.customer()));
  }

  private async customer(): Promise<void> {
    while (this.asked < this.jobs) {
      this.asked += 1;
      const job = await this.untilAccepted(this.asked);
      this.accepted.push(job);
      this.endings.set(job.jobId, await this.untilFinal(job));
    }
  }

  private async untilAccepted(number: number): Promise<AcceptedJob> {
    const { providers } = this.options;
    const [word] = this.canaries;
    const question = { message: `What became of ${word} number ${number}?`, budget: 'S', ...(providers ? { providers } : {}) };
    const { body } = await this.repeated('POST', '/v1/threads', question, ({ status }) => status === 201);
    return { threadId: String(body.id), jobId: (body.job as { id: string }).id };
  }

  private async untilFinal({ threadId, jobId }: AcceptedJob): Promise<unknown> {
    const isFinal = ({ body }: Answer) => isFinalStatus(body.status as JobStatus);
    const { body } = await this.repeated('GET', `/v1/threads/${threadId}/jobs/${jobId}`, undefined, isFinal);
    for (const { reportMarkdown } of body.steps as { reportMarkdown: string }[]) {
      const statement = /In \d{4} the [\w ]+/.exec(reportMarkdown)?.[0];
      if (statement && this.canaries.size < 2) this.canaries.add(statement);
    }
    return body.status;
  }

  /** Asks until the answer is the wanted one. Only an outage (503) or silence may come in its place. */
  private async repeated(method: string, path: string, body: object | undefined, wanted: (answer: Answer) => boolean): Promise<Answer> {
    for (const began = performance.now(); ;) {
      try {
        const answer = await this.client.call(method, path, body);
        if (wanted(answer)) return answer;
        if (answer.status !== 200 && answer.status !== 503)
          throw new Error(`${method} ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        this.unanswered += 1;
      }
      if (this.supervisor.isClosed || performance.now() - began > PATIENCE_MS)
        throw new Error(`${method} ${path} did not get the answer it waits for`);
      await delay(POLL_MS);
    }
  }
}
