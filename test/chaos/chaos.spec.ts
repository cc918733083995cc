import { randomInt } from 'node:crypto';
import { ensurePreviousBuild } from './previous-build';
import { run, type RunOptions } from './run';
import { tableOf } from './table';

/** `make chaos` sets these; `make test` takes a minute. */
const SECONDS = Number(process.env.CHAOS_SECONDS || 0);
const SEED = process.env.CHAOS_SEED ? Number(process.env.CHAOS_SEED) : randomInt(2 ** 31);
const KNOWN_SEEDS = [20261122, 1743693558] as const;
/** Of the faults of a brief run, which a busy machine may keep from happening in their short time; of a long one each kind has to. */
const MIN_HAPPENED = 0.5;
const BRIEF_SECONDS = 20;
/** Start, quiescence and audit, on a slow machine that others share. */
const AROUND_MS = 15 * 60_000;

jest.setTimeout(SECONDS * 1000 + AROUND_MS);

type Case = Pick<RunOptions, 'seed' | 'seconds' | 'brokers'>;
const CASES: Case[] =
  SECONDS > 0
    ? [
        { seed: SEED, seconds: Math.ceil(SECONDS / 2), brokers: 1 },
        { seed: SEED, seconds: Math.ceil(SECONDS / 2), brokers: 3 },
      ]
    : [
        { seed: KNOWN_SEEDS[0], seconds: BRIEF_SECONDS, brokers: 1 },
        { seed: KNOWN_SEEDS[1], seconds: BRIEF_SECONDS, brokers: 3 },
      ];

describe('two processes of each role under a nemesis', () => {
  it.each(CASES)('keep every promise: seed $seed, $seconds s, $brokers nats-servers', async (options) => {
    const tell = (line: string): void => void process.stderr.write(SECONDS > 0 ? `${line}\n` : '');
    const previousMain = SECONDS > 0 ? await ensurePreviousBuild(process.env.CHAOS_OLD, tell) : null;
    const report = await run({ ...options, previousMain, tell });
    process.stdout.write(`\n${tableOf(report)}\n`);

    expect(report.verdict.violations).toEqual([]);
    // A fault that could not be undone, or that never happened, tests nothing.
    expect(report.deeds.filter(({ error }) => error !== null)).toEqual([]);
    const never = [...Map.groupBy(report.deeds, ({ kind }) => kind)].filter(([, all]) => all.every(({ evidence }) => evidence === null));
    if (SECONDS > 0) expect(never.map(([kind]) => kind)).toEqual([]);
    const happened = report.deeds.filter(({ evidence }) => evidence !== null).length;
    expect(happened).toBeGreaterThan(MIN_HAPPENED * report.deeds.length);
    expect(report.observations.endings.size).toBeGreaterThan(0);
  });
});
