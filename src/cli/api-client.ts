import { setTimeout as sleep } from 'node:timers/promises';
import { isFinalEvent } from '@lib/domain/job/events';
import { readEvents } from '@lib/providers/server-sent-events';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';

/** How long a stream that does not open is tried: longer than a rolling restart, during which there may be no answer. */
const PATIENCE = { retryMs: 1_000, tries: 60 };
/** Longest part of an answer that is not JSON that an error message quotes. */
const MAX_EXCERPT_LENGTH = 500;

/** There was no answer, or a later try may get a different one. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** The thread was deleted, and the job with it. */
export class JobGone extends Error {
  override readonly name = 'JobGone';
}

/** The service does not know the key, or not any more. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/** Client of the HTTP API with the calls that `ask` needs. */
export class ApiClient {
  constructor(
    private readonly address: string,
    private readonly key: string,
    /** Once it aborts, all calls reject. */
    private readonly signal: AbortSignal,
    private readonly patience = PATIENCE,
  ) {}

  createThread(body: object): Promise<ThreadCreatedView> {
    return this.call('POST', '/v1/threads', body);
  }

  getJob(threadId: string, jobId: string): Promise<JobView> {
    return this.call('GET', `/v1/threads/${threadId}/jobs/${jobId}`);
  }

  /**
   * Each event as it happens, until the final one. A stream that ends before it or cannot be opened is followed again.
   * @throws Error if the stream is refused, or does not open for as many tries in a row as there are
   */
  async *followJob(threadId: string, jobId: string): AsyncGenerator<EventView> {
    const { retryMs, tries } = this.patience;
    const path = `/v1/threads/${threadId}/jobs/${jobId}/events`;
    for (let last = 0, tried = 0; ; await sleep(retryMs, undefined, { signal: this.signal })) {
      try {
        tried += 1;
        const pieces = await this.stream(path, last);
        tried = 0;
        for await (const { data } of readEvents(pieces)) {
          const event = JSON.parse(data) as EventView;
          last = event.version;
          yield event;
          if (isFinalEvent(event.type)) return;
        }
      } catch (error) {
        if (this.signal.aborted || !mayPass(error)) throw error;
        if (tried === tries) throw new Error(`${jobId} goes on and is no longer followed, after ${tries} tries: ${error.message}`);
      }
    }
  }

  private async stream(path: string, last: number): Promise<AsyncIterable<string>> {
    const response = await this.send('GET', path, {
      headers: { accept: 'text/event-stream', ...(last > 0 && { 'last-event-id': String(last) }) },
    });
    if (!response.ok) throw this.refusal('GET', path, response.status, await response.text());
    if (response.body && response.headers.get('content-type') === 'text/event-stream')
      return response.body.pipeThrough(new TextDecoderStream());
    throw new Error(`GET ${this.address}${path} was answered with no event stream: ${excerptOf(await response.text())}`);
  }

  private async call<Result>(method: string, path: string, body?: object): Promise<Result> {
    const content = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await this.send(method, path, content);
    const text = await response.text();
    const answer = parsed(text);
    if (response.ok && answer !== null) return answer as Result;
    throw this.refusal(method, path, response.status, text);
  }

  private async send(method: string, path: string, { headers, body }: { headers?: object; body?: string } = {}): Promise<Response> {
    const sent = { method, headers: { authorization: `Bearer ${this.key}`, ...headers }, body: body ?? null, signal: this.signal };
    try {
      return await fetch(this.address + path, sent);
    } catch (error) {
      if (this.signal.aborted || !mayPass(error)) throw error;
      const { code = error.message } = (error.cause ?? {}) as { code?: string };
      throw new Unanswered(`${method} ${this.address}${path} was not answered (${code})`, { cause: error });
    }
  }

  /** An error from the service's problem details, or from what a proxy or another program answered in its place. */
  private refusal(method: string, path: string, status: number, text: string): Error {
    const { error, code } = (parsed(text) ?? {}) as { error?: string; code?: string };
    const message = `${method} ${this.address}${path} was answered with ${status}: ${error ?? excerptOf(text)}`;
    if (code === 'job_not_found' || code === 'thread_not_found') return new JobGone(message);
    if (status === 401) return new KeyRefused(message);
    return status >= 500 || status === 429 ? new Unanswered(message) : new Error(message);
  }
}

/** By name: under jest, the errors of `fetch` come from another realm. */
const mayPass = (error: unknown): error is Error =>
  error instanceof Unanswered || (error as { name?: unknown } | null)?.name === 'TypeError';

/** The JSON object or list; null for anything else. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

const excerptOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_EXCERPT_LENGTH) || 'no reason given';
