import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';

export interface Yardstick {
  /** `http://host:port` of a bare Fastify with `GET /jobs/<kind>-<number>` and `POST /threads`. */
  address: string;
  stop(): Promise<void>;
}

/** Starts the bare server on tables with copies of the given documents, by kind. */
export async function startYardstick(databaseUrl: string, documents: Record<string, object>, copies: number): Promise<Yardstick> {
  await fill(databaseUrl, documents, copies);
  const server = fork(join(__dirname, 'bare-server.js'), [databaseUrl]);
  const [message] = (await once(server, 'message')) as [{ port: number } | { error: string }];
  if ('error' in message) throw new Error(`the bare server did not start: ${message.error}`);
  const stop = async () => {
    server.disconnect();
    await once(server, 'exit');
  };
  return { address: `http://127.0.0.1:${message.port}`, stop };
}

async function fill(databaseUrl: string, documents: Record<string, object>, copies: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('drop table if exists bare_job, bare_thread');
    await client.query('create table bare_job (id text primary key, document jsonb not null)');
    await client.query('create table bare_thread (id uuid primary key, body jsonb not null)');
    for (const [kind, document] of Object.entries(documents)) {
      const insert = `insert into bare_job select $1 || '-' || number, $2 from generate_series(1, $3::int) as number`;
      await client.query(insert, [kind, document, copies]);
    }
    await client.query('analyze bare_job');
  } finally {
    await client.end();
  }
}
