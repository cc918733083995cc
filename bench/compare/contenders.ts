import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RunningPostgres } from '../../src/embedded/postgres';
import { createDatabase } from '../databases';
import type { Shape } from '../options';
import { startNats } from '../servers/nats';
import { startService } from '../service';

/** A program that does the bench's jobs behind the REST interface of the service. */
export interface Contender {
  name: string;
  address: string;
  apiKey: string;
  /** Pids of all its processes, by name. */
  processes: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export const FLOOR = 'floor';

export interface Surroundings {
  postgres: RunningPostgres;
  folder: string;
  cpuProf: string | null;
}

/** The service in one of its shapes, on a database and a NATS server of its own. */
export async function startShape(shape: Shape, { postgres, folder, cpuProf }: Surroundings): Promise<Contender> {
  await using started = new AsyncDisposableStack();
  const nats = shape === 'all' ? null : await startNats({ storeDir: join(folder, `nats-${shape}`) });
  if (nats) started.defer(() => nats.stop());
  const databaseUrl = await createDatabase(postgres.url, `compare_${shape}`);
  const service = await startService(shape, { databaseUrl, natsUrl: nats?.url ?? null, folder: join(folder, shape), cpuProf });
  started.defer(() => service.stop());
  const processes = new Map([...service.processes, ['postgres', postgres.pid], ...(nats ? [['nats', nats.pid] as const] : [])]);
  const stack = started.move();
  return { name: `service, ${shape}`, address: service.address, apiKey: service.apiKey, processes, stop: () => stack.disposeAsync() };
}

/** The floor: the same records with nothing around them. */
export async function startFloor({ postgres, folder }: Surroundings): Promise<Contender> {
  await using started = new AsyncDisposableStack();
  const nats = await startNats({ storeDir: join(folder, 'nats-floor') });
  started.defer(() => nats.stop());
  const databaseUrl = await createDatabase(postgres.url, 'compare_floor');
  const server = fork(join(__dirname, 'floor-server.js'), [databaseUrl, nats.url]);
  started.defer(async () => {
    server.disconnect();
    await once(server, 'exit');
  });
  const [message] = (await once(server, 'message')) as [{ port: number } | { error: string }];
  if ('error' in message) throw new Error(`the floor did not start: ${message.error}`);
  const processes = new Map([
    ['floor', server.pid ?? 0],
    ['postgres', postgres.pid],
    ['nats', nats.pid],
  ]);
  const stack = started.move();
  return { name: FLOOR, address: `http://127.0.0.1:${message.port}`, apiKey: '', processes, stop: () => stack.disposeAsync() };
}
