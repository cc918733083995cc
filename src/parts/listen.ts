import type { AddressInfo } from 'node:net';
import { Departure } from '../api/departure';
import { HealthModule } from '../api/health.module';
import { createHttpApplication } from '../api/http';
import { httpAddress } from '../http-address';
import { traceRequests } from '../telemetry/request-spans';
import { measureRequests } from '../telemetry/request-metrics';
import { cannotListen } from './cannot-listen';
import type { Data } from './data';
import type { Process } from './process';

/**
 * The api serves every route, the other roles their health.
 * @returns `http://host:port`
 */
export async function listen(process: Process, data: Data | null): Promise<string> {
  const { env, roles, logger, intakes, health, metrics, tracing } = process;
  const departure = new Departure();
  const api = data && roles.has('api') ? await (await import('./api.ts')).openApi(process, data, departure) : null;
  const { BASE_PATH: basePath, CORS_ORIGINS: origins, TRUSTED_PROXIES: trustedProxies } = env;
  const access = { logins: api?.logins ?? null, rateLimits: api?.rateLimits ?? null, recordRead: api?.recordRead };
  const measure = metrics ? measureRequests(metrics) : undefined;
  const trace = tracing ? traceRequests(tracing) : undefined;
  const alerted = (reason: string): void => metrics?.alerts.inc({ reason });
  const options = {
    logger,
    basePath,
    ...access,
    origins,
    trustedProxies,
    namesTenants: data?.namesTenants,
    measure,
    alerted,
    trace,
    departure,
  };
  const app = await createHttpApplication(api?.module ?? HealthModule.register(health), options);
  intakes.add('http', async (withinMs) => {
    const cut = setTimeout(() => app.getHttpServer().closeAllConnections(), withinMs);
    if (api) await departure.untilNoticed(withinMs);
    await app.close();
    clearTimeout(cut);
  });
  await app.listen(env.PORT, env.HOST).catch((error: unknown) => {
    throw cannotListen({ what: 'HTTP', variable: 'PORT', host: env.HOST, port: env.PORT }, error);
  });
  const { port } = app.getHttpServer().address() as AddressInfo;
  return httpAddress(env.HOST, port);
}
