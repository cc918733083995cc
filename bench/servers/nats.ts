import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageFolder } from '../package-folder';

export interface NatsOptions {
  /** Kept by `stop` and `kill`, so that a next server can go on with it. By default a temporary folder that `stop` removes. */
  storeDir?: string;
  port?: number;
  /** Writes each message to disk before it is acknowledged, as in production. */
  syncAlways?: boolean;
  /** Largest message in bytes; the server's own default is 1 MiB. */
  maxPayload?: number;
  /** Room for all streams together, in bytes; by default what the disk has. */
  maxStore?: number;
  /** Who may connect; everybody by default. */
  user?: string;
  password?: string;
  /** Serves its own figures over HTTP, at `monitorUrl`. */
  monitored?: boolean;
  withoutJetStream?: boolean;
  /** More lines of its configuration, and the variables that they name. */
  more?: { lines: string; variables?: Record<string, string> };
  /** For a cluster whose servers replicate their streams. Servers advertise no other addresses to clients. */
  cluster?: { name: string; port: number; peers: readonly number[] };
}

export interface RunningNats {
  url: string;
  pid: number;
  port: number;
  storeDir: string;
  /** Null unless asked for. */
  monitorUrl: string | null;
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** The nats-server binary; fetches it at the first call on a machine. */
const findNatsServer = (): string => {
  const script = join(packageFolder(), 'bench', 'servers', 'get-nats.sh');
  const fetched = spawnSync('sh', [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const path = fetched.stdout.trim().split('\n').at(-1);
  if (fetched.status !== 0 || !path) throw new Error('No nats-server: see the lines above.');
  return path;
};

/** Starts a real nats-server with JetStream on the loopback interface and resolves once it accepts clients. */
export const startNats = async (options: NatsOptions = {}): Promise<RunningNats> => {
  const folder = await mkdtemp(join(tmpdir(), 'research-nats-'));
  const storeDir = options.storeDir ?? join(folder, 'store');
  const configuration = join(folder, 'nats.conf');
  await writeFile(
    configuration,
    linesOf({
      host: '127.0.0.1',
      port: options.port ?? -1,
      ...(options.user ? { authorization: { user: options.user, password: options.password } } : {}),
      ...(options.monitored ? { http: '127.0.0.1:-1' } : {}),
      ...(options.maxPayload ? { max_payload: options.maxPayload } : {}),
      ...(options.cluster ? clusterOf(options.cluster) : {}),
      ...(options.withoutJetStream ? {} : { jetstream: storeOf(options, storeDir) }),
    }) + (options.more?.lines ?? ''),
  );
  const server = spawn(findNatsServer(), ['-c', configuration], {
    cwd: '/',
    env: { PATH: process.env.PATH, ...options.more?.variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { port, monitorPort } = await readPorts(server);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill(signal);
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  const monitorUrl = monitorPort === null ? null : `http://127.0.0.1:${monitorPort}`;
  const running = { url: `nats://127.0.0.1:${port}`, pid: server.pid ?? 0, port, storeDir, monitorUrl };
  return { ...running, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
};

const storeOf = ({ syncAlways, maxStore }: NatsOptions, storeDir: string) => ({
  store_dir: storeDir,
  ...(syncAlways ? { sync_interval: 'always' } : {}),
  ...(maxStore ? { max_file_store: maxStore } : {}),
});

const linesOf = (configuration: object): string =>
  Object.entries(configuration)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('');

const clusterOf = ({ name, port, peers }: NonNullable<NatsOptions['cluster']>) => ({
  server_name: name,
  cluster: {
    name: 'research',
    listen: `127.0.0.1:${port}`,
    routes: peers.map((peer) => `nats://127.0.0.1:${peer}`),
    no_advertise: true,
  },
});

/** Ports that the server chose are only known from its log. */
const readPorts = async (server: ChildProcess): Promise<{ port: number; monitorPort: number | null }> => {
  if (!server.stderr) throw new Error('nats-server has no error stream');
  const said: string[] = [];
  const lines = createInterface(server.stderr);
  const portAfter = (words: RegExp): number | null => Number(words.exec(said.join('\n'))?.[1]) || null;
  await new Promise<void>((accept, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      if (line.includes('Server is ready')) accept();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`nats-server ended with code ${code}:\n${said.slice(-8).join('\n')}`)));
  });
  // Read on to the end: a server whose pipe is full would stand still.
  lines.removeAllListeners('line').resume();
  const port = portAfter(/Listening for client connections on \S+:(\d+)/) ?? Number.NaN;
  return { port, monitorPort: portAfter(/Starting http monitor on \S+:(\d+)/) };
};
