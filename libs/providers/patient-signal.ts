/** Time that an API gets to say the id of a run that nobody needs any more. */
const PATIENCE_MS = 5_000;

/**
 * Aborts for the same reason as another signal, but a while later: for the submit of an API that works in the background. It may have begun
 * a run before it has said the run's id, and without that id nobody could stop what is paid for.
 */
export function patientSignal(signal: AbortSignal): AbortSignal {
  if (signal.aborted) return signal;
  const patient = new AbortController();
  const abortLater = (): void => void setTimeout(() => patient.abort(signal.reason), PATIENCE_MS).unref();
  signal.addEventListener('abort', abortLater, { once: true });
  return patient.signal;
}
