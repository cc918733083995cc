import type { ErrorClass } from '@lib/domain/vocabulary';
import type { ProviderHttp } from './http';
import { ProviderError, type RawResponse } from './research-provider';

/** Covers the request to cancel and, if that is refused, the look at the run. */
const CANCEL_TIMEOUT_MS = 10_000;

/** The error classes with which an API also refuses to stop a run that is over or forgotten. */
const PERHAPS_OVER: ReadonlySet<ErrorClass> = new Set(['invalid_request', 'model_gone']);

/**
 * Asks to stop the run at this path. If that is refused, the run itself is read to see whether it is over: its status is documented but the words of
 * a refusal are not, and a proxy refuses in the same way while the run continues.
 * @param isOver reads the run's description
 * @throws ProviderError if the run may go on, with the class of the refusal or of the failed status request
 */
export async function cancelRun(http: ProviderHttp, runPath: string, isOver: (description: RawResponse) => boolean): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
  try {
    await http.post(`${runPath}/cancel`, {}, signal);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const refused = refusalOf(error);
    if (!PERHAPS_OVER.has(error.errorClass)) throw refused;
    const description = await descriptionOf(http, runPath, signal);
    if (description !== null && !isOver(description)) throw refused;
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
