import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL_JOB_EVENTS } from '@lib/domain/job/events';
import { readEvents } from '@lib/providers/server-sent-events';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';

/** Until a stream that broke off is followed again. */
const RETRY_MS = 1_000;

export const isFinalEvent = (type: string): boolean => (FINAL_JOB_EVENTS as readonly string[]).includes(type);

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

  /** Each event as it happens, until the final one; a stream that ends before it is followed again. */
  async *followJob(threadId: string, jobId: string): AsyncGenerator<EventView> {
    const path = `/v1/threads/${threadId}/jobs/${jobId}/events`;
    for (let last = 0; ; await sleep(RETRY_MS, undefined, { signal: this.signal })) {
      const pieces = await this.stream(path, last);
      try {
        for await (const { data } of readEvents(pieces)) {
          const event = JSON.parse(data) as EventView;
          last = event.version;
          yield event;
          if (isFinalEvent(event.type)) return;
        }
      } catch (error) {
        if (this.signal.aborted || !(error instanceof TypeError)) throw error;
      }
    }
  }

  private async stream(path: string, last: number): Promise<AsyncIterable<string>> {
    const headers = {
      authorization: `Bearer ${this.key}`,
      accept: 'text/event-stream',
      ...(last > 0 && { 'last-event-id': String(last) }),
    };
    const response = await fetch(this.address + path, { headers, signal: this.signal });
    if (response.body && response.headers.get('content-type') === 'text/event-stream')
      return response.body.pipeThrough(new TextDecoderStream());
    throw new Error(`GET ${path} was answered with ${response.status} and no event stream: ${(await response.text()).slice(0, 500)}`);
  }

  private async call<Result>(method: string, path: string, body?: object): Promise<Result> {
    const headers = { authorization: `Bearer ${this.key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const response = await fetch(this.address + path, { method, headers, body: body && JSON.stringify(body), signal: this.signal });
    const answer = (await response.json()) as Result & { error?: string };
    if (!response.ok) throw new Error(`${method} ${path} was refused with ${response.status}: ${answer.error ?? 'no reason given'}`);
    return answer;
  }
}
