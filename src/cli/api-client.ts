import type { EventListView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';

/** Client of the HTTP API with the calls that `ask` needs. */
export class ApiClient {
  constructor(
    private readonly address: string,
    private readonly key: string,
    /** Once it aborts, all calls reject. */
    private readonly signal: AbortSignal,
  ) {}

  createThread(body: object): Promise<ThreadCreatedView> {
    return this.call('POST', '/v1/threads', body);
  }

  getJob(threadId: string, jobId: string): Promise<JobView> {
    return this.call('GET', `/v1/threads/${threadId}/jobs/${jobId}`);
  }

  listJobEvents(threadId: string, jobId: string): Promise<EventListView> {
    return this.call('GET', `/v1/threads/${threadId}/jobs/${jobId}/events`);
  }

  private async call<Result>(method: string, path: string, body?: object): Promise<Result> {
    const headers = { authorization: `Bearer ${this.key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const response = await fetch(this.address + path, { method, headers, body: body && JSON.stringify(body), signal: this.signal });
    const answer = (await response.json()) as Result & { error?: string };
    if (!response.ok) throw new Error(`${method} ${path} was refused with ${response.status}: ${answer.error ?? 'no reason given'}`);
    return answer;
  }
}
