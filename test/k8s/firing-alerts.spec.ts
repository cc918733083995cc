import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { eventually } from '../messaging/eventually';
import { debianProgram } from '../servers/debian-program';
import { Prometheus } from '../servers/prometheus';
import { ALL_CASES, QUICK_CASES } from './alert-cases';
import { AlertStage } from './alert-stage';
import { quickRules } from './quick-rules';

/** Set by `make alerts`, to `all` or to names with commas between; without it the two quickest are tried. */
const wanted = process.env.ALERTS;
const cases = wanted === undefined ? QUICK_CASES : ALL_CASES.filter(({ alert }) => wanted === 'all' || wanted.split(',').includes(alert));
const program = debianProgram('prometheus', 'prometheus');
const missing = program ? null : 'Debian has no Prometheus for this machine';
if (missing) process.stderr.write(`No alert is made to fire: ${missing}.\n`);

const PATIENCE_MS = 300_000;
jest.setTimeout(3 * PATIENCE_MS);

it('is made to fire by make alerts, each alert that there is', () => {
  const { spec } = parse(readFileSync('k8s/components/monitoring/rules.yaml', 'utf8')) as {
    spec: { groups: { rules: { alert?: string }[] }[] };
  };
  const alerts = spec.groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));
  expect(ALL_CASES.map(({ alert }) => alert).sort()).toEqual(alerts.sort());
});

(missing ? describe.skip : describe)(missing ? `no alert is made to fire: ${missing}` : 'an alert', () => {
  let stage: AlertStage;

  beforeAll(async () => {
    stage = await AlertStage.open();
  });
  afterEach(() => stage.endTraffic());
  afterAll(() => stage?.close());

  it.each(cases)('$alert fires when $fault, and clears once its runbook was followed', async ({ alert, factor, fault, step, cause }) => {
    const watching = await Prometheus.start(program ?? '', stage.targets, { rules: quickRules(factor), everyMs: 2_000 });
    const isFiring = () =>
      watching.firing().then(
        (firing) => firing.includes(alert),
        () => null,
      );
    try {
      // What is counted before it looks has no increase.
      await eventually<number | undefined>(stage.targets.length, async () => (await watching.query('sum(up)'))[0]?.value, PATIENCE_MS);
      // Before the first scrapes every role is missing; what is firing then is told until the rules are looked at again.
      await eventually<boolean | null>(false, isFiring, PATIENCE_MS);
      const began = performance.now();
      const mend = await cause(stage);
      await eventually<boolean | null>(true, isFiring, PATIENCE_MS);
      const fired = performance.now();
      await mend();
      await eventually<boolean | null>(false, isFiring, PATIENCE_MS);
      const seconds = (from: number, to: number) => `${Math.round((to - from) / 1000)} s`;
      process.stderr.write(`| ${alert} | ${fault} | ${seconds(began, fired)} | ${step} | ${seconds(fired, performance.now())} |\n`);
    } finally {
      await watching.stop();
    }
  });
});
