import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';
import { ANSWER_WITHIN_MS } from '@lib/store/postgres/answer-within';
import { inTime } from '../in-time';
import { whyFailed } from '../why-failed';

/** As long as a request may take: what is slow can still serve. It is mostly slow for every process, and a balancer would take out all of them. */
const CHECK_WITHIN_MS = ANSWER_WITHIN_MS;
/** A balancer waits for about this long. A check that takes longer is told as it ended the last time. */
const TOLD_WITHIN_MS = 2_000;
/** From the beginning of one look to that of the next. */
const PAUSE_MS = 100;

/** A check of something that a process needs. */
export interface HealthCheck {
  /** Stable snake_case name, such as `database`. */
  name: string;
  /** Rejects if it is not usable. */
  check: () => Promise<void>;
}

/**
 * Whether a process can serve. Everything that it needs is checked, and only the log says why a check fails. Anybody may ask, without a key, and the
 * database is checked by a commit: so all requests at a time share one round of checks, and rounds have a pause between them.
 */
export class Readiness {
  private readonly checks: HealthCheck[] = [];
  /** By the names of the checks that failed the last time. */
  private readonly reasons = new Map<string, string>();
  /** Whether each check passed the last time, by its name. */
  private readonly passed = new Map<string, boolean>();
  private readonly checking = new Map<string, Promise<boolean>>();
  private looking: Promise<string[]> | null = null;
  private lookedAt = -Infinity;

  constructor(private readonly logger: Logger) {}

  add(...checks: HealthCheck[]): void {
    this.checks.push(...checks);
  }

  /** Of all checks. */
  names(): string[] {
    return this.checks.map(({ name }) => name);
  }

  /** Names of the checks that fail at the moment. */
  failing(): Promise<string[]> {
    return (this.looking ??= this.look().finally(() => (this.looking = null)));
  }

  private async look(): Promise<string[]> {
    const pauseMs = this.lookedAt + PAUSE_MS - performance.now();
    if (pauseMs > 0) await sleep(pauseMs);
    this.lookedAt = performance.now();
    const passed = await Promise.all(this.checks.map((check) => this.passes(check)));
    return this.names().filter((_, place) => !passed[place]);
  }

  private async passes(check: HealthCheck): Promise<boolean> {
    const { name } = check;
    const checking = this.checking.get(name) ?? this.begin(check);
    const last = this.passed.get(name);
    return last === undefined ? checking : inTime(checking, TOLD_WITHIN_MS).catch(() => last);
  }

  private begin(check: HealthCheck): Promise<boolean> {
    const { name } = check;
    const ended = this.end(check).then((passed) => {
      this.checking.delete(name);
      this.passed.set(name, passed);
      return passed;
    });
    this.checking.set(name, ended);
    return ended;
  }

  private async end({ name, check }: HealthCheck): Promise<boolean> {
    try {
      await inTime(check(), CHECK_WITHIN_MS);
    } catch (error) {
      this.failed(name, whyFailed(error));
      return false;
    }
    if (this.reasons.delete(name)) this.logger.info({ reason: 'ready_again', check: name }, 'a check of readiness passes again');
    return true;
  }

  /** Warns again only for another reason, since it is asked every few seconds. */
  private failed(name: string, why: string): void {
    if (this.reasons.get(name) === why) return;
    this.reasons.set(name, why);
    this.logger.warn({ reason: 'not_ready', check: name, why }, 'this process is not ready: a check fails');
  }
}
