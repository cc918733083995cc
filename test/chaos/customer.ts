import { setTimeout as delay } from 'node:timers/promises';
import { Unanswered, type Answer, type Client } from '../support/client';
import type { AcceptedJob } from '../support/load';
import { QUICK, SLOW, SLOW_BACKGROUND } from '../support/simulated-providers';
import type { Observations, TimedAnswer } from './observations';
import type { Random } from './random';

const POLL_MS = 300;
/** Longer than every outage, every deadline of a job and everything that follows from them. */
const PATIENCE_MS = 170_000;

export interface CustomerTools {
  random: Random;
  client: Client;
  /** The key of another tenant. */
  strangersKey: string;
  observations: Observations;
  /** Nothing may be repeated any more. */
  signal: AbortSignal;
}

/** Asks, looks, changes his mind, asks again; repeats whatever is not answered, through another api. */
export class Customer {
  private asked = 0;

  constructor(
    private readonly number: number,
    private readonly tools: CustomerTools,
  ) {}

  /** One thread from its first question on. */
  async visit(): Promise<void> {
    const { random } = this.tools;
    const job = await this.ask();
    const thread = `/v1/threads/${job.threadId}`;
    const whim = random.next();
    if (whim < 0.1) return this.forget(job);
    if (whim < 0.2) await this.cancel(job);
    if (whim < 0.3) await this.call('POST', `${thread}/messages`, [201], { message: this.words('And then') });
    await this.untilFinal(job);
    await this.readHistory(job);
    if (random.chance(0.2)) await this.peek(job);
    if (random.chance(0.25)) await this.pursue(job);
    if (random.chance(0.15)) await this.forget(job);
    else await this.untilFinal(job);
  }

  private async ask(): Promise<AcceptedJob> {
    const { random, observations } = this.tools;
    const providers = random.pick([undefined, undefined, [QUICK], [QUICK, SLOW], [SLOW_BACKGROUND], [QUICK, SLOW_BACKGROUND]]);
    const question = {
      message: this.words('What became'),
      budget: random.pick(['XS', 'S', 'M']),
      mode: random.chance(0.15) ? 'methodical' : 'fast',
      spidering: random.chance(0.1),
      ...(providers ? { providers } : {}),
    };
    const answer = await this.call('POST', '/v1/threads', [201], question);
    return observations.accepted(String(answer.body.id), answer.body.job as Answer['body'], answer);
  }

  private async pursue({ threadId, jobId }: AcceptedJob): Promise<void> {
    const pursue = `/v1/threads/${threadId}/jobs/${jobId}/pursue`;
    const answer = await this.call('POST', pursue, [201], { topic: this.words('What follows') });
    await this.untilFinal(this.tools.observations.accepted(threadId, answer.body, answer));
  }

  private async cancel({ threadId, jobId }: AcceptedJob): Promise<void> {
    await delay(this.tools.random.integer(0, 1500));
    await this.call('POST', `/v1/threads/${threadId}/jobs/${jobId}/cancel`, [200]);
  }

  /** From then on nobody knows the thread. */
  private async forget({ threadId, jobId }: AcceptedJob): Promise<void> {
    await delay(this.tools.random.integer(0, 1500));
    // 404: an earlier try, of which the answer was lost, has done it.
    await this.call('DELETE', `/v1/threads/${threadId}`, [200, 404]);
    this.tools.observations.forgotten.add(threadId);
    const thread = `/v1/threads/${threadId}`;
    for (const path of [thread, `${thread}/jobs/${jobId}`, `${thread}/messages`, `${thread}/jobs/${jobId}/events`])
      await this.call('GET', path, [404]);
  }

  /** Somebody of another tenant who knows the ids. */
  private async peek({ threadId, jobId }: AcceptedJob): Promise<void> {
    const thread = `/v1/threads/${threadId}`;
    const { strangersKey } = this.tools;
    for (const [method, path] of [
      ['GET', thread],
      ['GET', `${thread}/jobs/${jobId}`],
      ['GET', `${thread}/jobs/${jobId}/events`],
      ['POST', `${thread}/jobs/${jobId}/cancel`],
      ['DELETE', thread],
    ] as const)
      await this.call(method, path, [404], undefined, strangersKey);
  }

  private async untilFinal(job: AcceptedJob): Promise<Answer> {
    const { signal, observations } = this.tools;
    const began = performance.now();
    for (;;) {
      const answer = await this.call('GET', `/v1/threads/${job.threadId}/jobs/${job.jobId}`, [200]);
      if (observations.saw(job, answer)) return answer;
      if (performance.now() - began > PATIENCE_MS) throw new Error(`${job.jobId} has not ended after ${PATIENCE_MS / 1000} s`);
      await delay(POLL_MS, undefined, { signal });
    }
  }

  private async readHistory({ threadId, jobId }: AcceptedJob): Promise<void> {
    const { body } = await this.call('GET', `/v1/threads/${threadId}/jobs/${jobId}/events`, [200]);
    this.tools.observations.readHistory(jobId, body.events as { version: number; hash: string }[]);
  }

  private words(beginning: string): string {
    this.asked += 1;
    return `${beginning} of ${this.tools.observations.canary} number ${this.number}.${this.asked}?`;
  }

  /** Asks until it is answered as wanted. An outage (503), a conflict (409) or silence may come first. */
  private async call(method: string, path: string, wanted: number[], body?: object, apiKey?: string): Promise<TimedAnswer> {
    const { client, observations, signal } = this.tools;
    for (const began = performance.now(); ;) {
      try {
        const answer = await observations.request(() => client.call(method, path, body, apiKey));
        if (wanted.includes(answer.status)) return answer;
        const mayPass = answer.status === 503 ? answer.headers.has('retry-after') : answer.status === 409;
        if (!mayPass) {
          observations.violation(
            `${method} ${path} was answered with ${answer.status}: ${String(answer.body.code)}, request ${String(answer.body.requestId)}`,
          );
          // What broke once may work now, and the job is still looked for.
          if (answer.status < 500) throw new Error(`${method} ${path} was answered with ${answer.status}`);
        }
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
      }
      if (performance.now() - began > PATIENCE_MS)
        throw new Error(`${method} ${path} has not got its answer after ${PATIENCE_MS / 1000} s`);
      await delay(POLL_MS, undefined, { signal });
    }
  }
}
