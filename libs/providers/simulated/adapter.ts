import { setTimeout as sleep } from 'node:timers/promises';

import { microsFromCents, NO_CHARGE } from '@lib/domain/money';

import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '../research-provider';
import { chance } from './chance';
import { recordCall } from './ledger';
import type { SimulatedOptions } from './options';
import { formatResponse, parseResponse } from './parse';
import { PreparedReports } from './prepared-reports';
import { recordedReport } from './recorded-reports';
import { formatRunId, parseRunId, type SimulatedRun } from './run-id';

const MAX_POLL_MS = 1000;

/**
 * Invented or recorded reports for load and fault tests, with configured latency, charges and failures. Never a default.
 */
export class SimulatedProvider implements ResearchProvider {
  private readonly prepared: PreparedReports;
  /** Runs that this process cancelled; other processes do not know of it. */
  private readonly cancelled = new Set<string>();

  constructor(private readonly options: SimulatedOptions) {
    this.prepared = new PreparedReports(options);
  }

  async submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    const { latencyMs, background, ledgerFile } = this.options;
    const { stepId, attempt, provider, signal } = request;
    signal.throwIfAborted();
    const run = { stepId, attempt, endsAt: Date.now() + latencyMs };
    const runId = formatRunId(run);
    recordCall(ledgerFile, { call: 'submit', stepId, attempt, provider, runId });
    if (background) {
      await started(runId);
      return this.look(runId, run, request);
    }
    if (latencyMs > 0) await sleep(latencyMs, undefined, { signal });
    return { state: 'finished', raw: await this.outcome(run, request) };
  }

  async poll(externalId: string, request: ResearchRequest): Promise<RunState> {
    request.signal.throwIfAborted();
    const run = parseRunId(externalId);
    if (!run) throw new ProviderError('lost', `No run is known by the id ${externalId}`, { runEnded: true });
    return this.look(externalId, run, request);
  }

  async cancel(externalId: string): Promise<void> {
    const run = parseRunId(externalId);
    if (!run) return;
    recordCall(this.options.ledgerFile, { call: 'cancel', stepId: run.stepId, attempt: run.attempt, provider: null, runId: externalId });
    if (run.endsAt > Date.now()) this.cancelled.add(externalId);
  }

  parse(raw: RawResponse): ResearchReport {
    return parseResponse(raw);
  }

  private async look(runId: string, run: SimulatedRun, request: ResearchRequest): Promise<RunState> {
    if (this.cancelled.has(runId)) throw new ProviderError('unavailable', 'The run was cancelled', ENDED_UNCHARGED);
    const left = run.endsAt - Date.now();
    if (left > 0) return { state: 'running', externalId: runId, pollAfterMs: Math.min(left, MAX_POLL_MS) };
    return { state: 'finished', raw: await this.outcome(run, request) };
  }

  private async outcome(run: SimulatedRun, request: ResearchRequest): Promise<RawResponse> {
    const { seed, failureRate, failureClass, costCents, overrunCents, reports } = this.options;
    if (failureRate > 0 && chance(seed, run.stepId, run.attempt) < failureRate) {
      throw new ProviderError(failureClass, `The simulated run failed as configured: ${failureClass}`, ENDED_UNCHARGED);
    }
    const { reservedMicros } = request.limits;
    const micros = overrunCents > 0 ? reservedMicros + microsFromCents(overrunCents) : microsFromCents(costCents);
    if (reports === null) return formatResponse(this.prepared.for(request.query, request.provider), micros);
    const { markdown, citations } = await recordedReport(reports, request.provider, request.query);
    return formatResponse(JSON.stringify({ markdown, sources: citations }), micros);
  }
}

const ENDED_UNCHARGED = { runEnded: true, charge: NO_CHARGE };
