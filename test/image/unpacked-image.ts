import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LAYOUT = resolve('.cache/image/layout');
const START_TIMEOUT_MS = 120_000;

interface Descriptor {
  digest: string;
  size: number;
}
export interface Config {
  architecture: string;
  config: { User: string; Env: string[]; Entrypoint: string[]; WorkingDir: string; Labels: Record<string, string>; ExposedPorts: object };
}

/** Why an image cannot be built or run here, if so. */
export function whatIsMissing(): string | null {
  if (spawnSync('mmdebstrap', ['--version']).status !== 0) return 'this machine has no mmdebstrap to make the base of the image with';
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'this user may not make mounts of its own (unshare --mount)';
  return null;
}

/** Builds the image from this working tree. */
export async function buildImage(): Promise<void> {
  await run(process.execPath, ['dist/image/build.js'], { maxBuffer: 16 * 1024 * 1024 });
}

const blob = (digest: string): string => join(LAYOUT, 'blobs', digest.replace(':', '/'));
const readBlob = async <Content>({ digest }: Descriptor): Promise<Content> => JSON.parse(await readFile(blob(digest), 'utf8')) as Content;

/** The image as a container runtime would unpack it, on this machine's disk. */
export class UnpackedImage {
  private readonly processes: ChildProcess[] = [];

  private constructor(
    readonly digest: string,
    readonly config: Config,
    /** Of all layers, compressed. */
    readonly bytes: number,
    readonly root: string,
  ) {}

  static async unpack(): Promise<UnpackedImage> {
    const index = JSON.parse(await readFile(join(LAYOUT, 'index.json'), 'utf8')) as { manifests: [Descriptor] };
    const [named] = index.manifests;
    const manifest = await readBlob<{ config: Descriptor; layers: Descriptor[] }>(named);
    const root = await mkdtemp(join(tmpdir(), 'research-unpacked-'));
    for (const { digest } of manifest.layers) execFileSync('tar', ['-xzf', blob(digest), '-C', root, '--same-owner']);
    // A runtime brings these.
    for (const folder of ['dev', 'proc', 'run/secrets']) await mkdir(join(root, folder), { recursive: true });
    const bytes = manifest.layers.reduce((sum, { size }) => sum + size, 0);
    return new UnpackedImage(named.digest, await readBlob<Config>(manifest.config), bytes, root);
  }

  /** Runs the image's program to its end, and returns what it printed. */
  async command(parameters: string[], environment: Record<string, string>): Promise<string> {
    const child = this.spawn(parameters, environment);
    let [output, errors] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const code = await new Promise<number | null>((ended) => child.once('close', ended));
    if (code !== 0) throw new Error(`${parameters.join(' ')} ended with ${code}: ${errors}${output}`);
    return output;
  }

  /** Starts a role; the address of its HTTP server. */
  async start(role: string, environment: Record<string, string>): Promise<string> {
    const child = this.spawn([role], { PORT: '0', HOST: '127.0.0.1', ...environment });
    this.processes.push(child);
    const said: string[] = [];
    const { promise, resolve: serve, reject } = Promise.withResolvers<string>();
    const impatience = setTimeout(() => reject(new Error(`${role} does not start: ${said.join('\n')}`)), START_TIMEOUT_MS);
    child.once('close', (code) => reject(new Error(`${role} ended with ${code}: ${said.join('\n')}`)));
    for (const stream of [child.stdout, child.stderr])
      if (stream)
        createInterface(stream).on('line', (line) => {
          said.push(line);
          const address = /"reason":"started".*"address":"([^"]+)"/.exec(line)?.[1];
          if (address) serve(address);
        });
    return promise.finally(() => clearTimeout(impatience));
  }

  /** Tells every role that runs to stop; with what each ended. */
  async stop(): Promise<(number | null)[]> {
    const running = this.processes.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = running.map((child) => new Promise<number | null>((done) => child.once('close', done)));
    for (const child of running) child.kill('SIGTERM');
    return Promise.all(ended);
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }

  /** In mounts of its own: the root cannot be written, and the two volumes are empty. */
  private spawn(parameters: string[], environment: Record<string, string>): ChildProcess {
    const { config } = this.config;
    const mounts = [
      'mount --bind "$0" "$0"',
      'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" 2>/dev/null || mount --rbind /proc "$0/proc"',
      'mount -o remount,bind,ro "$0"',
      'mount -t tmpfs -o mode=1777 tmpfs "$0/tmp" && mount -t tmpfs -o mode=1777 tmpfs "$0/var/cache/research"',
    ];
    const inside = `exec chroot --userspec=${config.User} "$0" "$@"`;
    const script = `set -e; ${mounts.join('; ')}; ${inside}`;
    const env = { ...Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/s).slice(0, 2))), ...environment } as Record<
      string,
      string
    >;
    return spawn('unshare', ['--mount', 'sh', '-c', script, this.root, ...config.Entrypoint, ...parameters], {
      env: { ...env, PATH: `${env.PATH ?? ''}:/usr/bin:/bin:/usr/sbin:/sbin` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
