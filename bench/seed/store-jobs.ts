import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuSecondsOf } from '../processes';
import { seed } from './seed';
import type { Seeded } from './seeder';
import { verifyChains, verifyViews } from './verify';

/** Of the jobs that the service ran itself. */
const TEMPLATES = 64;
const CHECKED_CHAINS = 100;
/** `research views verify` replays every history, so it is asked only while the database is small. */
const CHECKED_WHOLE = 10_000;

const pathOf = ({ threadId, jobId }: Seeded): string => `/v1/threads/${threadId}/jobs/${jobId}`;

function seededOf(path: string): Seeded {
  const [, , , threadId = '', , jobId = ''] = path.split('/');
  return { threadId, jobId };
}

/**
 * Seeds copies of the jobs that the service ran, and checks them: the hash chains of a sample, and all views while there are few.
 * @returns paths of some of the seeded jobs
 */
export async function storeJobs(
  target: { databaseUrl: string; masterKey: string },
  run: readonly string[],
  missing: number,
  stored: number,
  progress: (text: string) => void,
): Promise<string[]> {
  progress(`seeding ${missing} jobs`);
  const startedAt = performance.now();
  const cpuBefore = cpuSecondsOf(process.pid);
  const seeded = await seed(target, run.slice(0, TEMPLATES).map(seededOf), missing);
  await logged(target.databaseUrl);
  const perSecond = Math.round((missing * 1000) / (performance.now() - startedAt));
  const cpu = ((cpuSecondsOf(process.pid) - cpuBefore) * 1000) / missing;
  progress(`seeded ${perSecond} jobs/s, CPU ${cpu.toFixed(2)} s per 1,000 with PostgreSQL's`);
  const step = Math.max(1, Math.floor(seeded.length / CHECKED_CHAINS));
  const sample = seeded.filter((_, place) => place % step === 0).flatMap(({ threadId, jobId }) => [threadId, jobId]);
  await verifyChains(target.databaseUrl, sample);
  progress(`the chains of ${sample.length} seeded histories are whole`);
  if (stored <= CHECKED_WHOLE) progress(await verifyViews(target.databaseUrl, target.masterKey));
  return seeded.map(pathOf);
}

const LOOK_MS = 200;
const LAST_EVENT_LOGGED = `select exists (select from log_entry where (stream_id, version) = (
  select stream_id, version from event order by position desc limit 1)) as logged`;

/** Waits until the service, which does this in the background, has given every seeded event its place in the log. */
async function logged(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ logged: boolean }>(LAST_EVENT_LOGGED);
      if (rows[0]?.logged === true) return;
      await sleep(LOOK_MS);
    }
  } finally {
    await client.end();
  }
}
