import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@lib/domain/errors';
import type { StepResult, ToldCall } from '@lib/domain/job/commands';
import { shortened } from '@lib/domain/shortened';
import { traceparentOf, type TraceContext } from '@lib/domain/trace-context';
import { observing, promptDigest, type Exchange } from '@lib/providers/exchange';
import { promptText } from '@lib/providers/prompt';
import { research } from '@lib/providers/research';
import { ProviderError, type ResearchProvider, type ResearchRequest } from '@lib/providers/research-provider';
import { failed } from './attempt-result';
import type { Claimed } from './claim';
import { fitReport } from './fit-report';
import { SagaRefused } from './saga-client';

export interface CallSettings {
  /** Largest raw response of a provider. */
  maxResponseBytes: number;
  /** Largest report that fits into a message to the saga. A function, since a reconnect may lead to a server with another limit. */
  maxReportBytes: () => number;
}

/** Longer model names are cut, since the saga would refuse the report. */
const MAX_MODEL_LENGTH = 200;

const POLL_JITTER = 0.1;

/** What an attempt needs to call its provider. */
interface ProviderCall {
  granted: Claimed;
  ids: { jobId: string; stepId: string; attempt: number };
  settings: CallSettings;
  /** Aborts once the run is given up or no longer wanted. */
  signal: AbortSignal;
  /** The trace that the provider's calls belong to. */
  called: TraceContext | undefined;
  /** Records the id of the provider's run, and resolves when it is committed. */
  started: (externalId: string) => Promise<void>;
  /** Called when the provider begins to work in the background. */
  enterBackground: () => void;
}

/** @returns the result of the call; null if there is nothing left to report */
export async function callProvider(provider: ResearchProvider, call: ProviderCall): Promise<StepResult | null> {
  const { granted, settings, signal, called, started } = call;
  const exchange: Exchange = { status: null, requestId: null, traceparent: called && traceparentOf(called) };
  const options = {
    ...{ externalId: granted.externalId, started },
    wait: (milliseconds: number, stopped: AbortSignal) => untilNextPoll(call, milliseconds, stopped),
  };
  try {
    const { report, rawSha256 } = await observing(exchange, () => research(provider, requestOf(call), options));
    const { markdown: reportMarkdown, ...fitted } = fitReport(report, settings.maxReportBytes());
    return {
      outcome: 'completed',
      charge: report.charge,
      rawSha256,
      model: report.model && shortened(report.model, MAX_MODEL_LENGTH),
      reportMarkdown,
      ...fitted,
      call: toldCall(granted, exchange),
    };
  } catch (error) {
    if (error instanceof ProviderError)
      return error.errorClass === 'not_called' ? failed(error) : { ...failed(error), call: toldCall(granted, exchange) };
    if (signal.aborted || error instanceof SagaRefused || error instanceof DomainError) return null;
    throw error;
  }
}

/** The record of the call. An attempt that resumes a run sends no prompt, so it has no digest. */
function toldCall(granted: Claimed, exchange: Exchange): ToldCall {
  return { sentSha256: granted.externalId === null ? promptDigest(promptText(granted)) : null, ...exchange };
}

/** Adds a random delay, so that runs that began together are not always polled together. */
function untilNextPoll({ enterBackground }: ProviderCall, milliseconds: number, signal: AbortSignal): Promise<void> {
  enterBackground();
  return sleep(Math.round(milliseconds * (1 + Math.random() * POLL_JITTER)), undefined, { signal });
}

function requestOf({ granted, ids, settings, signal }: ProviderCall): ResearchRequest {
  const { provider, model, query, brief, context, mode, reservedMicros, deadlineMs } = granted;
  const limits = { reservedMicros, deadlineMs, maxResponseBytes: settings.maxResponseBytes };
  return { stepId: ids.stepId, attempt: ids.attempt, provider, model, query, brief, context, mode, limits, signal };
}
