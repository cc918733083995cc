import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { ProviderId } from '@lib/domain/vocabulary';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { connectNats } from '@lib/messaging/nats-transport';
import type { Transport } from '@lib/messaging/transport';
import { ADAPTERS, createLanguageModel, createProviders } from '@lib/providers/registry';
import type { Env } from '@lib/settings/env';
import { requireKeys } from '@lib/settings/provider-keys';
import { readProvidersFile, readReportModel, type ProvidersFile } from '@lib/settings/providers-file';
import { synthesisKey } from '@lib/settings/synthesis-settings';
import { migrate } from '@lib/store/postgres/migrations';
import { openStore, type Store } from '@lib/store/store';
import { apiModule } from './api-parts';
import type { HealthCheck } from './api/health';
import { HealthModule } from './api/health.module';
import { createHttpApplication } from './api/http';
import { openDatabase, requireDatabase, requireSchema } from './database';
import { dispatchCommits } from './dispatch/dispatch';
import { dataFiles, readSecrets } from './embedded/data-folder';
import { firstKey, type FirstKey } from './embedded/first-key';
import { isEverything, needsDatabase, type Role } from './roles';
import { Saga } from './saga/saga';
import type { SagaPort } from './saga/saga-port';
import { serveSaga } from './saga/serve-saga';
import { Sweeper } from './saga/sweeper';
import { Explorer } from './synthesizer/explorer';
import type { ReportModel } from './synthesizer/model-synthesis';
import { ReportThreads, type RunTask } from './synthesizer/report-threads';
import { Synthesizer } from './synthesizer/synthesizer';
import { RunCanceller } from './worker/run-canceller';
import { createSagaClient } from './worker/saga-client';
import { Worker, type ProviderLimits } from './worker/worker';

/** A running process of the service. */
export interface Service {
  /** `http://host:port`, without the base path. */
  address: string;
  /** The key that the embedded default made or was given; null in a role without keys. */
  firstKey: FirstKey | null;
  /** Takes nothing new, finishes what it has in hand and ends; nothing that was accepted is dropped. */
  stop(): Promise<void>;
}

/** What the roles of one process share. */
interface Process {
  env: Env;
  roles: ReadonlySet<Role>;
  logger: Logger;
  /** Closes what was opened, last first. */
  closing: AsyncDisposableStack;
  transport: Transport;
  health: HealthCheck[];
}

interface Data {
  store: Store;
  pepper: string;
}

/** Largest report or raw response of a provider, in bytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** Reports travel beside others in one message, and a message has room for more than its reports. */
const REPORT_SHARE = 0.4;
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

