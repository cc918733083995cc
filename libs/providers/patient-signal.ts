/** How long an API may take to return the id of a run that is no longer needed. */
const PATIENCE_MS = 5_000;

/**
 * Aborts with the same reason as another signal, but later: for the submit of a background run. The API may have started a run before it returns the
 * id, and without the id nobody could stop a run that has to be paid for.
 */
export function patientSignal(signal: AbortSignal): AbortSignal {
  if (signal.aborted) return signal;
  const patient = new AbortController();
  const abortLater = (): void => void setTimeout(() => patient.abort(signal.reason), PATIENCE_MS).unref();
  signal.addEventListener('abort', abortLater, { once: true });
  return patient.signal;
}
