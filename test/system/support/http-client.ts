import { setTimeout as delay } from 'node:timers/promises';
import { isFinalStatus } from '@lib/domain/vocabulary';
import type { EventView } from '@lib/store/views/event.view';
import type { JobPursuedView, JobView } from '@lib/store/views/job.view';
import type { ThreadCreatedView, ThreadDetailView } from '@lib/store/views/thread.view';

/** An answer as it came; `body` is what its JSON says. */
export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

const POLL_MS = 15;
const FINAL_WITHIN_MS = 60_000;

/** A client of the running service with one key: real requests over a real socket. */
export class HttpClient {
  constructor(
    /** With the base path. */
    readonly address: string,
    private readonly key: string | null,
  ) {}

  withKey(key: string | null): HttpClient {
    return new HttpClient(this.address, key);
  }

  async send<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    const response = await fetch(this.address + path, {
      method,
      headers: {
        ...this.headers(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Body };
  }

  headers(): Record<string, string> {
    return this.key === null ? {} : { authorization: `Bearer ${this.key}` };
  }

  /** @throws Error with the answer if it is not of this status */
  async expect<Body>(status: number, method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.send<Body>(method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} instead of ${status}: ${answer.text}`);
    return answer.body;
  }

  createThread(body: object): Promise<ThreadCreatedView> {
    return this.expect(201, 'POST', '/v1/threads', body);
  }

  getThread(threadId: string): Promise<ThreadDetailView> {
    return this.expect(200, 'GET', `/v1/threads/${threadId}`);
  }

  getJob(threadId: string, jobId: string): Promise<JobView> {
    return this.expect(200, 'GET', `/v1/threads/${threadId}/jobs/${jobId}`);
  }

  pursue(threadId: string, jobId: string, body: object): Promise<JobPursuedView> {
    return this.expect(201, 'POST', `/v1/threads/${threadId}/jobs/${jobId}/pursue`, body);
  }

  async events(threadId: string, jobId: string): Promise<EventView[]> {
    return (await this.expect<{ events: EventView[] }>(200, 'GET', `/v1/threads/${threadId}/jobs/${jobId}/events`)).events;
  }

  /** The job once it has reached this status. */
  jobWhen(threadId: string, jobId: string, status: JobView['status']): Promise<JobView> {
    return this.pollJob(threadId, jobId, (job) => job.status === status);
  }

  /** The job once it is final, whichever way. */
  finalJob(threadId: string, jobId: string): Promise<JobView> {
    return this.pollJob(threadId, jobId, ({ status }) => isFinalStatus(status));
  }

  /** Creates a thread and waits for the end of its job. */
  async research(body: object): Promise<JobView> {
    const { id, job } = await this.createThread(body);
    return this.finalJob(id, job.id);
  }

  private async pollJob(threadId: string, jobId: string, isThere: (job: JobView) => boolean): Promise<JobView> {
    const deadline = performance.now() + FINAL_WITHIN_MS;
    for (;;) {
      const job = await this.getJob(threadId, jobId);
      if (isThere(job)) return job;
      if (performance.now() > deadline) throw new Error(`after ${FINAL_WITHIN_MS} ms the job is still ${job.status}`);
      await delay(POLL_MS);
    }
  }
}
