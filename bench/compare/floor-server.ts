import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { FloorJobs } from './floor-jobs';

/** The floor's REST interface: what the bench asks of the service, on a bare Fastify. Started by floor.ts. */
async function serve(databaseUrl: string, natsUrl: string): Promise<number> {
  const jobs = await FloorJobs.start(databaseUrl, natsUrl);
  const app = fastify();
  const body = { type: 'object', required: ['message'], properties: { message: { type: 'string' }, mode: { type: 'string' } } };
  app.post<{ Body: { message: string } }>('/v1/threads', { schema: { body } }, async (request, reply) => {
    const id = randomUUID();
    await jobs.create(id, request.body.message);
    return reply.code(201).send({ id, job: { id, status: 'running' } });
  });
  app.get<{ Params: { id: string } }>('/v1/threads/:thread/jobs/:id', async ({ params }, reply) => {
    const document = await jobs.read(params.id);
    if (document === null) return reply.code(404).send();
    return reply.type('application/json').send(document);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

process.on('disconnect', () => process.exit(0));
serve(process.argv[2] ?? '', process.argv[3] ?? '').then(
  (port) => process.send?.({ port }),
  (error: unknown) => process.send?.({ error: String(error) }),
);
