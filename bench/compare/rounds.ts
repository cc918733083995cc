import { PollingClient } from '../client';
import { closedLoop } from '../load';
import { cpuByProcess, PeakMemory } from '../processes';
import type { Contender } from './contenders';

const IN_FLIGHT = 64;
const WARM_UP_JOBS = 200;
const LONE_JOBS = 50;

/** What one contender did in one round. */
export interface Round {
  jobsPerSecond: number;
  /** Of all its processes and the client's. */
  cpuSecondsPer1000Jobs: number;
  cpuSecondsPer1000JobsByProcess: Record<string, number>;
  loneP50: number;
  peakMegabytes: Record<string, number>;
}

/** Jobs under load, then one at a time, each created and polled over HTTP until it is read back complete. */
export class Runner {
  private readonly client: PollingClient;
  private number = 0;

  constructor(readonly contender: Contender) {
    this.client = new PollingClient(contender.address, contender.apiKey, IN_FLIGHT);
  }

  async warmUp(): Promise<void> {
    await this.load(WARM_UP_JOBS, IN_FLIGHT);
  }

  async round(jobs: number): Promise<Round> {
    const { processes } = this.contender;
    const before = cpuByProcess(processes);
    const memory = new PeakMemory(processes);
    const load = await this.load(jobs, IN_FLIGHT);
    const after = cpuByProcess(processes);
    const peakMegabytes = memory.stop();
    const cpu = Object.keys(after).map((name) => [name, (((after[name] ?? 0) - (before[name] ?? 0)) * 1000) / jobs] as const);
    const lone = await this.load(LONE_JOBS, 1);
    return {
      jobsPerSecond: load.perSecond,
      cpuSecondsPer1000Jobs: cpu.reduce((sum, [, seconds]) => sum + seconds, 0),
      cpuSecondsPer1000JobsByProcess: Object.fromEntries(cpu),
      loneP50: lone.latency.p50,
      peakMegabytes,
    };
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.contender.stop();
  }

  private load(jobs: number, inFlight: number) {
    return closedLoop(jobs, inFlight, () => this.client.research(++this.number));
  }
}
