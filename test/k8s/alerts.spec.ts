import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startSystem } from '../system/support/system';
import { FAILING } from '../system/support/providers-file';
import { scrape } from '../telemetry/scrape';

const RUNBOOKS = 'docs/runbooks';

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  annotations?: { summary: string; runbook_url: string };
  labels?: { severity: string };
}

const { spec } = parse(readFileSync('k8s/components/monitoring/rules.yaml', 'utf8')) as { spec: { groups: { rules: Rule[] }[] } };
const rules = spec.groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const keda = readFileSync('k8s/components/keda/worker.yaml', 'utf8');

it('names a runbook with each alert, and has no runbook of an alert that is gone', () => {
  expect(readdirSync(RUNBOOKS).sort()).toEqual(alerts.map(({ alert }) => `${alert}.md`).sort());
  for (const { alert, annotations, labels } of alerts) {
    expect(annotations?.runbook_url).toBe(join(RUNBOOKS, `${alert}.md`));
    expect(['page', 'ticket']).toContain(labels?.severity);
  }
});

it('asks only for what the service tells, after a job that completed and one provider that failed', async () => {
  const system = await startSystem({ providers: { 'provider-b': FAILING }, environment: { ADMIN_PORT: '0' } });
  try {
    const { client } = system;
    await client.research({ message: 'q', providers: ['provider-a', 'provider-b'] });
    const admin = system.logged
      .map((line) => JSON.parse(line) as { reason?: string; address?: string })
      .find(({ reason }) => reason === 'admin');
    const told = new Set((await scrape(String(admin?.address))).map(({ name }) => name));
    // Counters without a label are there from the start; those with labels once something has happened, which these have not.
    const rare = ['research_checkpoint_age_seconds'];
    const asked = [
      ...rules.map(({ expr }) => expr),
      keda,
      ...readdirSync(RUNBOOKS).map((file) => readFileSync(join(RUNBOOKS, file), 'utf8')),
    ]
      .flatMap((text) => text.match(/\b(?:research|nodejs)_[a-z0-9_]+/g) ?? [])
      .filter((name) => !rare.includes(name));
    const registered = new Set([...told, ...[...told].map((name) => name.replace(/_(bucket|count|sum)$/, ''))]);
    expect([...new Set(asked)].filter((name) => !registered.has(name))).toEqual([]);
    expect(asked.length).toBeGreaterThan(20);
  } finally {
    await system.stop();
  }
});
