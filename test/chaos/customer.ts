import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Client } from '../support/client';
import type { AcceptedJob } from '../support/load';
import { QUICK, SLOW, SLOW_BACKGROUND } from '../support/simulated-providers';
import { RetryingClient, PATIENCE_MS, type Change } from './retrying-client';
import type { Observations, TimedAnswer } from './observations';
import type { Random } from './random';

const POLL_MS = 300;
/** Shorter than he has patience for an answer. */
const WAIT_SECONDS = 4;
/** So often the same request is sent at once. */
const AT_ONCE = 3;

export interface CustomerTools {
  random: Random;
  client: Client;
  /** The key of another tenant. */
  strangersKey: string;
  observations: Observations;
  /** Nothing may be repeated any more. */
  signal: AbortSignal;
}

interface Asked extends AcceptedJob {
  change: Change;
  answer: TimedAnswer;
}

/** Asks, looks, changes his mind, asks again. */
export class Customer {
  private asked = 0;
  private readonly client: RetryingClient;

  constructor(
    private readonly number: number,
    private readonly tools: CustomerTools,
  ) {
    this.client = new RetryingClient(tools);
  }

  /** One thread from its first question on. */
  async visit(): Promise<void> {
    const { random } = this.tools;
    const job = await this.ask();
    const whim = random.next();
    if (whim < 0.1) return this.forget(job);
    if (whim < 0.2) await this.cancel(job);
    if (whim < 0.3) await this.add(job);
    await this.untilFinal(job);
    await this.readHistory(job);
    if (random.chance(0.2)) await this.peek(job);
    if (random.chance(0.2)) await this.client.repeatAtOnce(job.change, 1, job.answer);
    if (random.chance(0.25)) await this.pursue(job);
    if (random.chance(0.15)) await this.forget(job);
    else await this.untilFinal(job);
  }

  private async ask(): Promise<Asked> {
    const { random, observations } = this.tools;
    const providers = random.pick([undefined, undefined, [QUICK], [QUICK, SLOW], [SLOW_BACKGROUND], [QUICK, SLOW_BACKGROUND]]);
    const question = {
      message: this.words('What became'),
      budget: random.pick(['XS', 'S', 'M']),
      mode: random.chance(0.15) ? 'methodical' : 'fast',
      spidering: random.chance(0.1),
      ...(providers ? { providers } : {}),
    };
    const { change, answer } = await this.change('/v1/threads', question, { message: this.words('What else became') });
    return { ...observations.accepted(String(answer.body.id), answer.body.job as Answer['body'], answer), change, answer };
  }

  /** At times it is asked for several times at once, or again under its key with other words. */
  private async change(path: string, body: object, otherwise: object): Promise<{ change: Change; answer: TimedAnswer }> {
    const { random } = this.tools;
    const change: Change = { method: 'POST', path, wanted: [201], body, key: randomUUID() };
    const answer = await this.client.repeatAtOnce(change, random.chance(0.3) ? AT_ONCE : 1, null);
    if (random.chance(0.1)) await this.client.repeat({ ...change, wanted: [422], body: { ...body, ...otherwise } });
    return { change, answer };
  }

  private async add({ threadId }: AcceptedJob): Promise<void> {
    const [message, another] = [this.words('And then'), this.words('Or rather')];
    await this.change(`/v1/threads/${threadId}/messages`, { message }, { message: another });
    this.tools.observations.added(threadId);
  }

  private async pursue({ threadId, jobId }: AcceptedJob): Promise<void> {
    const pursue = `/v1/threads/${threadId}/jobs/${jobId}/pursue`;
    const { answer } = await this.change(pursue, { topic: this.words('What follows') }, { topic: this.words('What precedes') });
    await this.untilFinal(this.tools.observations.accepted(threadId, answer.body, answer));
  }

  private async cancel({ threadId, jobId }: AcceptedJob): Promise<void> {
    await delay(this.tools.random.integer(0, 1500));
    await this.client.change('POST', `/v1/threads/${threadId}/jobs/${jobId}/cancel`, [200]);
  }

  /** From then on nobody knows the thread. */
  private async forget({ threadId, jobId }: AcceptedJob): Promise<void> {
    await delay(this.tools.random.integer(0, 1500));
    await this.client.change('DELETE', `/v1/threads/${threadId}`, [200]);
    this.tools.observations.forgotten.add(threadId);
    const thread = `/v1/threads/${threadId}`;
    for (const path of [thread, `${thread}/jobs/${jobId}`, `${thread}/messages`, `${thread}/jobs/${jobId}/events`])
      await this.client.call('GET', path, [404]);
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
      await this.client.call(method, path, [404], { apiKey: strangersKey });
  }

  private async untilFinal(job: AcceptedJob): Promise<Answer> {
    const { signal, observations } = this.tools;
    const began = performance.now();
    for (;;) {
      const headers = this.whatIsKnown(job.jobId);
      const answer = await this.client.call('GET', `/v1/threads/${job.threadId}/jobs/${job.jobId}`, [200, 304], { headers });
      if (observations.saw(job, answer)) return answer;
      if (performance.now() - began > PATIENCE_MS) throw new Error(`${job.jobId} has not ended after ${PATIENCE_MS / 1000} s`);
      await delay(POLL_MS, undefined, { signal });
    }
  }

  /** What he has, or what he had before, and maybe that he waits for something else. */
  private whatIsKnown(jobId: string): Record<string, string> {
    const { random, observations } = this.tools;
    const tag = random.chance(0.2) ? observations.tags.left(jobId) : observations.tags.newest(jobId);
    if (tag === null || random.chance(0.3)) return {};
    return { 'if-none-match': tag, ...(random.chance(0.3) && { prefer: `wait=${WAIT_SECONDS}` }) };
  }

  private async readHistory({ threadId, jobId }: AcceptedJob): Promise<void> {
    const { body } = await this.client.call('GET', `/v1/threads/${threadId}/jobs/${jobId}/events`, [200]);
    this.tools.observations.readHistory(jobId, body.events as { version: number; hash: string }[]);
  }

  private words(beginning: string): string {
    this.asked += 1;
    return `${beginning} of ${this.tools.observations.canary} number ${this.number}.${this.asked}?`;
  }
}
