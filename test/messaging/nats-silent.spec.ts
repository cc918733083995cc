import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { dialNats } from '@lib/messaging/nats-dial';
import { eventually } from './eventually';

/** Accepts connections and says nothing, as a frozen nats-server or a load balancer without one behind it. */
let server: Server;
let open: Set<Socket>;
let accepted: number;
let servers: string;
beforeEach(async () => {
  open = new Set();
  accepted = 0;
  server = createServer((socket) => {
    accepted += 1;
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  server.close();
  await once(server, 'close');
});

it('dials that a silent server does not answer leave no socket open', async () => {
  for (const _ of [1, 2, 3]) await expect(dialNats({ servers, timeout: 100, reconnect: false })).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(accepted).toBeGreaterThanOrEqual(3);
  await eventually(0, () => Promise.resolve(open.size));
});