/** Starts the roles of this process; whatever was opened is closed again if one of them fails. */
export async function startService(env: Env, roles: ReadonlySet<Role>, logger: Logger): Promise<Service> {
  const closing = new AsyncDisposableStack();
  try {
    const transport = await openTransport(env, roles, logger);
    closing.defer(() => transport.close());
    const process: Process = { env, roles, logger, closing, transport, health: [] };
    // The api needs no NATS: it accepts jobs meanwhile, and they run once NATS is back.
    if (!roles.has('api')) process.health.push({ name: 'nats', check: async () => requireConnection(transport) });
    const data = needsDatabase(roles) ? await openData(process) : null;
    const threads = new ReportThreads(logger);
    closing.defer(() => threads.close());
    const saga = data && roles.has('saga') ? await startSaga(process, data, threads.run) : null;
    if (roles.has('worker')) await startWorker(process, saga ?? createSagaClient(transport));
    if (data && roles.has('synthesizer')) await startSynthesizer(process, data, threads.run);
    const keyed = data && roles.has('api') && (isEverything(roles) || env.BOOTSTRAP_API_KEY !== undefined);
    const key = keyed ? await firstKey(env, { pool: data.store.pool, pepper: data.pepper }) : null;
    const address = await listen(process, data);
    return { address, firstKey: key, stop: () => closing.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

async function openTransport(env: Env, roles: ReadonlySet<Role>, logger: Logger): Promise<Transport> {
  if (env.NATS_URL)
    return connectNats({ url: env.NATS_URL, prefix: env.NATS_PREFIX, name: [...roles].join('+'), logger: asTransportLogger(logger) });
  if (!isEverything(roles)) throw new Error('NATS_URL is not set: roles that run apart speak over NATS; only role all does without');
  return createMemoryTransport();
}

async function openData({ env, roles, logger, closing, transport, health }: Process): Promise<Data> {
  const { masterKey, pepper } = readSecrets(env, roles);
  const database = await openDatabase(env, roles);
  closing.defer(async () => database.embedded?.stop());
  const { LEASE_MS: leaseMs, REDISPATCH_FIRST_MS: redispatchFirstMs, DATABASE_POOL: connections } = env;
  const store = openStore({ databaseUrl: database.url, connections, masterKey, leaseMs, redispatchFirstMs });
  closing.defer(() => store.close());
  await requireDatabase(store.pool);
  if (isEverything(roles)) await migrate(database.url);
  else await requireSchema(store.pool);
  await store.requireMasterKey();
  dispatchCommits(store, transport, logger);
  health.push({ name: 'database', check: async () => void (await store.pool.query('select 1')) });
  return { store, pepper };
}

async function startSaga({ env, logger, closing, transport }: Process, { store }: Data, runTask: RunTask): Promise<SagaPort> {
  const saga = new Saga(store, env.LEASE_MS, runTask);
  const serving = await serveSaga(transport, saga, logger);
  closing.defer(() => serving.stop());
  const settings = { sweepMs: env.SWEEP_MS, leaseMs: env.LEASE_MS, redispatchMs: env.REDISPATCH_MS };
  const sweeper = new Sweeper(store, transport, settings, logger);
  sweeper.start();
  closing.defer(() => sweeper.stop());
  return saga;
}

async function startWorker({ env, roles, logger, closing, transport }: Process, saga: SagaPort): Promise<void> {
  const { providers: configured } = providersFile(env, roles);
  const limitsOf = (provider: ProviderId): ProviderLimits => {
    const { concurrency, requestsPerMinute } = configured[provider];
    const backgroundRuns = concurrency === null ? env.WORKER_BACKGROUND_RUNS : 0;
    return { concurrency: concurrency ?? env.WORKER_SLOTS, backgroundRuns, requestsPerMinute };
  };
  const settings = {
    providers: new Map(env.WORKER_PROVIDERS.map((provider) => [provider, limitsOf(provider)])),
    heartbeatMs: env.HEARTBEAT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    maxReportBytes: Math.min(MAX_REPORT_BYTES, transport.maxPayloadBytes() * REPORT_SHARE),
  };
  const served = Object.fromEntries(env.WORKER_PROVIDERS.map((provider) => [provider, configured[provider]]));
  requireKeys(served, env.providerKeys);
  const cacheFolder = env.CACHE_DIR ?? dataFiles(env.DATA_DIR).cache;
  const providers = await createProviders(served, env.providerKeys, { corpusDir: env.CORPUS_DIR, cacheFolder, log: logger });
  const worker = new Worker(transport, saga, providers, settings, logger);
  await worker.start();
  closing.defer(() => worker.stop(env.DRAIN_MS));
  const canceller = new RunCanceller(transport, saga, providers, logger);
  await canceller.start(env.WORKER_PROVIDERS);
  closing.defer(() => canceller.stop());
}

/** Only a process that both plans and works may let its keys decide who serves a provider. */
function providersFile(env: Env, roles: ReadonlySet<Role>): ProvidersFile {
  return readProvidersFile(env.PROVIDERS_FILE, ADAPTERS, isEverything(roles) ? env.providerKeys : null);
}

async function startSynthesizer({ env, logger, closing, transport }: Process, { store }: Data, runTask: RunTask): Promise<void> {
  const explorer = new Explorer({ store, transport, runTask, logger });
  const model = await reportModel(env);
  const synthesizer = new Synthesizer({ store, transport, runTask, model, logger, heartbeatMs: env.HEARTBEAT_MS });
  closing.defer(async () => void (await Promise.all([explorer.stop(env.DRAIN_MS), synthesizer.stop(env.DRAIN_MS)])));
  await explorer.start();
  await synthesizer.start();
}

async function reportModel(env: Env): Promise<ReportModel | null> {
  const synthesis = readReportModel(env.PROVIDERS_FILE, ADAPTERS);
  if (!synthesis) return null;
  const languageModel = await createLanguageModel(synthesis, synthesisKey(synthesis, env.providerKeys));
  return { languageModel, name: synthesis.model, priceDate: synthesis.priceDate };
}

/** The api serves every route, the other roles their health. */
async function listen({ env, roles, logger, closing, health }: Process, data: Data | null): Promise<string> {
  const api = data && roles.has('api') ? apiModule(env, providersFile(env, roles), data, health) : null;
  const options = { logger, basePath: env.BASE_PATH, verifyKey: api?.verifyKey ?? null };
  const app = await createHttpApplication(api?.module ?? HealthModule.register(health), options);
  closing.defer(() => app.close());
  await app.listen(env.PORT, env.HOST).catch((error: unknown) => {
    throw cannotListen(env, error);
  });
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${port}`;
}

function cannotListen({ HOST, PORT }: Env, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = code === 'EADDRINUSE' ? 'another program listens there' : message;
  return new Error(
    `HTTP cannot listen on port ${PORT} of ${HOST}: ${reason}. Set PORT to a free port (0 for any) and HOST to an own address.`,
    {
      cause,
    },
  );
}

function requireConnection(transport: Transport): void {
  if (transport.connectedForMs() === null) throw new Error('NATS is not connected');
}

const asTransportLogger = (logger: Logger) => ({ warn: (fields: object, message: string) => logger.warn(fields, message) });
