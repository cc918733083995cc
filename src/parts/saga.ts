import type { ProviderId } from '@lib/domain/vocabulary';
import { leaseTimes } from '@lib/settings/lease-times';
import { forgetOldReads } from '../audit/forget-old-reads';
import { Admission } from '../saga/admission';
import { removeExpiredRequests } from '../saga/expired-requests';
import { Expiry } from '../saga/expiry';
import { GivenUpRuns } from '../saga/given-up-runs';
import { SagaReplica } from '../saga/replica';
import { Retention } from '../saga/retention';
import { Saga } from '../saga/saga';
import { forWorkers, type SagaPort } from '../saga/saga-port';
import { serveSaga } from '../saga/saga-server';
import { removeSkeletons } from '../saga/skeletons';
import { Sweeper } from '../saga/sweeper';
import type { RunTask } from '../reports/report-pool';
import type { Data } from './data';
import { startLog } from './log';
import type { Process } from './process';

export async function startSaga(process: Process, data: Data, runTask: RunTask): Promise<SagaPort> {
  const { env, logger, intakes, transport, health, metrics } = process;
  const { store, capacity } = data;
  const windowOf = (provider: ProviderId) => capacity.windowOf(provider);
  const admission = new Admission(store, transport, { sweepMs: env.SWEEP_MS, redispatchMs: env.REDISPATCH_MS, windowOf }, logger);
  await admission.listen();
  const saga = forWorkers(new Saga(store, env.LEASE_MS, runTask, admission.mayStart, (fields, message) => logger.warn(fields, message)));
  const times = leaseTimes(env);
  const replica = new SagaReplica({
    serve: () => serveSaga({ transport, saga, logger, doubt: () => replica.doubt() }),
    requireCommit: (withinMs) => store.requireCommit(withinMs),
    times,
    logger,
  });
  store.onCommit(() => replica.committed());
  await replica.start();
  intakes.add('requests', () => replica.stop());
  health.add({ name: 'requests', check: async () => replica.requireServing() });
  const settings = { ...times, sweepMs: env.SWEEP_MS, redispatchMs: env.REDISPATCH_MS };
  const sweeper = new Sweeper(store, transport, settings, logger, (kind, outcome) => metrics?.sweeps.inc({ kind, outcome }));
  intakes.add('sweeper', sweeper.start());
  intakes.add('expired_requests', removeExpiredRequests(store.requests, logger));
  admission.start();
  intakes.add('admission', () => admission.stop());
  intakes.add('expiry', new Expiry(store, transport, settings, logger).start());
  intakes.add('given_up_runs', new GivenUpRuns(store, logger).start());
  if (env.RETAIN_THREADS_DAYS > 0) intakes.add('retention', new Retention(store, env.RETAIN_THREADS_DAYS, logger).start());
  if (env.RETAIN_SKELETONS_DAYS > 0) intakes.add('skeletons', removeSkeletons(store.pool, env.RETAIN_SKELETONS_DAYS, logger));
  startLog(process, data);
  intakes.add('reads', forgetOldReads(store.pool, env.AUDIT_READS_DAYS, logger));
  return saga;
}
