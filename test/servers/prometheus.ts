import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../messaging/eventually';
import { stablePort } from '../support/stable-port';

interface QueryAnswer {
  status: string;
  error?: string;
  data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
}

interface PrometheusOptions {
  /** Rules, as a file of Prometheus has them. */
  rules?: string;
  /** How often it scrapes and looks at the rules, in milliseconds. */
  everyMs?: number;
}

/** A real Prometheus that scrapes addresses of this machine. */
export class Prometheus {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** @param targets addresses such as `http://127.0.0.1:9464` */
  static async start(binary: string, targets: readonly string[], { rules, everyMs = 500 }: PrometheusOptions = {}): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const config = {
      global: { scrape_interval: `${everyMs}ms`, scrape_timeout: `${everyMs * 0.8}ms`, evaluation_interval: `${everyMs}ms` },
      rule_files: rules === undefined ? [] : ['rules.yaml'],
      scrape_configs: [{ job_name: 'research', static_configs: [{ targets: targets.map((target) => new URL(target).host) }] }],
    };
    if (rules !== undefined) writeFileSync(join(folder, 'rules.yaml'), rules);
    // JSON is YAML too.
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const address = `127.0.0.1:${await stablePort()}`;
    const files = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`];
    const server = spawn(binary, [...files, `--web.listen-address=${address}`, '--log.level=error'], { stdio: 'ignore' });
    const prometheus = new Prometheus(server, folder, `http://${address}`);
    await eventually(200, () => prometheus.ready(), 60_000);
    return prometheus;
  }

  /** @throws Error with what is wrong with the query */
  async query(query: string): Promise<{ metric: Record<string, string>; value: number }[]> {
    const response = await fetch(`${this.url}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
    const { status, error, data } = (await response.json()) as QueryAnswer;
    if (status !== 'success') throw new Error(`${query}: ${error}`);
    return (data?.result ?? []).map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  }

  /** The names of the alerts that fire at this moment. */
  async firing(): Promise<string[]> {
    const response = await fetch(`${this.url}/api/v1/alerts`);
    const { data } = (await response.json()) as { data: { alerts: { state: string; labels: { alertname: string } }[] } };
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  }

  async stop(): Promise<void> {
    if (this.server.exitCode === null) {
      const ended = once(this.server, 'exit');
      this.server.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private ready = (): Promise<number> =>
    fetch(`${this.url}/-/ready`).then(
      ({ status }) => status,
      () => 0,
    );
}
