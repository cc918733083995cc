import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Client } from '../support/client';
import type { StoredRow } from '../support/histories';
import { answers, Sink, type Behaviour } from '../webhooks/support/sink';
import type { Deployment } from './deployment';
import { Random } from './random';

const TOLD: Readonly<Record<string, string>> = {
  JobCompleted: 'job.completed',
  JobFailed: 'job.failed',
  JobCancelled: 'job.cancelled',
  ThreadDeleted: 'thread.deleted',
};
const SLOW_MS = 3_000;
/** It hangs up, fails, never answers, or takes its time. */
const MOODS: readonly ((random: Random, takes: Behaviour) => Behaviour)[] = [
  () => (response) => response.socket?.destroy(),
  () => answers(500),
  () => answers(429, { 'retry-after': '1' }),
  () => () => undefined,
  (random, takes) => (response, request) => void setTimeout(() => takes(response, request), random.integer(100, SLOW_MS)),
];
const IN_A_MOOD = 0.2;

/** Takes what is delivered to the webhooks of a run, each over a network of its own, and answers as receivers do. */
export class Receiver {
  /** Answers well from now on. */
  isHealthy = false;
  attempts = 0;
  private readonly secrets = new Map<string, string>();
  /** What each webhook has taken, by the event's id. */
  private readonly taken = new Map<string, Map<string, string>>();
  private readonly violations: string[] = [];

  private constructor(
    private readonly sink: Sink,
    private readonly random: Random,
  ) {
    sink.behaviour = (response, request) => this.answer(response, request);
  }

  static async start(seed: number): Promise<Receiver> {
    return new Receiver(await Sink.start(), new Random(seed));
  }

  get port(): number {
    return Number(new URL(this.sink.url).port);
  }

  get events(): number {
    return Math.min(...[...this.taken.values()].map(({ size }) => size));
  }

  /** A webhook for each of the addresses under which processes reach this one. */
  async subscribe(deployment: Deployment): Promise<void> {
    const client = new Client(deployment);
    for (const [name, port] of deployment.receiverPorts()) {
      const body = { url: `http://127.0.0.1:${port}/${name}`, eventTypes: Object.values(TOLD) };
      const answer = await client.call('POST', '/v1/webhooks', body, undefined, { 'idempotency-key': randomUUID() });
      if (answer.status !== 201) throw new Error(`the webhook was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
      this.secrets.set(name, String(answer.body.secret));
      this.taken.set(name, new Map());
    }
  }

  /** What happened and was not told, what was told and did not happen, and what no receiver could make sense of. */
  faults(histories: ReadonlyMap<string, readonly StoredRow[]>): string[] {
    const happened = new Map([...histories.values()].flat().flatMap((event) => (TOLD[event.type] ? [[event.id, event] as const] : [])));
    const deleted = new Set([...happened.values()].flatMap(({ type, streamId }) => (type === 'ThreadDeleted' ? [streamId] : [])));
    const threadOf = ({ streamId }: StoredRow): string => {
      const threadId = histories.get(streamId)?.[0]?.facts.threadId;
      return typeof threadId === 'string' ? threadId : streamId;
    };
    // What was to be told of the jobs of a deleted thread goes with it.
    const due = [...happened.values()].filter((event) => event.type === 'ThreadDeleted' || !deleted.has(threadOf(event)));
    const missing = [...this.taken].flatMap(([name, taken]) =>
      due.flatMap(({ id, type, streamId }) => (taken.has(id) ? [] : [`${name} was not told of ${streamId} ${type} (${id})`])),
    );
    const untrue = [...this.taken].flatMap(([name, taken]) =>
      [...taken].flatMap(([id, body]) => {
        const event = happened.get(id);
        const told = event && messageOf(event, threadOf(event));
        return JSON.stringify(told) === body ? [] : [`${name} was told ${body} under ${id}, and ${JSON.stringify(told)} happened`];
      }),
    );
    return [...this.violations, ...missing, ...untrue];
  }

  close(): Promise<void> {
    return this.sink.close();
  }

  private answer(...[response, request]: Parameters<Behaviour>): void {
    this.attempts += 1;
    const received = this.sink.received.pop();
    const name = (request.url ?? '').slice(1);
    const [taken, id] = [this.taken.get(name), String(request.headers['webhook-id'])];
    try {
      new Webhook(this.secrets.get(name) ?? '').verify(received?.body ?? '', request.headers as Record<string, string>);
    } catch (error) {
      this.violations.push(`${new Date().toISOString()} ${name} cannot verify ${id}: ${String(error)}`);
      return answers(400)(response, request);
    }
    const before = taken?.get(id);
    if (before !== undefined && before !== received?.body) this.violations.push(`${name} was told two things under ${id}`);
    const takes: Behaviour = (...asked) => {
      taken?.set(id, received?.body ?? '');
      answers(204)(...asked);
    };
    const isInAMood = !this.isHealthy && this.random.chance(IN_A_MOOD);
    (isInAMood ? this.random.pick(MOODS)(this.random, takes) : takes)(response, request);
  }
}

/** In the order of its fields as it is documented. */
function messageOf({ type, streamId, meta }: StoredRow, threadId: string): object {
  const told = TOLD[type] ?? '';
  const data = type === 'ThreadDeleted' ? { threadId } : { threadId, jobId: streamId, status: told.slice('job.'.length) };
  return { type: told, timestamp: meta.occurredAt, data };
}
