import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { checkedReport, UnfitReport } from '@lib/domain/checked-report';
import { messageOfError } from '@lib/domain/message-of-error';
import { knownCharge } from '@lib/domain/money';
import type { ErrorClass } from '@lib/domain/vocabulary';

import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from './research-provider';

const MIN_POLL_MS = 10;
const MAX_POLL_MS = 60_000;
/** The last poll comes so long before the deadline at the latest, whatever the usual pause: a run that has ended meanwhile is paid for. */
const LAST_POLL_BEFORE_END_MS = 10_000;
/** Node fires a timer with a longer delay at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** How long to wait for a provider to confirm a cancellation. */
const CANCEL_PATIENCE_MS = 10_000;
/**
 * Failures of a poll that say nothing about the accepted run: mostly a key is being replaced, a gateway's budget is used up, or the way to the provider
 * is interrupted. A poll has no content that could be wrong, and needs no model.
 */
const SAYS_NOTHING: ReadonlySet<ErrorClass> = new Set(['auth', 'quota', 'timeout', 'unavailable', 'invalid_request', 'model_gone']);
/** After such a failure the run is polled again after these pauses. Then the attempt ends, because another worker may reach the provider. */
const POLL_AGAIN_MS = [5_000, 10_000, 20_000, 40_000, 60_000];
const EXTERNAL_ID = /^[\x21-\x7e]{1,1000}$/;

/**
 * Abort reason for when another attempt will continue the provider's run: the lease was lost or the process is shutting down. Any other reason
 * cancels the run at the provider.
 */
export class RunLeft extends Error {
  override readonly name = 'RunLeft';
}

export interface RunOptions {
  /** Id of a run that an earlier attempt started; null to submit a new one. */
  externalId: string | null;
  /** Records the id of a run that this call started. If it rejects, the run is cancelled and the error passed on. */
  started: (externalId: string) => Promise<void>;
  /** Waits between two polls; rejects when the signal aborts. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Researched {
  report: ResearchReport;
  /** Hexadecimal digest of the raw response. */
  rawSha256: string;
}

/**
 * Makes one attempt: submits a run or resumes a recorded one, and returns its checked report. Submits at most once.
 * @throws ProviderError if there is no report; the signal's reason if aborted; what `started` threw
 */
