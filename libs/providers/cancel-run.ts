import type { ErrorClass } from '@lib/domain/vocabulary';
import type { ProviderHttp } from './http';
import { ProviderError, type RawResponse } from './research-provider';

/** Covers the cancel request and, if that is refused, the request for the run's status. */
const CANCEL_TIMEOUT_MS = 10_000;

/** APIs also answer with these when the run to cancel is over or no longer known. */
const PERHAPS_OVER: ReadonlySet<ErrorClass> = new Set(['invalid_request', 'model_gone']);

/**
 * Asks the API to stop the run at this path. If it refuses, the run's status decides whether the run is over: the status is documented, the
 * wording of a refusal is not, and a proxy may refuse in the same way while the run goes on.
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

/** The refusal without its charge of 0, which is the cancel call's: the run itself has cost something. */
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
