import type { SagaPort } from '../../src/saga/saga-port';

/** The saga, with some calls replaced. */
export const faulty =
  (replace: (saga: SagaPort) => Partial<SagaPort>) =>
  (saga: SagaPort): SagaPort => ({
    claim: (request) => saga.claim(request),
    external: (request) => saga.external(request),
    heartbeat: (request) => saga.heartbeat(request),
    report: (request) => saga.report(request),
    abandonedRun: (request) => saga.abandonedRun(request),
    runCancelled: (request) => saga.runCancelled(request),
    ...replace(saga),
  });

export const lost = () => Promise.reject(new Error('the answer was lost'));
