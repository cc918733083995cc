import type { ProviderId } from '@lib/domain/vocabulary';
import { createProviders } from '@lib/providers/registry';
import { MAX_RESPONSE_BYTES } from '@lib/providers/research-provider';
import { leaseTimes } from '@lib/settings/lease-times';
import { requireKeys } from '@lib/settings/provider-keys';
import { dataFiles } from '../embedded/data-folder';
import type { SagaPort } from '../saga/saga-port';
import { RunCanceller } from '../worker/run-canceller';
import { measureCalls } from '../telemetry/provider-metrics';
import { createSagaClient } from '../worker/saga-client';
import { Worker } from '../worker/worker';
import type { ProviderLimits } from '../worker/worker-settings';
import { providersFile, type Process } from './process';

/** Largest share of a message for one report: a message carries several reports, and other fields besides. */
const REPORT_SHARE = 0.4;
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

/** @param ownSaga the saga of the same process; null if it runs in another one */
export async function startWorker(process: Process, ownSaga: SagaPort | null): Promise<void> {
  const { env, logger, intakes, transport, identity, tracing, metrics } = process;
  const saga = ownSaga ?? createSagaClient(transport, leaseTimes(env));
  const { providers: configured } = providersFile(process);
  const limitsOf = (provider: ProviderId): ProviderLimits => {
    const { concurrency, requestsPerMinute } = configured[provider];
    const backgroundRuns = concurrency === null ? env.WORKER_BACKGROUND_RUNS : 0;
    return { concurrency: concurrency ?? env.WORKER_SLOTS, backgroundRuns, requestsPerMinute };
  };
  const settings = {
    providers: new Map(env.WORKER_PROVIDERS.map((provider) => [provider, limitsOf(provider)])),
    adapters: new Map(env.WORKER_PROVIDERS.map((provider) => [provider, configured[provider].adapter])),
    heartbeatMs: env.HEARTBEAT_MS,
    process: identity,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    maxReportBytes: () => Math.min(MAX_REPORT_BYTES, transport.maxPayloadBytes() * REPORT_SHARE),
  };
  const served = Object.fromEntries(env.WORKER_PROVIDERS.map((provider) => [provider, configured[provider]]));
  requireKeys(served, env.providerKeys);
  const cacheFolder = env.CACHE_DIR ?? dataFiles(env.DATA_DIR).cache;
  const providers = await createProviders(served, env.providerKeys, { corpusDir: env.CORPUS_DIR, cacheFolder, log: logger });
  const worker = new Worker(transport, saga, providers, settings, logger, tracing, metrics ? measureCalls(metrics) : undefined);
  await worker.start();
  intakes.add('worker', (withinMs) => worker.stop(withinMs));
  process.drainable.push(worker);
  const canceller = new RunCanceller(transport, saga, providers, logger);
  await canceller.start(env.WORKER_PROVIDERS);
  intakes.add('run_canceller', () => canceller.stop());
}
