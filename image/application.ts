import { execFileSync } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';

const FETCH_TIMEOUT_MS = 300_000;
/** The parts of our own code that are needed at run time. */
const CODE = [
  'dist/src',
  'dist/libs',
  'dist/node_modules',
  'models/all-minilm-l6-v2',
  'models/ms-marco-minilm-l12-v2',
  'openapi/openapi.json',
  'providers.yaml',
  'package.json',
  'package-lock.json',
];
/** Needed to write code, not to run it. Markdown stays: it is what the local document engine answers from by default. */
const UNUSED = ['**/*.d.ts', '**/*.d.mts', '**/*.d.cts', '**/*.map', '**/*.ts', '**/*.mts', '**/*.cts', '**/*.flow', '**/*.tsbuildinfo'];
/** Binaries for other systems than that of the image. */
const OTHER_SYSTEMS = ['darwin', 'win32', process.arch === 'x64' ? 'linux/arm64' : 'linux/x64'].map(
  (system) => `onnxruntime-node/bin/napi-v6/${system}`,
);
/** Packages that others bring along for work that the service does not do: compiling. */
const UNUSED_PACKAGES = ['typescript', '.package-lock.json', '.cache'];

/** Fills two folders: the packages of npm for production, and our own code. */
export async function stageApplication(roots: string): Promise<{ packages: string; code: string }> {
  const packages = join(roots, 'packages');
  const code = join(roots, 'code');
  const application = join(packages, 'app');
  await mkdir(application, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await cp(file, join(application, file)).catch(() => undefined);
  const options = ['--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // The Node that npm installs trusts only its own list of certificate authorities, not those added to this machine.
  const env = { ...process.env, NODE_OPTIONS: '--use-system-ca' };
  execFileSync('npm', ['ci', ...options], { cwd: application, env, stdio: ['ignore', 'ignore', 'inherit'], timeout: FETCH_TIMEOUT_MS });
  for (const name of [...UNUSED_PACKAGES, ...OTHER_SYSTEMS])
    await rm(join(application, 'node_modules', name), { recursive: true, force: true });
  for (const file of globSync(UNUSED, { cwd: join(application, 'node_modules'), absolute: true, dot: true })) await rm(file);
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await rm(join(application, file), { force: true });
  for (const path of CODE) {
    await mkdir(join(code, 'app', path, '..'), { recursive: true });
    await cp(path, join(code, 'app', path), { recursive: true, filter: (file) => !/\.(map|d\.ts)$/.test(file) });
  }
  return { packages, code };
}
