import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { debianProgram } from '../servers/debian-program';

interface Case {
  /** Series by what they are, a value a minute, in promtool's notation. */
  series: Record<string, string>;
  /** Minutes at which the alert fires, and at which it does not. */
  fires: number;
  rests: number[];
}

const ok = `research_http_request_duration_seconds_count{method="GET",route="/v1/threads",status="200"}`;
const broken = `research_http_request_duration_seconds_count{method="GET",route="/v1/threads",status="503"}`;
const probed = (status: string) => `research_http_request_duration_seconds_count{method="GET",route="/health/ready",status="${status}"}`;
const finished = (status: string) => `research_jobs_finished_total{tier="M",mode="fast",status="${status}",reason=""}`;
const attempts = (outcome: string, provider = 'provider-a') =>
  `research_attempts_total{provider="${provider}",outcome="${outcome}",failure=""}`;
const skipped = (provider: string, reason: string) => `research_steps_skipped_total{provider="${provider}",reason="${reason}"}`;
const webhooks = (outcome: string) => `research_webhook_attempts_total{outcome="${outcome}"}`;
const ROLES = ['api', 'saga', 'worker', 'synthesizer', 'webhooks'];

/** For each alert a series in which it begins, and before or after which it rests. */
const CASES: Record<string, Case> = {
  RequestErrorsFast: { series: { [ok]: '0+600x200', [broken]: '0x60 0+60x60 3600x80' }, fires: 75, rests: [50, 195] },
  RequestErrorsSlow: { series: { [ok]: '0+600x400', [broken]: '0x60 0+3x340' }, fires: 300, rests: [50] },
  CreationsSlow: {
    series: {
      'research_http_request_duration_seconds_bucket{method="POST",route="/v1/threads",status="201",le="0.5"}':
        '0+60x20 1200x40 1200+60x30',
      'research_http_request_duration_seconds_bucket{method="POST",route="/v1/threads",status="201",le="2.5"}': '0+60x20 1200+60x75',
      'research_http_request_duration_seconds_bucket{method="POST",route="/v1/threads",status="201",le="+Inf"}': '0+60x20 1200+60x75',
      'research_http_request_duration_seconds_count{method="POST",route="/v1/threads",status="201"}': '0+60x20 1200+60x75',
    },
    fires: 50,
    rests: [15],
  },
  JobsFailing: { series: { [finished('completed')]: '0+10x120', [finished('failed')]: '0x20 0+5x30 150x70' }, fires: 45, rests: [15, 110] },
  WorkNotTaken: {
    series: { 'research_step_waiting_oldest_seconds{provider="provider-a"}': '0x10 0+60x30 0x20' },
    fires: 30,
    rests: [15, 55],
  },
  AgendaOverdue: { series: { 'research_agenda_overdue{kind="lease"}': '0x10 3x20 0x20' }, fires: 20, rests: [8, 45] },
  AttemptsLost: { series: { [attempts('completed')]: '0+10x90', [attempts('lost')]: '0x20 0+2x20 40x50' }, fires: 38, rests: [15, 80] },
  ProviderFailing: {
    series: {
      [attempts('completed')]: '0+4x90',
      [attempts('failed')]: '0x20 0+8x30 240x40',
      // What customers cancel is no fault of the provider.
      'research_attempts_total{provider="provider-b",outcome="failed",failure="cancelled"}': '0+8x90',
    },
    fires: 45,
    rests: [15, 85],
  },
  StepsNotStarted: {
    series: {
      [attempts('completed')]: '0+4x110',
      [skipped('provider-a', 'deadline')]: '0x20 0+1x20 20x70',
      // It is nobody's fault where a budget is used up, or a customer cancels.
      [attempts('completed', 'provider-b')]: '0x110',
      [skipped('provider-b', 'budget')]: '0+9x110',
      [skipped('provider-b', 'cancelled')]: '0+9x110',
    },
    fires: 45,
    rests: [15, 90],
  },
  WebhooksFailing: {
    series: {
      [webhooks('delivered')]: '0+2x30 60x90 60+2x80',
      [webhooks('connection')]: '0x30 0+1x60 60x110',
      [webhooks('gone')]: '0+3x200',
    },
    fires: 100,
    rests: [30, 190],
  },
  PaidTooMuch: { series: { 'research_overrun_dollars_total{provider="provider-a"}': '0x10 0+0.1x40 4x120' }, fires: 45, rests: [8, 160] },
  NeedsAPerson: { series: { 'research_alerts_total{reason="corrupt_history"}': '0x10 1x120' }, fires: 15, rests: [8, 100] },
  ProcessNotReady: { series: { 'research_checks_failing{pod="a"}': '0x10 1x20 0x20' }, fires: 20, rests: [12, 40] },
  RoleMissing: {
    series: Object.fromEntries(
      ROLES.map((role) => [`research_info{roles="${role}",build="1"}`, role === 'saga' ? '1x10 _x20 1x20' : '1x60']),
    ),
    fires: 25,
    rests: [8, 45],
  },
  NatsDisconnected: { series: { 'research_nats_connected{pod="saga-1"}': '1x10 0x20 1x20' }, fires: 20, rests: [8, 45] },
  DatabasePoolFull: {
    series: { 'research_database_connections{pod="api-1",state="awaited"}': '0x10 5x30 0x20' },
    fires: 35,
    rests: [8, 55],
  },
  EventLoopSlow: { series: { 'nodejs_eventloop_lag_p99_seconds{pod="api-1"}': '0.01x10 0.9x30 0.01x20' }, fires: 35, rests: [8, 55] },
  CheckpointOld: { series: { 'research_checkpoint_age_seconds{pod="saga-1"}': '0+60x100 0x10' }, fires: 90, rests: [30, 105] },
};

