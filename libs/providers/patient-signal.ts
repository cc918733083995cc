/** How long an API may take to return the id of a run that is no longer needed. */
const PATIENCE_MS = 5_000;

/**
 * A signal for the submit of a background run. It aborts with the same reason as the given one, but later: the API may have started the run
 * before it returns the id, and without the id a run that costs money cannot be stopped.
 */
export function patientSignal(signal: AbortSignal): AbortSignal {
  if (signal.aborted) return signal;
  const patient = new AbortController();
  const abortLater = (): void => void setTimeout(() => patient.abort(signal.reason), PATIENCE_MS).unref();
  signal.addEventListener('abort', abortLater, { once: true });
  return patient.signal;
}
