import type { Logger } from 'pino';
import type { Env } from '@lib/settings/env';
import type { FirstKey } from './embedded/first-key';
import type { Data } from './parts/data';
import { Closing } from './parts/closing';
import { Intakes } from './parts/intakes';
import { serveAdmin } from './parts/admin';
import { listen } from './parts/listen';
import { requireDocuments } from './parts/documents';
import { openProcess, type Process, type Start } from './parts/process';
import { isEverything, needsDatabase, type Role } from './roles';
import type { SagaPort } from './saga/saga-port';

/** A running process of the service. */
export interface Service {
  /** `http://host:port`, without the base path. */
  address: string;
  /** The API key that the embedded default created or was given; null for other roles. */
  firstKey: FirstKey | null;
  /** Accepts nothing new in any role, finishes what was begun within `DRAIN_MS`, and ends. Drops nothing that was accepted. */
  stop(): Promise<void>;
}

/**
 * Starts the roles of this process. If one fails, everything that was opened is closed.
 * @param stopping ends what a start may wait for, which is then rejected
 */
export async function startService(env: Env, roles: ReadonlySet<Role>, logger: Logger, stopping?: AbortSignal): Promise<Service> {
  const closing = new Closing();
  const intakes = new Intakes(logger);
  const stop = async (): Promise<void> => {
    await intakes.drain(env.DRAIN_MS);
    await closing.disposeAsync();
  };
  try {
    return { ...(await startParts({ env, roles, logger, intakes, closing, stopping })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loads only the code of the parts that the roles need, since loading takes most of a start's time and memory. */
async function startParts(start: Start): Promise<Omit<Service, 'stop'>> {
  if (start.roles.has('worker')) await requireDocuments(start);
  const process = await openProcess(start);
  const data = needsDatabase(start.roles) ? await (await import('./parts/data.ts')).openData(process) : null;
  const saga = data ? await startReportParts(process, data) : null;
  if (start.roles.has('worker')) await (await import('./parts/worker.ts')).startWorker(process, saga);
  if (data && start.roles.has('webhooks')) (await import('./parts/webhooks.ts')).startWebhooks(process, data);
  const firstKey = data ? await ensureFirstKey(process, data) : null;
  await serveAdmin(process, data);
  return { firstKey, address: await listen(process, data) };
}

/** Roles that read reports share the threads for it. */
async function startReportParts(process: Process, data: Data): Promise<SagaPort | null> {
  const { roles, logger, closing } = process;
  if (!roles.has('saga') && !roles.has('synthesizer')) return null;
  const { ReportPool } = await import('./reports/report-pool.ts');
  const reportPool = new ReportPool(logger);
  closing.defer(() => reportPool.close());
  const saga = roles.has('saga') ? await (await import('./parts/saga.ts')).startSaga(process, data, reportPool.run) : null;
  if (roles.has('synthesizer')) await (await import('./parts/synthesizer.ts')).startSynthesizer(process, data, reportPool.run);
  return saga;
}

/** A process creates a key on its own only for the embedded database, which it also creates itself. */
async function ensureFirstKey({ env, roles }: Process, { store, pepper }: Data): Promise<FirstKey | null> {
  const isOwn = isEverything(roles) && env.DATABASE_URL === undefined;
  if (!roles.has('api') || (!isOwn && env.BOOTSTRAP_API_KEY === undefined)) return null;
  const { firstKey } = await import('./embedded/first-key.ts');
  return firstKey(env, { pool: store.pool, pepper });
}
