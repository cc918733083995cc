import pg from 'pg';
import { Seeder, type Seeded } from './seeder';

export interface SeedOrder {
  databaseUrl: string;
  masterKey: string;
  templates: Seeded[];
  jobs: number;
  /** How long before its template the first of them happened. */
  earlierMs: number;
  /** How many of the seeded jobs to name. */
  named: number;
}

const BATCH = 200;
const LOCK_NOT_AVAILABLE = '55P03';

/** Seeding succeeds or fails as a whole, so a commit need not wait for the disk. */
const OPTIONS = '-c synchronous_commit=off';

/** Seeds the jobs that it is sent and answers with a sample of them. Started by seed.ts, once per processor. */
async function seed({ databaseUrl, masterKey, templates, jobs, earlierMs, named }: SeedOrder): Promise<Seeded[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options: OPTIONS });
  try {
    const seeder = new Seeder(pool, Buffer.from(masterKey, 'base64'));
    await seeder.learn(templates);
    const kept: Seeded[] = [];
    const every = Math.max(1, Math.floor(jobs / named));
    let done = 0;
    const lane = async (): Promise<void> => {
      while (done < jobs) {
        const from = done;
        const upTo = (done += Math.min(BATCH, jobs - from));
        const seeded = await inTurn(() => seeder.write(upTo - from, from - earlierMs));
        kept.push(...seeded.filter((_, place) => (from + place) % every === 0));
      }
    };
    // While PostgreSQL writes one batch, the next is sealed.
    await Promise.all([lane(), lane()]);
    return kept;
  } finally {
    await pool.end();
  }
}

/** Writes are serialized: on a busy machine two lanes could block each other for longer than an append waits for a lock. */
async function inTurn<Result>(write: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
  }
}

process.on('disconnect', () => process.exit(0));
process.once('message', (order: SeedOrder) => {
  seed(order).then(
    (seeded) => process.send?.({ seeded }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
