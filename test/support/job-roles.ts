import { pino } from 'pino';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Transport } from '@lib/messaging/transport';
import type { ResearchProvider } from '@lib/providers/research-provider';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Store } from '@lib/store/store';
import { leaseTimes } from '@lib/settings/lease-times';
import { logAlerts } from '../../src/commits/alerts';
import { logCommits } from '../../src/commits/log-commits';
import { publishCommits } from '../../src/commits/publish-commits';
import { Capacity } from '../../src/dispatch/capacity';
import { dispatchCommits } from '../../src/dispatch/dispatch';
import { Admission, CIRCUIT, type AdmissionSettings } from '../../src/saga/admission';
import { Saga } from '../../src/saga/saga';
import type { SagaPort } from '../../src/saga/saga-port';
import { serveSaga } from '../../src/saga/saga-server';
import { Expiry } from '../../src/saga/expiry';
import { Sweeper } from '../../src/saga/sweeper';
import type { RunTask } from '../../src/reports/report-pool';
import { Synthesizer } from '../../src/synthesizer/synthesizer';
import { createSagaClient } from '../../src/worker/saga-client';
import { Worker } from '../../src/worker/worker';
import type { ProviderLimits } from '../../src/worker/worker-settings';
import { Commits } from './commits';
import { ControlledProvider } from './controlled-provider';
import { runHere } from './run-task';
import { createTestStore, PROCESS, type TestStore } from './store';

export interface JobRolesOptions {
  leaseMs?: number;
  heartbeatMs?: number;
  redispatchMs?: number;
  maxReportBytes?: number;
  /** How long a worker waits for a grant. */
  claimMs?: number;
  /** Of each provider. */
  limits?: Partial<ProviderLimits>;
  circuit?: AdmissionSettings['circuit'];
  /** Workers speak to the saga over the transport, as in processes of their own. */
  remote?: boolean;
  /** What stands between the workers and the saga. */
  between?: (saga: SagaPort) => SagaPort;
  /** What stands between the transport and the saga. */
  behind?: (saga: SagaPort) => SagaPort;
  runTask?: RunTask;
}

/** What a worker has that the others have not. */
interface OwnOfWorker {
  adapter?: string;
  /** Instead of what the test controls. */
  provider?: ResearchProvider;
}

/** Every role in one process on a fresh database and the memory transport; the providers do what the test says. */
export interface JobRoles {
  test: TestStore;
  store: Store;
  transport: Transport;
  saga: SagaPort;
  providers: Readonly<Record<'provider-a' | 'provider-c', ControlledProvider>>;
  commits: Commits;
  /** Lines that were logged. */
  logged: Record<string, unknown>[];
  /** Another worker, as if in another process. */
  startWorker(own?: OwnOfWorker): Promise<Worker>;
  /** Looks after the agenda every few milliseconds from now on. */
  startSweeper(): void;
  stop(): Promise<void>;
}

const SWEEP_MS = 5;

export async function startJobRoles(options: JobRolesOptions = {}): Promise<JobRoles> {
  const { leaseMs = 30_000, heartbeatMs = 10_000, redispatchMs = 30_000, maxReportBytes = 1_000_000, runTask = runHere } = options;
  const closing = new AsyncDisposableStack();
  const capacity = new Capacity();
  const test = closing.adopt(await createTestStore({ leaseMs, windowOf: (provider) => capacity.writerWindow(provider) }), (opened) =>
    opened.close(),
  );
  const { store } = test;
  const transport = closing.adopt(createMemoryTransport({ ackWaitMs: 1000 }), (opened) => opened.close());
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const commits = new Commits(store);
  dispatchCommits(store, { transport });
  logCommits(store, logger);
  publishCommits(store, transport);
  logAlerts(store, logger);

  await capacity.listen(transport);
  const windowOf = (provider: ProviderId) => capacity.windowOf(provider);
  const { circuit = CIRCUIT } = options;
  const admission = new Admission(store, transport, { sweepMs: SWEEP_MS, redispatchMs, windowOf, circuit }, logger);
  await admission.listen();
  closing.defer(() => admission.stop());
  const saga = new Saga(store, leaseMs, runTask, admission.mayStart, (fields, message) => logger.warn(fields, message));
  const serving = await serveSaga({ transport, saga: options.behind ? options.behind(saga) : saga, logger });
  closing.defer(() => serving.stop());
  const near = options.remote ? createSagaClient(transport, leaseTimes({ LEASE_MS: leaseMs, HEARTBEAT_MS: heartbeatMs })) : saga;
  const port = options.between ? options.between(near) : near;
  const providers = { 'provider-a': new ControlledProvider(), 'provider-c': new ControlledProvider() };
  const served = new Map(Object.entries(providers) as [ProviderId, ControlledProvider][]);
  const limits = { concurrency: 8, backgroundRuns: 0, requestsPerMinute: null, ...options.limits };
  const startWorker = async ({ adapter = 'simulated', provider }: OwnOfWorker = {}) => {
    const bounds = {
      heartbeatMs,
      adapters: new Map([...served.keys()].map((provider) => [provider, adapter])),
      process: PROCESS,
      maxResponseBytes: 10_000_000,
      maxReportBytes: () => maxReportBytes,
      claimMs: options.claimMs,
    };
    const settings = { providers: new Map([...served.keys()].map((provider) => [provider, limits])), ...bounds };
    const providers = provider ? new Map([...served.keys()].map((id) => [id, provider])) : served;
    const worker = new Worker(transport, port, providers, settings, logger);
    await worker.start();
    closing.defer(() => worker.stop(0));
    return worker;
  };
  const startSweeper = () => {
    const settings = { sweepMs: SWEEP_MS, leaseMs, reportsMs: leaseMs, redispatchMs };
    for (const loop of [new Sweeper(store, transport, settings, logger), new Expiry(store, transport, settings, logger)]) {
      closing.defer(loop.start());
    }
    admission.start();
  };
  const synthesizer = new Synthesizer({ store, transport, process: PROCESS, runTask, model: null, logger, heartbeatMs });
  await synthesizer.start();
  closing.defer(() => synthesizer.stop(0));
  const stop = () => closing.disposeAsync();
  return { test, store, transport, saga, providers, commits, logged, startWorker, startSweeper, stop };
}
