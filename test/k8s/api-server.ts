import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { kubectl } from './kubectl';

const run = promisify(execFile);

/** What `make k8s-api` builds and fetches, and keeps. */
const FOLDER = resolve('.cache/k8s-api');
const PROGRAMS = ['etcd', 'kube-apiserver'] as const;
const CRDS = join(FOLDER, 'crds');
const VERSION = 'v1.36.3';
const VERSION_FLAGS = `-X k8s.io/component-base/version.gitVersion=${VERSION} -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36`;
const READY_WITHIN_MS = 120_000;
const POLL_MS = 200;

/** Whose resources the overlays use: the Go modules that carry their definitions. */
const DEFINITIONS: { module: string; folder: string; files: RegExp }[] = [
  {
    module: 'github.com/cloudnative-pg/cloudnative-pg@v1.27.1',
    folder: 'config/crd/bases',
    files: /_clusters\.yaml$|_scheduledbackups\.yaml$/,
  },
  { module: 'sigs.k8s.io/gateway-api@v1.4.0', folder: 'config/crd/standard', files: /_httproutes\.yaml$/ },
  {
    module: 'github.com/kedacore/keda/v2@v2.21.0',
    folder: 'config/crd/bases',
    files: /keda\.sh_(scaledobjects|triggerauthentications)\.yaml$/,
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
    files: /_(servicemonitors|podmonitors|prometheusrules)\.yaml$/,
  },
  { module: 'github.com/external-secrets/external-secrets@v1.3.2', folder: 'config/crds/bases', files: /\.io_(externalsecrets)\.yaml$/ },
];

export interface ApiServer {
  /** Runs kubectl against it. */
  kubectl: (...parameters: string[]) => Promise<string>;
  stop: () => Promise<void>;
}

/** Why there is no API server to ask, if so. */
export const whatIsMissing = (): string | null =>
  PROGRAMS.every((program) => existsSync(join(FOLDER, program))) && existsSync(CRDS)
    ? null
    : 'there is no kube-apiserver here: run make k8s-api, which builds it from Go modules';

/** Builds etcd and kube-apiserver (several minutes), and fetches the definitions, from the Go module proxy. Needs Go. */
export async function buildApiServer(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const environment = { ...process.env, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
  const options = { cwd: resolve('test/k8s/api-server'), env: environment, maxBuffer: 64 * 1024 * 1024 };
  const packages = { etcd: 'go.etcd.io/etcd/server/v3', 'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver' };
  for (const program of PROGRAMS) {
    const output = join(FOLDER, program);
    if (!existsSync(output))
      await run('go', ['build', '-trimpath', `-ldflags=-s -w ${VERSION_FLAGS}`, '-o', output, packages[program]], options);
  }
  if (existsSync(CRDS)) return;
  const fetched = await mkdtemp(join(FOLDER, 'fetching-'));
  for (const { module, folder, files } of DEFINITIONS) {
    const { stdout } = await run('go', ['mod', 'download', '-json', module], { ...options, cwd: tmpdir() });
    const source = join((JSON.parse(stdout) as { Dir: string }).Dir, folder);
    for (const file of (await readdir(source)).filter((name) => files.test(name)))
      await writeFile(join(fetched, file), await readFile(join(source, file)));
  }
  await run('mv', [fetched, CRDS]);
}

/** A control plane without nodes: it stores and checks objects, and nothing runs. Listens on loopback. */
export async function startApiServer(): Promise<ApiServer> {
  const folder = await mkdtemp(join(tmpdir(), 'research-k8s-api-'));
  const [client, peer, secure] = await freePorts(3);
  const token = randomBytes(16).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const at = (name: string) => join(folder, name);
  await writeFile(at('tokens.csv'), `${token},admin,admin,system:masters\n`);
  await writeFile(at('private.pem'), privateKey);
  await writeFile(at('public.pem'), publicKey);
  const etcdUrl = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  const etcd = start('etcd', at('etcd.log'), [
    ...['--data-dir', at('etcd'), '--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl, '--unsafe-no-fsync'],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `default=${peerUrl}`],
  ]);
  const server = start('kube-apiserver', at('api.log'), [
    ...['--etcd-servers', etcdUrl, '--bind-address', '127.0.0.1', '--advertise-address', '127.0.0.1', '--secure-port', String(secure)],
    ...['--cert-dir', at('certificates'), '--token-auth-file', at('tokens.csv'), '--authorization-mode', 'RBAC'],
    ...['--service-account-issuer', 'https://kubernetes.default', '--service-account-key-file', at('public.pem')],
    ...['--service-account-signing-key-file', at('private.pem'), '--service-cluster-ip-range', '10.96.0.0/16', '--allow-privileged=false'],
    // Nobody makes default service accounts here: there is no controller.
    ...['--disable-admission-plugins', 'ServiceAccount'],
  ]);
  const program = await kubectl();
  const ask = async (...parameters: string[]): Promise<string> => {
    const connection = [
      '--server',
      `https://127.0.0.1:${secure}`,
      '--insecure-skip-tls-verify',
      '--token',
      token,
      '--cache-dir',
      at('cache'),
    ];
    const { stdout } = await run(program, [...connection, ...parameters], {
      env: { HOME: folder, PATH: process.env.PATH },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  };
  const stop = async (): Promise<void> => {
    for (const child of [server, etcd]) {
      if (child.exitCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(ask, server);
    return { kubectl: ask, stop };
  } catch (error) {
    const log = await readFile(at('api.log'), 'utf8').catch(() => '');
    await stop();
    throw new Error(`kube-apiserver did not become ready: ${log.slice(-2000)}`, { cause: error });
  }
}

/** Defines the resources that the overlays use beside Kubernetes' own. */
export async function defineResources(server: ApiServer): Promise<void> {
  await server.kubectl('apply', '--server-side', '-f', CRDS);
  await server.kubectl('wait', '--for=condition=Established', '--timeout=60s', 'customresourcedefinitions', '--all');
}

function start(program: (typeof PROGRAMS)[number], log: string, parameters: string[]): ChildProcess {
  return spawn('/bin/sh', ['-c', 'log=$1; shift; exec "$@" > "$log" 2>&1', 'sh', log, join(FOLDER, program), ...parameters], {
    stdio: 'ignore',
  });
}

async function untilReady(ask: ApiServer['kubectl'], server: ChildProcess): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      await ask('get', '--raw', '/readyz');
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > until) throw error;
    }
    await sleep(POLL_MS);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
