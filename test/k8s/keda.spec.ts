import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { readEnv } from '@lib/settings/read-env';
import { parse, stringify } from 'yaml';
import { debianProgram } from '../servers/debian-program';
import { render } from './kubectl';
import { workloads } from './manifests';

const manifest = parse(readFileSync('k8s/components/keda/worker.yaml', 'utf8')) as {
  spec: { triggers: [{ metadata: { query: string; threshold: string } }] };
};
const { query, threshold } = manifest.spec.triggers[0].metadata;
const program = debianProgram('promtool', 'prometheus');
const test = program ? it : it.skip;

interface Told {
  waiting: number;
  running: number;
  /** 1 or 0; a saga of an older build does not tell it. */
  held?: number;
}

/** Fails unless promtool gets this number from the query, where two sagas tell these steps. */
function expectQuery(steps: Partial<Record<ProviderId, Told>>, value: number): void {
  const told = Object.entries(steps).flatMap(([provider, counts]) =>
    ['saga-1', 'saga-2'].flatMap((pod) =>
      Object.entries(counts).map(([what, count]) => ({
        series: `${what === 'held' ? 'research_provider_held' : `research_steps_${what}`}{provider="${provider}",pod="${pod}"}`,
        values: `${count}x5`,
      })),
    ),
  );
  const folder = mkdtempSync(join(tmpdir(), 'research-keda-'));
  const asked = { expr: query, eval_time: '3m', exp_samples: [{ labels: '{}', value }] };
  writeFileSync(join(folder, 'test.yaml'), stringify({ tests: [{ interval: '1m', input_series: told, promql_expr_test: [asked] }] }));
  try {
    execFileSync(program as string, ['test', 'rules', 'test.yaml'], { cwd: folder, stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('asks for a worker for as many steps of a provider as one takes', () => {
  expect(Number(threshold)).toBe(readEnv({}).WORKER_SLOTS);
});

test('scales by the busiest provider, because a worker has places for each', () => {
  expectQuery({ 'provider-a': { waiting: 115, running: 128, held: 0 }, 'provider-b': { waiting: 0, running: 0, held: 0 } }, 243);
  expectQuery(Object.fromEntries(PROVIDERS.map((provider) => [provider, { waiting: 40, running: 20, held: 0 }])), 60);
});

test('does not count steps that wait for a provider that no worker may ask', () => {
  expectQuery({ 'provider-a': { waiting: 500, running: 30, held: 1 }, 'provider-b': { waiting: 10, running: 10, held: 0 } }, 30);
  expectQuery({ 'provider-a': { waiting: 500, running: 0, held: 1 }, 'provider-b': { waiting: 10, running: 10, held: 0 } }, 20);
});

test('counts all steps while sagas of an older build do not tell which provider is held', () => {
  expectQuery({ 'provider-a': { waiting: 50, running: 30 } }, 80);
});

it('does not count steps of a provider that workers of their own serve', async () => {
  const objects = await render('k8s/overlays/examples');
  const general = workloads(objects).find(({ kind, name }) => kind === 'Deployment' && name === 'worker');
  const served = general?.pod.containers[0]?.env?.find(({ name }) => name === 'WORKER_PROVIDERS')?.value?.split(',') ?? [];
  const scaled = objects.find(({ kind }) => kind === 'ScaledObject') as unknown as typeof manifest | undefined;
  const excluded = [...(scaled?.spec.triggers[0].metadata.query ?? '').matchAll(/provider!="([^"]+)"/g)].map(([, provider]) => provider);
  expect(served.length).toBeGreaterThan(1);
  expect([...new Set(excluded)]).toEqual(PROVIDERS.filter((provider) => !served.includes(provider)));
});
