import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../messaging/eventually';
import { Client } from '../support/client';
import { Supervisor } from '../support/supervisor';
import type { RoleProcess } from '../support/role-process';

jest.setTimeout(60_000);

const BODY = JSON.stringify({ message: 'asked while it stood still', budget: 'S' });

let supervisor: Supervisor;
let api: RoleProcess;
beforeAll(async () => {
  supervisor = await Supervisor.start();
  api = await supervisor.start('api');
});
afterAll(() => supervisor?.close());

const headers = () => `host: x\r\nauthorization: Bearer ${supervisor.apiKey}\r\ncontent-type: application/json\r\n`;
const requested = async (): Promise<number> => (await supervisor.pool.query(`select from event where type = 'JobRequested'`)).rowCount ?? 0;

/** A connection that has been used, as a client or a proxy keeps it. */
async function keptConnection(): Promise<Socket> {
  const { port, hostname } = new URL(api.address ?? '');
  const socket = connect(Number(port), hostname);
  socket.write(`GET /v1/me HTTP/1.1\r\n${headers()}\r\n`);
  await once(socket, 'data');
  return socket;
}

it('does nothing for clients that asked while it stood still and have hung up, and all for those that still wait', async () => {
  const gone = await Promise.all(Array.from({ length: 10 }, keptConnection));
  const patient = await keptConnection();
  api.send('SIGSTOP');
  const ask = (socket: Socket) => socket.write(`POST /v1/threads HTTP/1.1\r\n${headers()}content-length: ${BODY.length}\r\n\r\n${BODY}`);
  for (const socket of [...gone, patient]) ask(socket);
  // Longer than a standstill is. Nothing tells when a frozen process has been sent something.
  await sleep(1_500);
  for (const socket of gone) socket.end();
  const answered = once(patient, 'data');
  await sleep(200);
  api.send('SIGCONT');
  expect(String(await answered)).toMatch(/^HTTP\/1\.1 201 /);
  patient.destroy();
  const { status } = await new Client(supervisor).call('POST', '/v1/threads', JSON.parse(BODY) as object);
  expect(status).toBe(201);
  await eventually(2, requested);
  await sleep(300);
  expect(await requested()).toBe(2);
});
