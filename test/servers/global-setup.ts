import type { RunningPostgres } from '../../src/embedded/postgres';
import { startNats, type RunningNats } from './nats';
import { startTestPostgres } from './postgres';

declare global {
  var testServers: { postgres: RunningPostgres; nats: RunningNats } | undefined;
}

/** One PostgreSQL and one nats-server for the whole run. Specs that stop or kill a server start their own. */
export default async (): Promise<void> => {
  const postgres = await startTestPostgres();
  const nats = await startNats().catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  globalThis.testServers = { postgres, nats };
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_NATS_URL = nats.url;
};
