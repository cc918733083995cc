import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Unanswered, type Answer } from '../support/client';
import type { StoredRow } from '../support/histories';
import type { AcceptedJob } from '../support/load';
import { Tags } from './tags';

/** What a customer may see of a job, in this order. */
const ORDER = ['pending', 'running', 'synthesizing'];
/** The times that the service tells are the database's; the machine is the customer's own. */
const CLOCKS_MS = 2_000;

export interface TimedAnswer extends Answer {
  sentAt: number;
  answeredAt: number;
}

/** What all customers were told, and whatever of it can never be. */
export class Observations {
  readonly jobs: AcceptedJob[] = [];
  readonly forgotten = new Set<string>();
  readonly violations: string[] = [];
  /** Final statuses, by job. */
  readonly endings = new Map<string, string>();
  /** When each job was seen to have ended. */
  readonly endedAtMs: number[] = [];
  readonly canary = `canary${randomBytes(8).toString('hex')}`;
  readonly canaries = new Set([this.canary]);
  readonly answers = new Map<number | 'none', number>();
  readonly tags = new Tags((what) => this.violation(what));
  /** Requests that were sent again under their key though they had been answered, or at once with others. */
  repetitions = 0;
  /** Messages beside the first one, by thread. */
  private readonly messages = new Map<string, number>();
  private readonly seen = new Map<string, { rank: number; body: Answer['body'] | null }>();
  private readonly histories = new Map<string, string[]>();

  violation(what: string): void {
    this.violations.push(`${new Date().toISOString()} ${what}`);
  }

  async request(call: () => Promise<Answer>): Promise<TimedAnswer> {
    const sentAt = Date.now();
    try {
      const answer = await call();
      this.count(answer.status);
      return { ...answer, sentAt, answeredAt: Date.now() };
    } catch (error) {
      if (error instanceof Unanswered) this.count('none');
      throw error;
    }
  }

  /** The answer was 201, and this stood in it. */
  accepted(threadId: string, { id, createdAt }: Answer['body'], { sentAt, answeredAt }: TimedAnswer): AcceptedJob {
    const job = { threadId, jobId: String(id) };
    this.jobs.push(job);
    const at = Date.parse(String(createdAt));
    if (at < sentAt - CLOCKS_MS || at > answeredAt + CLOCKS_MS)
      this.violation(`${job.jobId} says that it was made at ${String(createdAt)}, asked for at ${new Date(sentAt).toISOString()}`);
    return job;
  }

  added(threadId: string): void {
    this.messages.set(threadId, (this.messages.get(threadId) ?? 0) + 1);
  }

  repeated(times: number): void {
    this.repetitions += times;
  }

  /** Threads, jobs and messages that nobody asked for: whoever repeats a request under its key has it done once. */
  unasked(stored: ReadonlyMap<string, readonly StoredRow[]>, tenantId: string): string[] {
    const told = new Set(this.jobs.flatMap(({ threadId, jobId }) => [threadId, jobId]));
    const own = [...stored].filter(
      ([, [first]]) => first?.facts.tenantId === tenantId && /^(ThreadCreated|JobRequested)$/.test(first.type),
    );
    const made = own.flatMap(([id]) => (told.has(id) ? [] : [`${id}, of which nobody was told`]));
    const messages = own.flatMap(([id, events]) => {
      const count = events.filter(({ type }) => type === 'MessageAdded').length;
      const asked = 1 + (this.messages.get(id) ?? 0);
      return count === 0 || count === asked ? [] : [`${count} messages in ${id}, ${asked} asked for`];
    });
    return [...made, ...messages];
  }

  /** Whether the job is final. A status never goes back, and nothing of a final job changes. */
  saw({ jobId }: AcceptedJob, answer: Answer): boolean {
    const body = this.tags.documentOf(jobId, answer);
    const status = String(body.status);
    const place = ORDER.indexOf(status);
    const rank = place === -1 ? ORDER.length : place;
    const before = this.seen.get(jobId);
    if (before && (rank < before.rank || (before.body && !isDeepStrictEqual(before.body, body))))
      this.violation(`${jobId} went from ${ORDER[before.rank] ?? 'an end'} to ${status}, or its document changed`);
    const isFinal = rank === ORDER.length;
    this.seen.set(jobId, { rank, body: isFinal ? body : null });
    if (isFinal && !this.endings.has(jobId)) this.ended(jobId, status, body);
    return isFinal;
  }

  /** A history only grows, and no version is missing. */
  readHistory(jobId: string, events: readonly { version: number; hash: string }[]): void {
    if (events.some(({ version }, place) => version !== place + 1)) this.violation(`${jobId}'s history has a gap`);
    const before = this.histories.get(jobId) ?? [];
    const now = events.map(({ hash }) => hash);
    if (before.some((hash, place) => hash !== now[place])) this.violation(`${jobId}'s history was rewritten`);
    this.histories.set(jobId, now);
  }

  /** What customers read must stand in the database, each event at its place. */
  compareHistories(stored: ReadonlyMap<string, readonly StoredRow[]>): void {
    for (const [jobId, hashes] of this.histories) {
      const rows = stored.get(jobId) ?? [];
      if (hashes.some((hash, place) => rows[place]?.hash.toString('hex') !== hash))
        this.violation(`${jobId}'s history is not what was read`);
    }
  }

  private ended(jobId: string, status: string, body: Answer['body']): void {
    this.endings.set(jobId, status);
    this.endedAtMs.push(performance.now());
    for (const { reportMarkdown } of body.steps as { reportMarkdown: string }[]) {
      const statement = /In \d{4} the [\w ]+/.exec(reportMarkdown)?.[0];
      if (statement && this.canaries.size < 2) this.canaries.add(statement);
    }
  }

  private count(answer: number | 'none'): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }
}
