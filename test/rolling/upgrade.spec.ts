import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { ROLES, type Role } from '../../src/roles';
import { ensurePreviousBuild, mainOf } from '../chaos/previous-build';
import { eventually } from '../messaging/eventually';
import type { StoredRow } from '../support/histories';
import { previousLanding } from './previous-landing';
import { SHORT } from './rollout';
import { expectUnnoticed, type Trial } from './trial';

/** `make upgrade` sets them, builds the older commit and replaces the roles in three orders; `make test` takes the first, once that was built. */
const IS_LONG = process.env.UPGRADE === 'long';
const PREVIOUS = process.env.PREVIOUS || previousLanding();
/** How long builds work side by side before the next process is replaced. */
const SIDE_BY_SIDE_MS = IS_LONG ? 20_000 : 3_000;
const UPGRADE_MS = 15 * 60_000;
const MIGRATION_MS = 120_000;
const BUILD = resolve(__dirname, '../../dist/src/main.js');
const missing = whatIsMissing();
const test = missing ? it.skip : it;

jest.setTimeout(UPGRADE_MS);

/** One of each role first: every role of either build then works with every role of the other. */
async function halfByHalf({ rollout }: Trial): Promise<void> {
  for (const role of ROLES) await rollout.replaceOne(role);
  await delay(SIDE_BY_SIDE_MS);
  for (const role of ROLES) await rollout.replaceOne(role);
}

const roleByRole =
  (roles: readonly Role[]) =>
  async ({ rollout }: Trial): Promise<void> => {
    for (const role of roles) {
      await rollout.replaceAll(role);
      await delay(SIDE_BY_SIDE_MS);
    }
  };

const ORDERS = {
  'half of each role first': halfByHalf,
  'the api first': roleByRole(ROLES),
  'the api last': roleByRole(ROLES.toReversed()),
};
const CASES = Object.entries(ORDERS).slice(0, IS_LONG ? undefined : 1);

/** By the command line of a build, as the migration of the manifests does it. */
const migrateWith =
  (main: string, environment: Record<string, string> = {}) =>
  (url: string): Promise<unknown> =>
    promisify(execFile)(process.execPath, [main.replace(/main\.js$/, 'cli/main.js'), 'migrate'], {
      cwd: '/',
      timeout: MIGRATION_MS,
      env: { PATH: process.env.PATH, DATABASE_URL: url, ...environment },
    });

test.each(CASES)(
  `the build before is replaced by this one under load, and no client notices: %s${missing ? ` (${missing})` : ''}`,
  async (_, upgrade) => {
    const old = await ensurePreviousBuild(PREVIOUS ?? '', (line) => void process.stdout.write(`${line}\n`));
    if (old === null) throw new Error(`the build of ${PREVIOUS} could not be made`);
    const events = await expectUnnoticed({ scale: SHORT, main: old, makeSchema: migrateWith(old) }, async (trial) => {
      const { supervisor, customers } = trial;
      await migrateWith(BUILD, supervisor.secrets)(supervisor.database.url);
      // The older build goes on with the newer schema.
      const { ended } = customers;
      await eventually(true, async () => customers.ended > ended, UPGRADE_MS);
      await upgrade(trial);
      const after = customers.ended;
      await eventually(true, async () => customers.ended > after, UPGRADE_MS);
    });
    // Each build asked, worked and wrote, and both had a hand in the same jobs.
    const builds = new Set([old, BUILD].map(nameOf));
    for (const build of builds)
      for (const type of WITH_BUILD)
        expect({ build, type, seen: events.some(writtenBy(build, type)) }).toEqual({ build, type, seen: true });
    const histories = [...Map.groupBy(events, ({ streamId }) => streamId).values()];
    const largest = Math.max(...histories.map((history) => new Set(history.flatMap((event) => buildOf(event) ?? [])).size));
    expect(largest).toBe(builds.size);
  },
);

/** Recorded with the process that asked for it: an api, a worker and a synthesizer. */
const WITH_BUILD = ['JobRequested', 'StepStarted', 'JobCompleted'];
const buildOf = ({ facts }: StoredRow): string | undefined => (facts.process as { build: string } | null | undefined)?.build;
const writtenBy =
  (build: string, type: string) =>
  (event: StoredRow): boolean =>
    event.type === type && buildOf(event) === build;

/** As a build names itself in what it records. */
const nameOf = (main: string): string => readFileSync(main.replace(/src\/main\.js$/, 'build.txt'), 'utf8');

function whatIsMissing(): string | null {
  if (PREVIOUS === null) return 'not tried, this clone has no history to find an older build in';
  if (!IS_LONG && !existsSync(mainOf(PREVIOUS))) return `not tried, ${PREVIOUS.slice(0, 12)} was not built here: make upgrade does it`;
  return null;
}