const rules = parse(readFileSync('k8s/components/monitoring/rules.yaml', 'utf8')) as {
  spec: { groups: { rules: { alert?: string }[] }[] };
};
const alerts = rules.spec.groups.flatMap((group) => group.rules.flatMap(({ alert }) => alert ?? []));

const program = debianProgram('promtool', 'prometheus');
const missing = program ? null : 'there is no promtool to be had from Debian here';
if (missing) process.stderr.write(`The alert rules are not tried: ${missing}.\n`);
const test = missing ? it.skip : it;

describe(missing ? `the alert rules are not tried: ${missing}` : 'the alert rules', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'research-alerts-'));
    writeFileSync(join(folder, 'rules.yaml'), stringify(rules.spec));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('have a case each', () => {
    expect(Object.keys(CASES).sort()).toEqual([...alerts].sort());
  });

  test.each(Object.entries(CASES))('%s begins, and ends', (alert, { series, fires, rests }) => {
    const firing = (minute: number) => JSON.parse(evaluate(program as string, folder, { series, at: minute })) as string[];
    expect(firing(fires)).toContain(alert);
    for (const minute of rests) expect(firing(minute)).not.toContain(alert);
  });

  test('find a role in a process that has several', () => {
    const firing = (...processes: string[]) => {
      const series = Object.fromEntries(processes.map((roles) => [`research_info{roles="${roles}",build="1"}`, '1x60']));
      return JSON.parse(evaluate(program as string, folder, { series, at: 30 })) as string[];
    };
    expect(firing(ROLES.join())).not.toContain('RoleMissing');
    expect(firing('api,synthesizer', 'saga,webhooks', 'worker')).not.toContain('RoleMissing');
    expect(firing('api', 'webhooks,saga,synthesizer', 'worker')).not.toContain('RoleMissing');
    expect(firing('api', 'saga,webhooks', 'worker')).toContain('RoleMissing');
  });

  test('tell for an hour of webhooks that were disabled, once it is more than one', () => {
    const firing = (disabled: number, at = 40) => {
      const series = { 'research_webhooks_disabled_total{reason="failing"}': `0x10 ${disabled}x200`, [webhooks('delivered')]: '0+1x210' };
      return JSON.parse(evaluate(program as string, folder, { series, at })) as string[];
    };
    expect(firing(1)).not.toContain('WebhooksFailing');
    expect(firing(2)).toContain('WebhooksFailing');
    expect(firing(2, 100)).not.toContain('WebhooksFailing');
  });

  test('do not take what customers cancel for work that went well', () => {
    const cancelled = 'research_attempts_total{provider="provider-a",outcome="failed",failure="cancelled"}';
    const series = {
      [finished('cancelled')]: '0+60x120',
      [finished('failed')]: '0+1x120',
      [cancelled]: '0+60x120',
      [attempts('lost')]: '0+1x120',
    };
    const firing = JSON.parse(evaluate(program as string, folder, { series, at: 100 })) as string[];
    expect(firing).toEqual(expect.arrayContaining(['JobsFailing', 'AttemptsLost']));
    expect(
      JSON.parse(evaluate(program as string, folder, { series: { ...series, [finished('failed')]: '0+0.1x120' }, at: 100 })),
    ).not.toContain('JobsFailing');
  });

  test('count no probes: neither do their failures page anybody, nor do they hide those of few clients', () => {
    const firing = (series: Record<string, string>) => JSON.parse(evaluate(program as string, folder, { series, at: 100 })) as string[];
    expect(firing({ [ok]: '0+600x120', [probed('503')]: '0+600x120' })).not.toContain('RequestErrorsFast');
    expect(firing({ [broken]: '0+1x120', [probed('200')]: '0+6000x120' })).toContain('RequestErrorsFast');
  });
});

/** The names of the alerts that fire at that minute, as JSON. */
function evaluate(program: string, folder: string, { series, at }: { series: Record<string, string>; at: number }): string {
  const test = {
    rule_files: ['rules.yaml'],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        // Asks for what is not there, so that what is there stands in the answer.
        promql_expr_test: [
          {
            expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: `${at}m`,
            exp_samples: [{ labels: '{nobody="here"}', value: -1 }],
          },
        ],
      },
    ],
  };
  writeFileSync(join(folder, 'test.yaml'), stringify(test));
  try {
    execFileSync(program, ['test', 'rules', 'test.yaml'], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    const said = String((error as { stdout: Buffer }).stdout) + String((error as { stderr: Buffer }).stderr);
    const got = /got:([^]*)/.exec(said)?.[1] ?? '';
    return JSON.stringify([...got.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name));
  }
  throw new Error('promtool found what nobody told');
}
