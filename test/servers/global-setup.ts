import { startNats } from './nats';
import { startTestPostgres } from './postgres';
import { makeRunFolder, removeRunFolder } from './run-folder';

declare global {
  var testServers: AsyncDisposableStack | undefined;
}

/** One PostgreSQL and one nats-server for the whole run. Specs that stop or kill a server start their own. */
export default async (): Promise<void> => {
  await using started = new AsyncDisposableStack();
  const folder = await makeRunFolder();
  started.defer(() => removeRunFolder(folder));
  const postgres = await startTestPostgres();
  started.defer(() => postgres.stop());
  const nats = await startNats();
  started.defer(() => nats.stop());
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_NATS_URL = nats.url;
  globalThis.testServers = started.move();
};
