import { createDatabase } from '../../servers/database';
import { startPostgresProxy, type PostgresProxy } from '../../support/postgres-proxy';
import { onNats, startSystem, type System } from './system';

/** An api alone, whose connections to its database go by a proxy; stopping it removes both. */
export async function startApiBehindProxy(): Promise<{ system: System; proxy: PostgresProxy }> {
  const database = await createDatabase();
  const proxy = await startPostgresProxy(database.url);
  const drop = async () => {
    await proxy.close();
    await database.drop();
  };
  const system = await startSystem({ database: { url: proxy.url, drop }, providers: {}, roles: ['api'], environment: onNats() });
  return { system, proxy };
}
