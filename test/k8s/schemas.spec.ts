import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

import { MINUTE_MS } from '@lib/domain/durations';

import { render, type KubernetesObject } from './kubectl';
import { makeDevSecrets, OVERLAYS } from './overlays';

const run = promisify(execFile);
/** Which package of npm describes the objects of a group; what Kubernetes itself has is in the first. */
const PACKAGES: [RegExp, string][] = [
  [/^gateway\.networking\.k8s\.io\//, '@kubernetes-models/gateway-api'],
  [/^postgresql\.cnpg\.io\//, '@kubernetes-models/cloudnative-pg'],
  [/^external-secrets\.io\//, '@kubernetes-models/external-secrets'],
  [/^keda\.sh\//, '@kubernetes-models/keda'],
  [/^monitoring\.coreos\.com\//, '@kubernetes-models/prometheus-operator'],
  [/./, 'kubernetes-models'],
];

/** The store of backups belongs to a plugin of CloudNativePG, of which no package has the schema: nothing here checks it. */
const hasSchema = ({ apiVersion }: KubernetesObject) => !apiVersion.startsWith('barmancloud.cnpg.io/');

let objects: KubernetesObject[];

beforeAll(async () => {
  await makeDevSecrets();
  objects = (await Promise.all(OVERLAYS.map(render))).flat().filter(hasSchema);
}, 5 * MINUTE_MS);

const modelOf = ({ apiVersion, kind }: KubernetesObject): string =>
  `${PACKAGES.find(([group]) => group.test(apiVersion))?.[1]}/${apiVersion}/${kind}`;

async function faultsBySchema(checked: readonly KubernetesObject[]): Promise<string[]> {
  const validation = run(process.execPath, ['test/k8s/validate-objects.mjs']);
  validation.child.stdin?.end(JSON.stringify(checked.map((object) => ({ model: modelOf(object), object }))));
  return JSON.parse((await validation).stdout) as string[];
}

/** Schemas let fields pass that they do not know; a compiler refuses them in a literal. */
async function faultsByCompiler(checked: readonly KubernetesObject[]): Promise<string[]> {
  const folder = await mkdtemp(resolve('.cache/objects-'));
  try {
    const file = join(folder, 'objects.ts');
    const lines = checked.map((object, index) => {
      const type = `import('${modelOf(object)}').I${object.kind}`;
      return `export const object${index}: ${type} = ${JSON.stringify(object)};`;
    });
    await writeFile(file, lines.join('\n'));
    const program = ts.createProgram([file], {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      module: ts.ModuleKind.ESNext,
      types: [],
    });
    return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0, file: where }) => {
      const line = where?.getLineAndCharacterOfPosition(start).line ?? 0;
      const object = checked[line];
      return `${object?.kind} ${object?.metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('describes every object as the schema of its version wants it', async () => {
  expect(await faultsBySchema(objects)).toEqual([]);
  const saga = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'saga') as KubernetesObject;
  expect(await faultsBySchema([{ ...saga, spec: { ...(saga.spec as object), replicas: 'two' } }])).toHaveLength(1);
});

it(
  'uses no field that its version does not know',
  async () => {
    expect(await faultsByCompiler(objects)).toEqual([]);
    const saga = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'saga') as KubernetesObject;
    expect(await faultsByCompiler([{ ...saga, spec: { ...(saga.spec as object), replica: 2 } }])).toHaveLength(1);
  },
  MINUTE_MS,
);
