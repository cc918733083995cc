import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { JobView } from '@lib/store/views/job.view';

const FIRST_POLL_MS = 2;
const POLL_GROWTH = 1.5;
const MAX_POLL_MS = 50;
const FILLING = 'which facts about it are agreed on by several sources, which of them are disputed, and what does each of them rest on? ';

/** What a job of the bench is asked to do and must hold in the end. */
export const PROVIDERS: ProviderId[] = ['provider-a', 'provider-b', 'provider-c'];
export const REPORT_LENGTH = 2048;
export const CITATIONS = 5;

/** A question of 200 characters; no two numbers give the same. */
const question = (number: number): string => `Question ${number}: ${FILLING.repeat(2)}`.slice(0, 200);

/** The body of a request that creates a thread. */
export const threadBody = (number: number, providers: readonly ProviderId[] = PROVIDERS): string =>
  JSON.stringify({ message: question(number), providers, mode: 'fast' });

/** A client as an integrator would write it: it creates a thread and polls its job until that is final. */
export class PollingClient {
  private readonly pool: Pool;
  private readonly headers: Record<string, string>;

  constructor(address: string, apiKey: string, connections: number) {
    this.pool = new Pool(address, { connections, pipelining: 1 });
    this.headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  }

  /** Creates a thread and returns the path of its job. */
  async create(number: number, providers?: readonly ProviderId[]): Promise<string> {
    const { id, job } = await this.send<{ id: string; job: { id: string } }>('POST', '/v1/threads', threadBody(number, providers));
    return `/v1/threads/${id}/jobs/${job.id}`;
  }

  read(path: string): Promise<JobView> {
    return this.send('GET', path);
  }

  /** From the create to the completed job, read and checked. @throws Error if the job holds anything less than it must */
  async research(number: number): Promise<string> {
    const path = await this.create(number);
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * POLL_GROWTH, MAX_POLL_MS)) {
      const job = await this.read(path);
      if (job.completedAt !== null) {
        requireComplete(job);
        return path;
      }
      await sleep(pause);
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async send<Reply>(method: 'GET' | 'POST', path: string, body?: string): Promise<Reply> {
    const response = await this.pool.request({ method, path, headers: this.headers, body });
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${await response.body.text()}`);
    return (await response.body.json()) as Reply;
  }
}

function requireComplete({ id, status, steps, synthesisMarkdown, synthesisClaimsJson }: JobView): void {
  const right = steps.filter(({ reportMarkdown, citations }) => reportMarkdown.length >= REPORT_LENGTH && citations.length >= CITATIONS);
  if (status === 'completed' && right.length === PROVIDERS.length && synthesisMarkdown && synthesisClaimsJson) return;
  throw new Error(`${id} is ${status} with ${right.length} whole reports and ${synthesisMarkdown?.length ?? 'no'} characters of synthesis`);
}
