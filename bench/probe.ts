import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Pool } from 'undici';

const CONNECTIONS = 64;
/** Requests come at a fixed rate, so that a pause of the process meets as many as it would in life. */
const EVERY_MS = 5;

interface Probed {
  address: string;
  apiKey: string;
  path: string;
}

/** Asks for one path again and again, from a thread of its own: the one that measures has its hands full. */
export class Probe {
  private readonly thread: Worker;

  constructor(probed: Probed) {
    this.thread = new Worker(__filename, { workerData: probed });
  }

  async latenciesWhile(during: () => Promise<unknown>): Promise<number[]> {
    await this.take();
    await during();
    return this.take();
  }

  async stop(): Promise<void> {
    await this.thread.terminate();
  }

  /** Of the requests since the last time. */
  private async take(): Promise<number[]> {
    this.thread.postMessage('take');
    const [latencies] = (await once(this.thread, 'message')) as [number[]];
    return latencies;
  }
}

function probe({ address, apiKey, path }: Probed): void {
  const pool = new Pool(address, { connections: CONNECTIONS });
  const asked: Promise<number>[] = [];
  const ask = async (): Promise<number> => {
    const from = performance.now();
    const answer = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${apiKey}` } });
    await answer.body.dump();
    return performance.now() - from;
  };
  setInterval(() => asked.push(ask()), EVERY_MS);
  parentPort?.on('message', () => void Promise.all(asked.splice(0)).then((latencies) => parentPort?.postMessage(latencies)));
}

if (!isMainThread) probe(workerData as Probed);
