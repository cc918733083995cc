import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';

const run = promisify(execFile);
const UNPACKED = resolve('.cache/podman');
const PROGRAM = join(UNPACKED, 'usr/bin/podman');
const LIBRARIES = join(UNPACKED, 'usr/lib/x86_64-linux-gnu');
const IMAGE = resolve('.cache/image/research-threads-0.1.0.tar');
/** Podman, what it starts, and the libraries that a machine without it may lack. */
const PACKAGES = [
  ...['podman', 'crun', 'conmon', 'catatonit', 'golang-github-containers-common', 'golang-github-containers-image'],
  ...['libsubid4', 'libyajl2', 'libgpgme11', 'libassuan0', 'libdevmapper1.02.1', 'libseccomp2'],
];
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Some of its mounts are ours alone: it takes the machine for one with both kinds of control groups, and finds neither whole. */
const ALONE = ['--mount', 'sh', '-c', 'umount -l /sys/fs/cgroup/unified 2>/dev/null; exec "$0" "$@"'];

/** Why no pod can be run here, if so. */
export function whatIsMissing(): string | null {
  if (!existsSync(PROGRAM)) return 'podman was not fetched: make k8s-pods does it';
  if (!existsSync(IMAGE)) return 'there is no image: make image builds it';
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'this user may not make mounts of its own (unshare --mount)';
  return null;
}

/** From Debian, below .cache; nothing is installed. */
export async function fetchPodman(): Promise<void> {
  if (existsSync(PROGRAM)) return;
  for (const name of PACKAGES) await run('sh', ['bench/servers/debian-unpack.sh', name, 'bookworm', UNPACKED]);
}

interface Playable {
  role: string;
  object: object;
  /** ConfigMaps that it refers to. */
  settings: readonly object[];
}

/** A podman with storage of its own, gone with everything in it once it is closed. */
export class Podman {
  private constructor(private readonly folder: string) {}

  static async open(): Promise<Podman> {
    const folder = await mkdtemp(join(tmpdir(), 'research-pods-'));
    const settings = join(folder, 'home/.config/containers');
    await mkdir(settings, { recursive: true });
    await cp(join(UNPACKED, 'etc/containers'), settings, { recursive: true });
    await writeFile(join(settings, 'policy.json'), JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
    const runtime = join(folder, 'crun');
    // Podman starts it without an environment.
    await writeFile(runtime, `#!/bin/sh\nLD_LIBRARY_PATH=${LIBRARIES} exec ${UNPACKED}/usr/bin/crun "$@"\n`, { mode: 0o755 });
    await writeFile(join(folder, 'containers.conf'), configuration(runtime));
    const podman = new Podman(folder);
    await podman.run('load', '--input', IMAGE);
    return podman;
  }

  async run(...words: string[]): Promise<string> {
    const { folder } = this;
    const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
    const env = {
      HOME: join(folder, 'home'),
      CONTAINERS_CONF: join(folder, 'containers.conf'),
      LD_LIBRARY_PATH: LIBRARIES,
      PATH: `${join(UNPACKED, 'usr/bin')}:${process.env.PATH}`,
    };
    const { stdout } = await run('unshare', [...ALONE, PROGRAM, ...storage, ...words], { env, maxBuffer: MAX_OUTPUT_BYTES });
    return stdout.trim();
  }

  /** Starts a pod as it is described, on this machine's network. */
  async play({ role, object, settings: configMaps }: Playable): Promise<void> {
    const write = async (name: string, document: object): Promise<string> => {
      const file = join(this.folder, `${role}-${name}.yaml`);
      await writeFile(file, stringify(document));
      return file;
    };
    const settings = await Promise.all(configMaps.map((configMap, place) => write(`settings-${place}`, configMap)));
    await this.run('kube', 'play', '--network', 'host', ...settings.flatMap((file) => ['--configmap', file]), await write('pod', object));
  }

  /** A place on this machine's disk that is gone with this podman. */
  async place(name: string): Promise<string> {
    const path = join(this.folder, 'volumes', name);
    await mkdir(path, { recursive: true });
    return path;
  }

  async close(): Promise<void> {
    await this.run('pod', 'rm', '--all', '--force', '--time', '5');
    await rm(this.folder, { recursive: true, force: true });
  }
}

const configuration = (runtime: string): string => `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
init_path = "${UNPACKED}/usr/bin/catatonit"
seccomp_profile = "${UNPACKED}/usr/share/containers/seccomp.json"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
conmon_path = ["${UNPACKED}/usr/bin/conmon"]
helper_binaries_dir = ["${UNPACKED}/usr/bin", "${UNPACKED}/usr/libexec/podman"]
runtime = "crun"
[engine.runtimes]
crun = ["${runtime}"]
`;
