import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { connectNats } from '@lib/messaging/nats-transport';
import { startNats } from '../servers/nats';
import { eventually } from './eventually';

/** A server of which an operator mends what its users may do, while their processes stay connected. */
const users = (publish: string, subscribe: string): string =>
  `authorization { users: [
    { user: saga, password: s, permissions { publish: { allow: ["_INBOX.>"] }, subscribe: { allow: ["_INBOX.>", "${subscribe}"] } } }
    { user: worker, password: w, permissions { publish: { allow: ["${publish}"] }, subscribe: { allow: ["_INBOX.>"] } } }
  ] }\n`;

it('permissions that were wrong and are mended hold without a restart of the processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nats-mended-'));
  const configuration = join(folder, 'users.conf');
  writeFileSync(configuration, users('nothing', 'nothing'));
  const server = await startNats({ more: { lines: `include "../${basename(folder)}/users.conf"\n` } });
  const warned: string[] = [];
  const logger = { warn: (fields: object) => void warned.push(JSON.stringify(fields)) };
  const open = (user: string, password: string) =>
    connectNats({ url: server.url.replace('//', `//${user}:${password}@`), prefix: '', name: 'test', logger });
  const [saga, worker] = [await open('saga', 's'), await open('worker', 'w')];
  await saga.serve('step.claim', async () => 'granted');
  const ask = () => worker.request('step.claim', {}, 1_000).catch((error: Error) => error.message);
  expect(await ask()).toMatch(/permissions of this NATS user/);
  await eventually(true, async () => warned.some((line) => line.includes('listener_failed')));

  writeFileSync(configuration, users('step.claim', 'step.claim'));
  process.kill(server.pid, 'SIGHUP');
  await eventually('granted', ask, 30_000);

  await Promise.all([saga.close(), worker.close()]);
  await server.stop();
  rmSync(folder, { recursive: true });
}, 60_000);