export async function research(provider: ResearchProvider, request: ResearchRequest, options: RunOptions): Promise<Researched> {
  request.signal.throwIfAborted();
  const { deadlineMs } = request.limits;
  const late = `No report came within ${deadlineMs} ms`;
  if (!(deadlineMs > 0)) throw new ProviderError(options.externalId === null ? 'not_called' : 'timeout', late);
  // No `AbortSignal.any`: its signal stays in memory while somebody listens to it, and the report with it.
  const ending = new AbortController();
  const leave = () => ending.abort(request.signal.reason);
  request.signal.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(() => ending.abort(), Math.min(deadlineMs, MAX_TIMER_MS));
  const run = new Run(provider, { ...request, signal: ending.signal }, options);
  try {
    const raw = await run.finish();
    return { report: readReport(provider, raw, request), rawSha256: createHash('sha256').update(raw).digest('hex') };
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    const why = run.failedPolls.at(-1);
    if (ending.signal.aborted)
      throw new ProviderError('timeout', why ? `${late}: ${why}` : late, { runEnded: run.cancelled }, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', leave);
  }
}

/** A provider's run during one attempt. */
class Run {
  /** Whether the provider confirmed the cancellation. */
  cancelled = false;
  private externalId: string | null;
  private refusal: { error: unknown } | undefined;
  /** The messages of the latest polls, in a row, that said nothing about the run. */
  readonly failedPolls: string[] = [];

  constructor(
    private readonly provider: ResearchProvider,
    private readonly request: ResearchRequest,
    private readonly options: RunOptions,
  ) {
    this.externalId = options.externalId;
  }

  /** The raw response. Rejects as soon as the signal aborts, even if the adapter ignores the signal. */
  async finish(): Promise<RawResponse> {
    const { signal } = this.request;
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    try {
      return await Promise.race([this.follow(), aborted]);
    } catch (error) {
      if (signal.aborted || this.refusal) await this.abandon();
      if (this.refusal) throw this.refusal.error;
      throw error instanceof ProviderError ? error : new ProviderError('unavailable', messageOfError(error), {}, { cause: error });
    }
  }

  private async follow(): Promise<RawResponse> {
    const { provider, request, options } = this;
    const wait = options.wait ?? ((milliseconds, signal) => sleep(milliseconds, undefined, { signal }));
    const record = (externalId: string): Promise<void> => this.record(externalId);
    const lastPollAt = performance.now() + request.limits.deadlineMs - LAST_POLL_BEFORE_END_MS;
    let state = this.externalId === null ? await provider.submit(request, record) : await this.poll(this.externalId);
    while (state.state === 'running') {
      if (this.externalId === null) await record(state.externalId);
      if (this.refusal) throw this.refusal.error;
      await wait(pauseMs(state.pollAfterMs, lastPollAt - performance.now()), request.signal);
      request.signal.throwIfAborted();
      state = await this.poll(this.externalId ?? state.externalId);
    }
    return state.raw;
  }

  private async poll(externalId: string): Promise<RunState> {
    try {
      const state = await this.provider.poll(externalId, this.request);
      this.failedPolls.length = 0;
      return state;
    } catch (error) {
      const saysNothing = error instanceof ProviderError && SAYS_NOTHING.has(error.errorClass) && !error.details.runEnded;
      const pollAfterMs = POLL_AGAIN_MS[this.failedPolls.length];
      if (!saysNothing || pollAfterMs === undefined) throw error;
      this.failedPolls.push(error.message);
      return { state: 'running', externalId, pollAfterMs };
    }
  }

  private async record(externalId: string): Promise<void> {
    if (!EXTERNAL_ID.test(externalId))
      throw new ProviderError('malformed', `The provider's run id is not usable: ${externalId.slice(0, 40)}`);
    this.externalId = externalId;
    try {
      await this.options.started(externalId);
    } catch (error) {
      this.refusal = { error };
      // The waiting caller has gone, and nobody else knows about the run.
      if (this.request.signal.aborted) await this.abandon();
      throw error;
    }
    // The submit returned after the abort, so nobody else knows about this run.
    if (this.request.signal.aborted) await this.abandon();
  }

  private async abandon(): Promise<void> {
    if (this.externalId === null || this.request.signal.reason instanceof RunLeft) return;
    const patience = sleep(CANCEL_PATIENCE_MS, false, { ref: false });
    // A run that cannot be cancelled ends with the stream that submitted it. A resumed run has no such stream.
    const isResumed = this.options.externalId !== null;
    const cancelled = this.provider.cancel(this.externalId).then(
      (said) => said !== 'not_offered' || !isResumed,
      () => false,
    );
    this.cancelled = await Promise.race([cancelled, patience]);
  }
}

/** The pause before a poll: the usual one, or what is left until the last poll. */
function pauseMs(pollAfterMs: number, untilLastPollMs: number): number {
  const usual = Math.min(Math.max(pollAfterMs || 0, MIN_POLL_MS), MAX_POLL_MS);
  return untilLastPollMs >= MIN_POLL_MS ? Math.min(usual, Math.ceil(untilLastPollMs)) : usual;
}

/** Marks its errors with `runEnded`, so that the run is not resumed. */
function readReport(provider: ResearchProvider, raw: RawResponse, request: ResearchRequest): ResearchReport {
  const bytes = Buffer.byteLength(raw);
  const { maxResponseBytes } = request.limits;
  if (bytes > maxResponseBytes) {
    throw new ProviderError('malformed', `The response has ${bytes} bytes, more than the ${maxResponseBytes} allowed`, { runEnded: true });
  }
  try {
    return checkedReport(provider.parse(raw, request));
  } catch (error) {
    const { errorClass, message, details } = error instanceof ProviderError ? error : unreadable(error);
    throw new ProviderError(errorClass, message, { ...details, runEnded: true }, { cause: error });
  }
}

function unreadable(error: unknown): ProviderError {
  const charge = knownCharge(error instanceof UnfitReport ? error.charge : undefined);
  return new ProviderError('malformed', messageOfError(error), charge ? { charge } : {});
}
