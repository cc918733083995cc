import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import pg from 'pg';

/** The yardstick: what the routes would cost if they did nothing but one statement. Started by yardstick.ts. */
async function serve(databaseUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
  const app = fastify();
  app.get<{ Params: { id: string } }>('/jobs/:id', async ({ params }) => {
    const select = { name: 'select', text: 'select document from bare_job where id = $1', values: [params.id] };
    return (await pool.query<{ document: object }>(select)).rows[0]?.document;
  });
  const list = { type: 'array', items: { type: 'string' } };
  const body = { type: 'object', properties: { message: { type: 'string' }, providers: list, mode: { type: 'string' } } };
  app.post('/threads', { schema: { body } }, async (request, reply) => {
    const id = randomUUID();
    await pool.query({ name: 'insert', text: 'insert into bare_thread (id, body) values ($1, $2)', values: [id, request.body] });
    return reply.code(201).send({ id, status: 'pending' });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

process.on('disconnect', () => process.exit(0));
serve(process.argv[2] ?? '').then(
  (port) => process.send?.({ port }),
  (error: unknown) => process.send?.({ error: String(error) }),
);
