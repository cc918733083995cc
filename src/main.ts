import './runtime/node-version';
import 'reflect-metadata';
import { holdings } from '@lib/memory/holdings';
import { KEY_VARIABLES } from '@lib/providers/registry';
import { readEnv } from '@lib/settings/read-env';
import { createLogger } from './api/logging';
import { endLogged } from './runtime/hanging-files';
import { holdsProviderKeys, isEverything, readRoles } from './roles';
import { startService } from './service';
import { endAfterFailedStart } from './runtime/start-failure';
import { STOP_SIGNALS } from './runtime/stop-signals';
import { welcome } from './welcome';
import { boundHeap } from './runtime/bounded-heap';

/** `main.js [role]`: all, or some of api, saga, worker, synthesizer and webhooks separated by commas. */
async function main(): Promise<void> {
  boundHeap();
  const roles = readRoles(process.argv[2]);
  const env = readEnv(process.env, holdsProviderKeys(roles) ? KEY_VARIABLES : []);
  const logger = createLogger(env.LOG_LEVEL);
  process.on('unhandledRejection', (error) => {
    logger.fatal({ reason: 'unhandled_rejection', err: error }, 'this process ends: a promise was rejected and nobody looked');
    endLogged(logger, 1);
  });
  const stopping = new AbortController();
  const starting = startService(env, roles, logger, stopping.signal);
  const stop = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    logger.info({ reason: 'stopping', signal });
    // Waits for a start in progress, so that what it opened is closed, above all the embedded PostgreSQL.
    starting
      .then((service) => service.stop())
      .then(
        () => endLogged(logger, 0),
        (error: unknown) => {
          if (isAborted(error)) return endLogged(logger, 0);
          logger.error({ reason: 'stop_failed', err: error });
          endLogged(logger, 1);
        },
      );
  };
  process.on('SIGUSR2', () => logger.info({ reason: 'holdings', memory: process.memoryUsage(), holdings: holdings() }));
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  // The reader of the log may go away, or its disk may be full: the service keeps running until it is stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const service = await starting.catch((error: unknown) => {
    if (isAborted(error)) return null;
    throw error;
  });
  if (service === null || stopping.signal.aborted) return;
  logger.info({ reason: 'started', roles: [...roles], address: service.address });
  if (isEverything(roles)) process.stderr.write(welcome(service, env.BASE_PATH));
}

/** Whether the start was given up because the process was told to stop. */
const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

main().catch(endAfterFailedStart);
