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

/** A real Prometheus that scrapes addresses of this machine. */
export class Prometheus {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** @param targets addresses such as `http://127.0.0.1:9464` */
  static async start(binary: string, targets: readonly string[]): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const config = {
      global: { scrape_interval: '500ms', scrape_timeout: '400ms' },
      scrape_configs: [{ job_name: 'research', static_configs: [{ targets: targets.map((target) => new URL(target).host) }] }],
    };
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
