import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';
import { ANSWER_WITHIN_MS } from '@lib/store/postgres/answer-within';
import { inTime } from '../runtime/in-time';
import { whyFailed } from '../runtime/why-failed';

/**
 * As long as a request may take, because a slow database can still serve. It is mostly slow for every process, and then a balancer would take out all
 * of them.
 */
const CHECK_WITHIN_MS = ANSWER_WITHIN_MS;
/** A balancer waits for about this long. If a check takes longer, its previous result is given. */
const TOLD_WITHIN_MS = 2_000;
/** From the start of one round of checks to the start of the next. */
const PAUSE_MS = 100;

/** A check of something that a process needs. */
export interface HealthCheck {
  /** Stable snake_case name, such as `database`. */
  name: string;
  /** Rejects if it is not usable. */
  check: () => Promise<void>;
  /** It concerns this process alone, such as that it is stopping. If it fails, the process is not ready, whatever the state of the others. */
  isOwn?: boolean;
}

/** What the processes that serve the same clients tell each other. */
export interface OtherProcesses {
  tellWell(): void;
  isWellSince(moment: number): boolean;
}

/** The names of its checks, and whether it is ready. */
interface Looked {
  passing: string[];
  failing: string[];
  isReady: boolean;
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
  /** By the names of the checks that fail though they passed before: since when, by `performance.now()`. */
  private readonly failingSince = new Map<string, number>();
  private others: OtherProcesses | null = null;
  private looking: Promise<Looked> | null = null;
  private lookedAt = -Infinity;

  constructor(private readonly logger: Logger) {}

  add(...checks: HealthCheck[]): void {
    this.checks.push(...checks);
  }

  /**
   * From now on a failing check makes this process unready only while another process is well. A failure of something that all share, such as the
   * database, would otherwise take all of them out of their balancer at once. Clients could then not connect at all, instead of getting a 503, or an
   * answer where reads still work.
   */
  compareWith(others: OtherProcesses): void {
    this.others = others;
  }

  /** What the checks say at the moment. */
  ask(): Promise<Looked> {
    return (this.looking ??= this.look().finally(() => (this.looking = null)));
  }

  private async look(): Promise<Looked> {
    const pauseMs = this.lookedAt + PAUSE_MS - performance.now();
    if (pauseMs > 0) await sleep(pauseMs);
    this.lookedAt = performance.now();
    const passed = await Promise.all(this.checks.map((check) => this.passes(check)));
    if (passed.every(Boolean)) this.others?.tellWell();
    const failed = this.checks.filter((_, place) => !passed[place]);
    return {
      passing: this.checks.flatMap(({ name }, place) => (passed[place] ? [name] : [])),
      failing: failed.map(({ name }) => name),
      isReady: failed.every((check) => this.mayFail(check)),
    };
  }

  /**
   * Whether a failing check may be ignored: no other process is known to be better. Not in a process that was never ready, because its settings may
   * be wrong.
   */
  private mayFail({ name, isOwn }: HealthCheck): boolean {
    const since = this.failingSince.get(name);
    return this.others !== null && isOwn !== true && since !== undefined && !this.others.isWellSince(since);
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
      if (this.passed.get(name) === true) this.failingSince.set(name, performance.now());
      return false;
    }
    this.failingSince.delete(name);
    if (this.reasons.delete(name)) this.logger.info({ reason: 'ready_again', check: name }, 'a check of readiness passes again');
    return true;
  }

  /** Warns again only if the reason changes, because readiness is asked for every few seconds. */
  private failed(name: string, why: string): void {
    if (this.reasons.get(name) === why) return;
    this.reasons.set(name, why);
    this.logger.warn({ reason: 'not_ready', check: name, why }, 'a check of readiness fails');
  }
}
