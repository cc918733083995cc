import { once } from 'node:events';
import { connect } from 'node:net';
import { startSystem } from './support/system';

it('an api that was asked for its readiness leaves within its time, whoever never ends his request', async () => {
  // Half of it is for balancers, and a second is what the parts have afterwards: less would hide who begins to count too late.
  const system = await startSystem({ environment: { DRAIN_MS: '3000' } });
  expect((await system.client.send('GET', '/health/ready')).status).toBe(200);
  const { hostname, port } = new URL([...system.services.values()].find(({ address }) => address)?.address ?? '');
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET /health/live HTTP/1.1\r\nHost: here\r\n');
  const closed = once(socket, 'close');
  await system.stop();
  await closed;
  expect(system.logged.filter((line) => line.includes('drain_over'))).toEqual([]);
});
