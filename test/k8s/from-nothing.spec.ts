import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

import { MINUTE_MS } from '@lib/domain/durations';

import { kubectl, type KubernetesObject } from './kubectl';
import { containersOf, ofService, workloads } from './manifests';

/** In place of a registry and a cluster: they note what they were given. Overlays are rendered, and a pod has the image that was applied. */
const SURROUNDINGS = String.raw`
make() { :; }
sleep() { :; }
skopeo() { echo "$3" > pushed; }
curl() { printf '%s\n' "$@" > asked; }
kubectl() {
  case "$*" in
    *" get deploy/api "*) grep -o 'image: .*research-threads:.*' applied.yaml | sort -u | cut -d ' ' -f 2 ;;
    *" -k "*) while [ "$1" != -k ]; do shift; done; "$KUBECTL" kustomize "$2" > applied.yaml ;;
    *" create "*" -f -"*) cat > job.yaml; echo job.batch/create-key-1 ;;
    *" create -f "*) while [ "$1" != -f ]; do shift; done; cp "$2" job.yaml ;;
    *" logs job.batch/create-key-1"*) echo rt_live_made; echo 'This is the only time the key is shown: keep it safe.' ;;
  esac
}
`;

function commands(): string {
  const [, section = ''] = /## From nothing[^\n]*\n([^]*?)\n##/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
  return section
    .split('\n\n')
    .find((block) => block.startsWith('    '))
    ?.replaceAll(/^ {4}/gm, '') as string;
}

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'research-from-nothing-'))));
afterAll(() => rmSync(folder, { recursive: true }));

it(
  'the commands run the image that they pushed, in every pod and in the job that makes the key, and ask with that key',
  async () => {
    cpSync('k8s', join(folder, 'k8s'), { recursive: true, filter: (path) => !path.endsWith('overlays/own') });
    const env = { ...process.env, KUBECTL: await kubectl() };
    execFileSync('bash', ['-euc', SURROUNDINGS + commands()], { cwd: folder, env, stdio: 'pipe' });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const pushed = read('pushed').trim().replace('docker://', '');
    expect(pushed).toMatch(/^registry\.example\.org\//);
    const applied = parseAllDocuments(read('applied.yaml')).map((document) => document.toJS() as KubernetesObject);
    const images = [...ofService(applied), ...workloads([parse(read('job.yaml')) as KubernetesObject])].flatMap(containersOf);
    expect(images.length).toBeGreaterThan(10);
    expect([...new Set(images.map(({ image }) => image))]).toEqual([pushed]);
    expect(read('asked')).toContain('Bearer rt_live_made');
  },
  2 * MINUTE_MS,
);
