import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres, type RunningPostgres } from '../src/embedded/postgres';
import { compare } from './compare/compare';
import { comparisonMarkdown } from './compare/ratios';
import { createDatabase } from './databases';
import { endAfterFailure } from './end-after-failure';
import { Measurement } from './measure';
import { readOptions, type BenchOptions, type Shape } from './options';
import { startNats, type RunningNats } from './servers/nats';
import { startService } from './service';
import { markdownOf, type ShapeFigures } from './table';

/** As a small production server would have it; what makes a commit durable stays at its default, which is on. */
const POSTGRES_SETTINGS = { shared_buffers: '256MB', max_wal_size: '8GB', checkpoint_timeout: '15min', max_connections: '100' };

/**
 * Measures the built service over HTTP on a real PostgreSQL and a real NATS server, a fresh database for each shape, and prints the
 * figures as Markdown.
 */
async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (process.platform !== 'linux') throw new Error('The bench reads processor time and memory from /proc: run it on Linux.');
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'research-bench-'));
  await using servers = new AsyncDisposableStack();
  servers.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: POSTGRES_SETTINGS, keep: false });
  servers.defer(() => postgres.stop());
  const progress = (text: string) => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`);
  };
  const [markdown, figures] = options.compare
    ? await compareAll(options, { postgres, folder }, progress)
    : await measureAll(options, { postgres, folder }, progress);
  process.stdout.write(`${heading(args, options, (performance.now() - startedAt) / 1000)}\n\n${markdown}\n`);
  if (options.out !== null) await writeFile(options.out, `${JSON.stringify({ args, figures }, null, 2)}\n`);
}

type Progress = (text: string) => void;

async function compareAll(
  options: BenchOptions,
  { postgres, folder }: Omit<Servers, 'nats'>,
  progress: Progress,
): Promise<[string, unknown]> {
  const comparison = await compare(options, { postgres, folder, cpuProf: options.cpuProf }, progress);
  return [comparisonMarkdown(comparison), Object.fromEntries(comparison.rounds)];
}

async function measureAll(
  options: BenchOptions,
  { postgres, folder }: Omit<Servers, 'nats'>,
  progress: Progress,
): Promise<[string, unknown]> {
  const nats = await startNats({ storeDir: join(folder, 'nats') });
  try {
    const all: ShapeFigures[] = [];
    for (const shape of options.shapes) {
      all.push(await measureShape(shape, options, { postgres, nats, folder }, (text) => progress(`${shape}: ${text}`)));
    }
    return [markdownOf(all), all];
  } finally {
    await nats.stop();
  }
}

interface Servers {
  postgres: RunningPostgres;
  nats: RunningNats;
  folder: string;
}

async function measureShape(
  shape: Shape,
  { stored, jobs, cpuProf }: BenchOptions,
  { postgres, nats, folder }: Servers,
  progress: Progress,
): Promise<ShapeFigures> {
  const databaseUrl = await createDatabase(postgres.url, `bench_${shape}`);
  const natsUrl = shape === 'all' ? null : nats.url;
  progress('starting');
  const service = await startService(shape, { databaseUrl, natsUrl, folder: join(folder, shape), cpuProf });
  const processes = new Map([...service.processes, ['postgres', postgres.pid], ...(natsUrl ? [['nats', nats.pid] as const] : [])]);
  const measurement = new Measurement({ service, processes, bareDatabaseUrl: postgres.url, databaseUrl, progress });
  try {
    await measurement.prepare();
    const at = [];
    for (const count of stored) at.push(await measurement.at(count, jobs));
    return { shape, at, postThread: await measurement.postRate() };
  } finally {
    await measurement.close();
    await service.stop();
  }
}

const ALONE = [
  '“Bare” is a Fastify route with one prepared select or insert, measured in turns with the service on the same PostgreSQL server.',
];
const COMPARED = [
  'The floor is a hand-written process that keeps nothing but the records: each event in PostgreSQL, committed in groups, and the steps',
  'through JetStream. Peers run behind the same routes on a bare Fastify. All take turns; the figures are medians over the rounds.',
];

function heading(args: readonly string[], { compare }: BenchOptions, seconds: number): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Linux ${release()}, Node ${process.version}`;
  return [
    `Measured by \`node dist/bench/run.js${args.map((part) => ` ${part}`).join('')}\` in ${Math.round(seconds)} s on ${machine}.`,
    'Each job has 3 steps of a provider without latency (2 KB report, 5 citations) and a synthesis, created and read back over HTTP;',
    'PostgreSQL with fsync. The load runs on the same machine, and its processor time is counted.',
    ...(compare ? COMPARED : ALONE),
  ].join('\n');
}

main(process.argv.slice(2)).catch(endAfterFailure);
