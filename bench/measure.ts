import { PollingClient, threadBody } from './client';
import { closedLoop, type Percentiles } from './load';
import { cpuByProcess, PeakMemory } from './processes';
import { requestRate, requestText } from './request-rate';
import { storeJobs } from './seed/store-jobs';
import { PARKED, type RunningService } from './service';
import { startYardstick } from './yardstick';

const IN_FLIGHT = 64;
const WARM_UP_JOBS = 200;
const LONE_JOBS = 100;
const OPEN_JOBS = 400;
/** The two servers take turns, so that other load on the machine affects both. */
const RATE_TURNS = 3;
const TURN_SECONDS = 0.7;
/** Of the bare server's rows, however many jobs are stored. */
const BARE_ROWS = 10_000;
const RATE = { inFlight: IN_FLIGHT, seconds: TURN_SECONDS };

/** Requests per second of a route of the service, and of the bare server in the same minute. */
export interface Rate {
  service: number;
  bare: number;
}

/** The figures of one shape at one number of stored jobs. */
export interface Figures {
  stored: number;
  jobsPerSecond: number;
  loadLatency: Percentiles;
  loneLatency: Percentiles;
  /** Of all processes: roles, servers and the client. */
  cpuSecondsPer1000Jobs: number;
  cpuSecondsPer1000JobsByProcess: Record<string, number>;
  peakMegabytes: Record<string, number>;
  completedBytes: number;
  getOpen: Rate;
  getCompleted: Rate;
  /** Pages of the newest 20 threads per second. */
  listsPerSecond: number;
}

export interface Measured {
  service: RunningService;
  /** Pids of all that works for the service, by name. */
  processes: ReadonlyMap<string, number>;
  /** Where the bare server keeps its tables. */
  bareDatabaseUrl: string;
  /** Where the service keeps its jobs. */
  databaseUrl: string;
  progress: (text: string) => void;
}

/** Measures one running service, at ever more stored jobs. */
export class Measurement {
  private readonly client: PollingClient;
  /** Paths of finished jobs: of all that were run, and of some that were seeded. */
  private readonly completed: string[] = [];
  private stored = 0;
  private readonly open: string[] = [];
  private number = 0;

  constructor(private readonly measured: Measured) {
    this.client = new PollingClient(measured.service.address, measured.service.apiKey, IN_FLIGHT);
  }

  async prepare(): Promise<void> {
    await this.load(WARM_UP_JOBS);
    await closedLoop(OPEN_JOBS, IN_FLIGHT, async () => this.open.push(await this.client.create(++this.number, [PARKED])));
  }

  async at(stored: number, jobs: number): Promise<Figures> {
    const { processes, progress, service, databaseUrl } = this.measured;
    if (this.stored < stored) {
      const target = { databaseUrl, masterKey: service.masterKey };
      this.completed.push(...(await storeJobs(target, this.completed, stored - this.stored, stored, progress)));
      this.stored = stored;
    }
    progress(`${jobs} jobs, ${IN_FLIGHT} in flight`);
    const before = cpuByProcess(processes);
    const memory = new PeakMemory(processes);
    const load = await this.load(jobs);
    const peakMegabytes = memory.stop();
    const after = cpuByProcess(processes);
    const cpu = Object.keys(after).map((name) => [name, (((after[name] ?? 0) - (before[name] ?? 0)) * 1000) / jobs] as const);
    progress(`${LONE_JOBS} jobs, one at a time`);
    const lone = await this.load(LONE_JOBS, 1);
    const figures: Figures = {
      stored,
      jobsPerSecond: load.perSecond,
      loadLatency: load.latency,
      loneLatency: lone.latency,
      cpuSecondsPer1000Jobs: cpu.reduce((sum, [, seconds]) => sum + seconds, 0),
      cpuSecondsPer1000JobsByProcess: Object.fromEntries(cpu),
      peakMegabytes,
      ...(await this.readRates(stored)),
    };
    // A long run may be ended before its table.
    progress(JSON.stringify(figures));
    return figures;
  }

  /** Comes last, because it leaves thousands of open jobs behind. */
  async postRate(): Promise<Rate> {
    this.measured.progress('POST rates');
    const bare = await startYardstick(this.measured.bareDatabaseUrl, {}, 0);
    const headers = { 'content-type': 'application/json' };
    const barePost = () => requestText('POST', '/threads', headers, threadBody(++this.number));
    // Use the provider whose runs take an hour: the request is measured, not the work that it starts.
    const post = () => requestText('POST', '/v1/threads', { ...headers, ...this.authorization() }, threadBody(++this.number, [PARKED]));
    try {
      return await this.rate(201, post, bare.address, barePost);
    } finally {
      await bare.stop();
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async load(jobs: number, inFlight = IN_FLIGHT) {
    this.stored += jobs;
    return closedLoop(jobs, inFlight, async () => this.completed.push(await this.client.research(++this.number)));
  }

  /** Each route of the service next to the same route of the bare server, on the same database server. */
  private async readRates(stored: number): Promise<Pick<Figures, 'completedBytes' | 'getOpen' | 'getCompleted' | 'listsPerSecond'>> {
    this.measured.progress('GET rates');
    const [completed, open] = await Promise.all([this.client.read(this.completed[0] ?? ''), this.client.read(this.open[0] ?? '')]);
    const rows = Math.min(stored, BARE_ROWS);
    const bare = await startYardstick(this.measured.bareDatabaseUrl, { completed, open }, rows);
    const bareGet = (kind: string) => () => requestText('GET', `/jobs/${kind}-${1 + Math.floor(Math.random() * rows)}`);
    const get = (paths: readonly string[]) => () =>
      requestText('GET', paths[Math.floor(Math.random() * paths.length)] ?? '', this.authorization());
    try {
      return {
        completedBytes: Buffer.byteLength(JSON.stringify(completed)),
        getOpen: await this.rate(200, get(this.open), bare.address, bareGet('open')),
        getCompleted: await this.rate(200, get(this.completed), bare.address, bareGet('completed')),
        listsPerSecond: await requestRate({
          ...RATE,
          address: this.measured.service.address,
          next: get(['/v1/threads?limit=20']),
          status: 200,
        }),
      };
    } finally {
      await bare.stop();
    }
  }

  private async rate(status: number, next: () => string, bareAddress: string, bareNext: () => string): Promise<Rate> {
    const settings = { ...RATE, status };
    const rate = { service: 0, bare: 0 };
    for (let turn = 0; turn < RATE_TURNS; turn += 1) {
      rate.bare += (await requestRate({ ...settings, address: bareAddress, next: bareNext })) / RATE_TURNS;
      rate.service += (await requestRate({ ...settings, address: this.measured.service.address, next })) / RATE_TURNS;
    }
    return rate;
  }

  private authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.measured.service.apiKey}` };
  }
}
