import type { SagaPort } from '../../src/saga/saga-port';

/** The saga, with some calls replaced. */
export const faulty =
  (replace: (saga: SagaPort) => Partial<SagaPort>) =>
  (saga: SagaPort): SagaPort => ({
    claim: (request, until) => saga.claim(request, until),
    recordExternalId: (request, until) => saga.recordExternalId(request, until),
    heartbeat: (request, until) => saga.heartbeat(request, until),
    report: (request, until) => saga.report(request, until),
    abandonedRun: (request, until) => saga.abandonedRun(request, until),
    runCancelled: (request, until) => saga.runCancelled(request, until),
    ...replace(saga),
  });

export const lost = () => Promise.reject(new Error('the answer was lost'));
