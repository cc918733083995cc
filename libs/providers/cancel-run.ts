import { setTimeout as sleep } from 'node:timers/promises';

import type { JsonObject } from '@lib/domain/json-object';
import { messageOfError } from '@lib/domain/message-of-error';
import type { ErrorClass } from '@lib/domain/vocabulary';
import { saidOfRun } from './accepted-run';
import type { ProviderHttp } from './http';
import { parseObject, textIn } from './json';
import { ProviderError, type RawResponse } from './research-provider';

/** Covers the request to cancel and the looks at the run. */
const CANCEL_TIMEOUT_MS = 10_000;

/** Pauses before the looks at a run where nobody refused to stop it: Perplexity, for one, stops a run a moment after its answer `cancelling`. */
const LOOKS_AFTER_MS = [0, 1_000];

/** The error classes with which an API also refuses to stop a run that is over or forgotten. */
const PERHAPS_OVER: ReadonlySet<ErrorClass> = new Set(['invalid_request', 'model_gone']);

/**
 * Asks to stop the run at this path. Unless the answer says that it is over, the run itself is read to see whether it is: its status is documented but
 * the words of a refusal are not, and a proxy answers or refuses in the API's place while the run continues.
 * @param isOver reads the run's description
 * @throws ProviderError if the run may go on: with the class of the failed status request, or of the refusal if the run tells that it goes on, else
 * `unavailable`
 */
export async function cancelRun(http: ProviderHttp, runPath: string, isOver: (description: JsonObject) => boolean): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
  const answer = await answerOrRefusal(http, runPath, signal);
  if (typeof answer === 'string' && insteadOfOver(answer, isOver) === null) return;
  let told: Told | null = null;
  for (const pauseMs of typeof answer === 'string' ? LOOKS_AFTER_MS : [0]) {
    await sleep(pauseMs, undefined, { signal });
    const description = await descriptionOf(http, runPath, signal);
    told = description === null ? null : insteadOfOver(description, isOver);
    if (told === null) return;
  }
  if (typeof answer === 'string')
    throw new ProviderError('unavailable', `The run may go on although the provider took the request to stop it: ${told?.said}`);
  if (told?.isOfRun) throw answer;
  throw new ProviderError('unavailable', `${answer.message}; whether the run goes on is not known: ${told?.said}`, {}, { cause: answer });
}

interface Told {
  said: string;
  /** It describes the run. What a proxy answers in the API's place says nothing about it. */
  isOfRun: boolean;
}

/** What a description says; null if it says that the run is over. */
function insteadOfOver(description: RawResponse, isOver: (description: JsonObject) => boolean): Told | null {
  try {
    const run = parseObject(description);
    if (isOver(run)) return null;
    return { said: saidOfRun(run) || 'it does not say how the run stands', isOfRun: textIn(run.status) !== null };
  } catch (error) {
    return { said: messageOfError(error), isOfRun: false };
  }
}

/** @throws ProviderError for a refusal that no API gives because the run is over */
async function answerOrRefusal(http: ProviderHttp, runPath: string, signal: AbortSignal): Promise<RawResponse | ProviderError> {
  try {
    return await http.post(`${runPath}/cancel`, {}, signal);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const refused = refusalOf(error);
    if (!PERHAPS_OVER.has(error.errorClass)) throw refused;
    return refused;
  }
}

/** Leaves out the charge of the refused call, which is 0: the run itself did cost something, and a poller would settle the run by that 0. */
function refusalOf(error: ProviderError): ProviderError {
  const { retryAfterMs } = error.details;
  return new ProviderError(error.errorClass, error.message, retryAfterMs === undefined ? {} : { retryAfterMs }, { cause: error });
}

/** Null if the provider does not know the run. */
async function descriptionOf(http: ProviderHttp, runPath: string, signal: AbortSignal): Promise<RawResponse | null> {
  try {
    return await http.get(runPath, signal);
  } catch (error) {
    if (error instanceof ProviderError && error.errorClass === 'lost') return null;
    throw error;
  }
}
