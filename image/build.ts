import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stageApplication } from './application';
import { stageSystem } from './system';
import { packLayer, readJson, writeBlob, type Layer } from './layers';

const FOLDER = resolve('.cache/image');
const ROOTS = join(FOLDER, 'roots');
const LAYOUT = join(FOLDER, 'layout');
const BLOBS = join(LAYOUT, 'blobs/sha256');
/** No process of the image runs as root, and nothing in it belongs to this user. */
const USER = '65532:65532';
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Builds the image without a daemon and without a base image: three layers (libraries of Debian and Node, what npm installs for production, our own
 * code), packed so that the same commit gives the same digest. Writes an OCI layout and, for `podman load` and `docker load`, an archive.
 */
async function main(): Promise<void> {
  const { version, license } = await readJson<{ version: string; license: string }>('package.json');
  const commit = git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '-dirty');
  const seconds = Number(git('log', '-1', '--format=%ct'));
  // Whatever this user's own is: it decides what others may do with the files of the image.
  process.umask(0o022);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(BLOBS, { recursive: true });
  const system = join(ROOTS, 'system');
  await stageSystem(system, { record: process.env.RECORD === '1' });
  const { packages, code } = await stageApplication(ROOTS);
  const layers = [
    await packLayer(system, BLOBS, 'libraries of Debian, and Node', seconds),
    await packLayer(packages, BLOBS, 'packages of npm for production', seconds),
    await packLayer(code, BLOBS, 'research-threads', seconds),
  ];
  const created = new Date(seconds * 1000).toISOString();
  const labels = {
    'org.opencontainers.image.title': 'research-threads',
    'org.opencontainers.image.description': 'Asks several research providers one question and says what they agree on',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commit,
    'org.opencontainers.image.created': created,
    'org.opencontainers.image.licenses': license,
  };
  const digest = await writeLayout(layers, { created, labels, tag: version });
  const archive = join(FOLDER, `research-threads-${version}.tar`);
  execFileSync('tar', [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    `--mtime=@${seconds}`,
    '-C',
    LAYOUT,
    '-cf',
    archive,
    '.',
  ]);
  tell(layers, digest, archive);
}

const git = (...parameters: string[]): string => execFileSync('git', parameters, { encoding: 'utf8' }).trim();

/** `MALLOC_ARENA_MAX`: otherwise each thread of V8 keeps its own malloc arena, which adds 10 to 30 MB to a process. */
const ENVIRONMENT = [
  'NODE_ENV=production',
  'HOST=0.0.0.0',
  'CACHE_DIR=/var/cache/research',
  'HOME=/tmp',
  'PATH=/usr/local/bin',
  'MALLOC_ARENA_MAX=2',
];

async function writeLayout(
  layers: readonly Layer[],
  { created, labels, tag }: { created: string; labels: Record<string, string>; tag: string },
): Promise<string> {
  const config = await writeBlob(BLOBS, 'application/vnd.oci.image.config.v1+json', {
    created,
    architecture: ARCHITECTURES[process.arch],
    os: 'linux',
    config: {
      User: USER,
      Env: ENVIRONMENT,
      Entrypoint: ['/usr/local/bin/node', '/app/dist/src/entry.js'],
      Cmd: ['all'],
      WorkingDir: '/app',
      ExposedPorts: { '3000/tcp': {} },
      Volumes: { '/var/cache/research': {}, '/tmp': {} },
      StopSignal: 'SIGTERM',
      Labels: labels,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => `sha256:${diffId}`) },
    history: layers.map(({ description }) => ({ created, created_by: 'make image', comment: description })),
  });
  const manifest = await writeBlob(BLOBS, 'application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: layers.map(({ digest, size }) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      digest: `sha256:${digest}`,
      size,
    })),
    annotations: labels,
  });
  const named = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': `research-threads:${tag}` } };
  const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [named] };
  await writeFile(join(LAYOUT, 'index.json'), JSON.stringify(index));
  await writeFile(join(LAYOUT, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  return manifest.digest;
}

function tell(layers: readonly Layer[], digest: string, archive: string): void {
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  for (const { size, description } of layers) console.log(`${megabytes(size).padStart(9)}  ${description}`);
  console.log(`${megabytes(layers.reduce((sum, { size }) => sum + size, 0)).padStart(9)}  compressed, all together`);
  console.log(`${digest}\n${archive}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
