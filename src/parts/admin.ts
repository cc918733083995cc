import { checkpointSettings } from '../audit/checkpoint-settings';
import { readCheckpointKeys } from '../embedded/data-folder';
import { startAdminServer } from '../telemetry/admin-server';
import { measureCheckpoints } from '../telemetry/checkpoint-metrics';
import { DrainRoute } from '../telemetry/drain-route';
import { measureJobs } from '../telemetry/job-metrics';
import { measureProcess } from '../telemetry/process-metrics';
import { measureQueues } from '../telemetry/queue-metrics';
import { measureDeliveries } from '../telemetry/delivery-metrics';
import { measureWork } from '../telemetry/work-metrics';
import { cannotListen } from './cannot-listen';
import type { Data } from './data';
import type { Process } from './process';

/** Serves metrics, health and the log's level on ADMIN_PORT, if it is set. */
export async function serveAdmin(process: Process, data: Data | null): Promise<void> {
  const { env, roles, logger, closing, transport, health, metrics, drainable } = process;
  if (!metrics || env.ADMIN_PORT === undefined) return;
  const { registry } = metrics;
  measureProcess(registry, { transport, pool: data?.store.pool ?? null, health });
  measureQueues(registry, transport, logger);
  if (data) measureJobs(data.store, metrics, env.METRICS_TENANTS);
  if (data && roles.has('webhooks')) measureDeliveries(registry, data.store.pool, logger);
  if (data && roles.has('saga')) {
    measureWork(registry, data.store.pool, logger);
    measureCheckpoints(registry, data.store.pool, checkpointSettings(env, readCheckpointKeys(env, roles)), logger);
  }
  const drain = drainable.length > 0 ? new DrainRoute(drainable) : null;
  const { HOST: host, ADMIN_PORT: port } = env;
  const server = await startAdminServer({ host, port, registry, readiness: health, logger, drain }).catch((error: unknown) => {
    throw cannotListen({ what: 'Metrics', variable: 'ADMIN_PORT', host, port }, error);
  });
  closing.defer(() => server.close());
  logger.info({ reason: 'admin', address: server.address });
}
