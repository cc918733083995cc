import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { render } from './kubectl';
import { containersOf, workloads } from './manifests';

const MINUTE_MS = 60_000;
/** Made by the operator of the database, and what one may leave out. */
const MADE_ELSEWHERE = ['database-ca'];

/** The commands of docs/operations.md that make secrets, with a kubectl that only says what it was asked. */
function secretsOfTheDocument(): Map<string, string[]> {
  const commands = readFileSync('docs/operations.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('    ') && /rnd|\$K create secret/.test(line))
    .map((line) => line.trim());
  const said = execFileSync('bash', ['-euc', ['kubectl() { printf "%s\\n" "$*"; }', ...commands].join('\n')], { encoding: 'utf8' });
  const made = said.split('\n').flatMap((line) => {
    const name = /create secret generic (\S+)/.exec(line)?.[1];
    return name ? [[name, [...line.matchAll(/--from-literal ([\w-]+)=\S/g)].map(([, key = '']) => key)] as const] : [];
  });
  return new Map(made);
}

it(
  'is told with every secret that the pods of the ha overlay need',
  async () => {
    const objects = await render('k8s/overlays/ha');
    const made = secretsOfTheDocument();
    const missing = workloads(objects).flatMap((workload) => {
      const mounted = (workload.pod.volumes ?? []) as { secret?: { secretName: string } }[];
      const names = mounted.flatMap(({ secret }) => (secret ? [secret.secretName] : []));
      const keys = containersOf(workload).flatMap(({ env = [] }) =>
        env.flatMap(({ valueFrom }) => {
          const ref = (valueFrom as { secretKeyRef?: { name: string; key: string; optional?: boolean } } | undefined)?.secretKeyRef;
          return ref && ref.optional !== true && !made.get(ref.name)?.includes(ref.key) ? [`${ref.name}/${ref.key}`] : [];
        }),
      );
      return [...names.filter((name) => !made.has(name) && !MADE_ELSEWHERE.includes(name)), ...keys];
    });
    expect(missing).toEqual([]);
    // The operator of the database reads these itself.
    for (const name of ['database-owner', 'database-api', 'database-service']) expect(made.get(name)).toEqual(['username', 'password']);
    expect(made.size).toBeGreaterThan(12);
  },
  5 * MINUTE_MS,
);
