import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, basename } from 'node:path';

import { MINUTE_MS } from '@lib/domain/durations';

import { render, type KubernetesObject } from './kubectl';
import { containersOf, workloads, type Workload } from './manifests';

/** By the operator of the database. */
const MADE_ELSEWHERE = ['database-ca/ca.crt'];

/** The entries of secrets that are made somewhere, as `secret/entry`. */
type Made = ReadonlySet<string>;

/** By the commands of docs/operations.md, with a kubectl that only says what it was asked to create. */
function madeByTheDocument(): Made {
  const commands = readFileSync('docs/operations.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('    ') && /rnd|\$K create secret/.test(line))
    .map((line) => line.trim());
  const kubectl = 'kubectl() { case "$*" in *" create "*) printf "%s\\n" "$*";; esac; }';
  const said = execFileSync('bash', ['-euc', [kubectl, ...commands].join('\n')], { encoding: 'utf8' });
  return new Set(
    said.split('\n').flatMap((line) => {
      const name = /create secret generic (\S+)/.exec(line)?.[1];
      return [...line.matchAll(/--from-literal ([\w-]+)=\S/g)].map(([, entry]) => `${name}/${entry}`);
    }),
  );
}

/** By components/external-secrets. */
function madeByTheOperator(objects: readonly KubernetesObject[]): Made {
  return new Set(
    objects
      .filter(({ kind }) => kind === 'ExternalSecret')
      .flatMap(({ spec }) => {
        const { target, data } = spec as { target: { name: string }; data: { secretKey: string }[] };
        return data.map(({ secretKey }) => `${target.name}/${secretKey}`);
      }),
  );
}

interface SecretVolume {
  name: string;
  secret?: { secretName: string; optional?: boolean; items?: { key: string }[] };
}

/** The entries without which the pods of a workload do not start: of a mounted secret those that it lists, or that a variable names. */
function neededBy(workload: Workload): string[] {
  const containers = containersOf(workload);
  const mounted = ((workload.pod.volumes ?? []) as SecretVolume[]).flatMap(({ name, secret }) => {
    if (!secret || secret.optional === true) return [];
    const folders = containers.flatMap(({ volumeMounts = [] }) =>
      volumeMounts.filter((mount) => mount.name === name).map(({ mountPath }) => mountPath),
    );
    const files = containers.flatMap(({ env = [] }) =>
      env.filter(({ value = '' }) => folders.includes(dirname(value))).map(({ value = '' }) => basename(value)),
    );
    const entries = secret.items?.map(({ key }) => key) ?? files;
    return entries.length > 0 ? entries.map((entry) => `${secret.secretName}/${entry}`) : [`${secret.secretName}/nothing that is named`];
  });
  const variables = containers.flatMap(({ env = [] }) =>
    env.flatMap(({ valueFrom }) => {
      const ref = (valueFrom as { secretKeyRef?: { name: string; key: string; optional?: boolean } } | undefined)?.secretKeyRef;
      return ref && ref.optional !== true ? [`${ref.name}/${ref.key}`] : [];
    }),
  );
  return [...mounted, ...variables];
}

const missing = (objects: readonly KubernetesObject[], made: Made): string[] => [
  ...new Set(workloads(objects).flatMap(neededBy)).difference(made).difference(new Set(MADE_ELSEWHERE)),
];

it(
  'is told with every secret that the pods of the ha overlay need',
  async () => {
    const made = madeByTheDocument();
    expect(missing(await render('k8s/overlays/ha'), made)).toEqual([]);
    // The operator of the database reads these itself.
    for (const name of ['database-owner', 'database-api', 'database-service'])
      expect([...made].filter((entry) => entry.startsWith(`${name}/`))).toEqual([`${name}/username`, `${name}/password`]);
    expect(made.size).toBeGreaterThan(20);
  },
  5 * MINUTE_MS,
);

it(
  'has in components/external-secrets every secret that the base names, and tells how the other components get theirs',
  async () => {
    const [base, everything] = await Promise.all([render('k8s/base'), render('k8s/overlays/examples')]);
    const fromStore = madeByTheOperator(everything);
    expect(missing(base, fromStore)).toEqual([]);
    expect(missing(everything, fromStore.union(madeByTheDocument()))).toEqual([]);
    expect(new Set(workloads(everything).flatMap(neededBy)).size).toBeGreaterThan(20);
  },
  5 * MINUTE_MS,
);

it(
  'lets a database that is made from backups archive under a name of its own, which does not go with components/restore',
  async () => {
    interface Cluster {
      plugins: { parameters: { serverName?: string } }[];
      externalClusters?: { plugin: { parameters: { serverName?: string } } }[];
    }
    const clusterOf = (objects: KubernetesObject[]) => objects.find(({ kind }) => kind === 'Cluster')?.spec as Cluster | undefined;
    const restored = clusterOf(await render('k8s/overlays/examples'));
    const source = restored?.externalClusters?.[0]?.plugin.parameters.serverName;
    expect([source, restored?.plugins[0]?.parameters.serverName]).toEqual(['database', 'database-2']);
    // Only the bootstrap and the source come and go.
    expect(readFileSync('k8s/components/restore/kustomization.yaml', 'utf8').match(/path: .*/g)).toEqual([
      expect.stringContaining('serverName'),
      'path: /spec/bootstrap',
      'path: /spec/externalClusters',
    ]);
  },
  5 * MINUTE_MS,
);
