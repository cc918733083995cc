import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCheckpoint } from '@lib/audit/format/checkpoint';
import { parseNote } from '@lib/audit/format/signed-note';
import { eventually } from '../messaging/eventually';
import { Client } from '../support/client';
import { Load, type AcceptedJob } from '../support/load';
import { QUICK, SLOW, SLOW_BACKGROUND } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';
import { research } from '../system/support/command';
import { describeBackup, postgres, script, SCRIPTS } from './backup-scripts';

jest.setTimeout(300_000);

interface Lost {
  faults: { streamId: string; field: string; what: string }[];
}

describeBackup('a disaster', () => {
  let folder: string;
  let backups: string;
  let supervisor: Supervisor;
  let databaseUrl: string;
  let client: Client;
  let environment: Record<string, string>;
  const base = mkdtempSync(join(tmpdir(), 'research-backup-'));

  const run = (...line: string[]) => script(databaseUrl, line);
  const operator = (...parameters: string[]) => research(parameters, { ...supervisor.operator, ...environment });

  beforeAll(async () => {
    folder = join(base, 'deployment');
    backups = join(base, 'backups');
    const kept = { DELETION_LIST: join(base, 'deletions'), CHECKPOINT_DIR: join(base, 'checkpoints') };
    for (const path of [folder, join(backups, 'wal'), ...Object.values(kept)]) mkdirSync(path, { recursive: true });
    environment = {
      ...kept,
      ...{ CHECKPOINT_KEY: Buffer.alloc(32, 7).toString('base64'), CHECKPOINT_ORIGIN: 'audit.example.org/restore', CHECKPOINT_MS: '250' },
    };
    const archive_command = `sh ${join(SCRIPTS, 'archive-wal.sh')} "%p" ${join(backups, 'wal')}`;
    supervisor = await Supervisor.start({ postgres: { binaries: postgres?.binaries, settings: { archive_mode: 'on', archive_command } } });
    client = new Client(supervisor);
    databaseUrl = supervisor.database.url;
    await supervisor.startMissing(environment);
  });
  afterAll(async () => {
    await supervisor?.close();
    rmSync(base, { recursive: true, force: true });
  });

  const create = async (...providers: string[]): Promise<AcceptedJob> => {
    const { status, body } = await client.call('POST', '/v1/threads', { message: 'What lasts?', budget: 'M', providers });
    expect(status).toBe(201);
    return { threadId: String(body.id), jobId: (body.job as { id: string }).id };
  };
  const answer = ({ threadId, jobId }: AcceptedJob) => client.call('GET', `/v1/threads/${threadId}/jobs/${jobId}`);
  const statusOf = async (job: AcceptedJob) => (await answer(job)).body.status;
  const completed = (jobs: AcceptedJob[]) =>
    Promise.all(jobs.map((job) => eventually<unknown>('completed', () => statusOf(job).catch(() => null), 90_000)));
  const count = async (text: string, ...values: unknown[]): Promise<number> =>
    (await supervisor.pool.query<{ count: number }>(`select count(*)::int as count from ${text}`, values)).rows[0]?.count ?? 0;

  /** Which runs each step of these jobs paid for, by provider. */
  const paid = async (jobs: AcceptedJob[]): Promise<Record<string, number>> => {
    const { rows } = await supervisor.pool.query<{ stepId: string }>(
      `select distinct facts->>'stepId' as "stepId" from event where stream_id = any($1) and type = 'StepStarted'`,
      [jobs.map(({ jobId }) => jobId)],
    );
    const steps = new Set(rows.map(({ stepId }) => stepId));
    const calls = supervisor.ledger().filter(({ call, stepId }) => call === 'submit' && steps.has(stepId));
    return Object.fromEntries(
      [...Map.groupBy(calls, ({ provider }) => provider)].map(([provider, of]) => [String(provider), of.length] as const),
    );
  };
  const published = (): number => {
    const [newest] = readdirSync(environment.CHECKPOINT_DIR ?? '').map((name) =>
      parseCheckpoint(parseNote(readFileSync(join(environment.CHECKPOINT_DIR ?? '', name), 'utf8')).text),
    );
    return newest?.size ?? 0;
  };

  it('is undone up to a moment: what was deleted since stays deleted, and open jobs go on', async () => {
    // Jobs run while the base backup is made.
    const load = new Load(supervisor);
    await eventually(true, async () => load.endings.size >= 3, 60_000);
    const made = await run('base-backup.sh', backups);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(`^${backups}/base/\\d{8}T\\d{6}Z$`) as string });
    await load.finish();

    const [doomed, background, foreground] = [await create(QUICK), await create(SLOW_BACKGROUND), await create(SLOW)];
    await completed([doomed]);
    await eventually(1, () => count(`event where stream_id = $1 and type = 'StepExternalIdRecorded'`, background.jobId));
    await eventually(1, () => count(`event where stream_id = $1 and type = 'StepStarted'`, foreground.jobId));
    // The name of the backup says whole seconds, and it was made before.
    const restorable = made.stdout.slice(-16).replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5');
    await eventually(true, async () => Date.now() > Date.parse(restorable));
    const { rows } = await supervisor.pool.query<{ now: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
    );
    const moment = rows[0]?.now ?? '';
    const finished = await Promise.all(load.accepted.map(async (job) => ({ job, document: (await answer(job)).body })));
    const paidBefore = await paid(load.accepted);
    const entriesThen = await count('log_entry');

    // What happens from here on is lost, but for what stands outside the database.
    expect((await client.call('DELETE', `/v1/threads/${doomed.threadId}`)).status).toBe(200);
    const lost = await create(QUICK);
    await completed([lost, background, foreground]);
    await eventually(true, async () => published() > entriesThen + 5);
    const { rows: segments } = await supervisor.pool.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
    await eventually(1, () => count('pg_stat_archiver where last_archived_wal >= $1', segments[0]?.name), 60_000);

    for (const role of ['api', 'saga', 'worker', 'synthesizer'] as const) await supervisor.the(role).kill();
    await supervisor.database.crash();
    rmSync(supervisor.database.dataDir, { recursive: true });
    await supervisor.broker.kill();
    await supervisor.broker.wipe();
    const anchors = join(base, 'anchors');
    cpSync(environment.CHECKPOINT_DIR ?? '', anchors, { recursive: true });

    expect(await restoreTo(moment)).toMatchObject({ code: 0 });
    await supervisor.database.start();
    await eventually(1, () => count('pg_stat_database where not pg_is_in_recovery() limit 1').then((rows) => Math.min(rows, 1)), 60_000);
    expect(await operator('deletions', 'apply', environment.DELETION_LIST ?? '')).toMatchObject({
      code: 0,
      stdout: '1 of 1 listed threads were there and are deleted.\n',
    });
    const before = await operator('verify', '--json', '--against', anchors);
    expect([...new Set((JSON.parse(before.stdout) as Lost).faults.map(({ field }) => field))]).toEqual(['log_entry']);
    expect(before).toMatchObject({ code: 1, stdout: expect.stringContaining('says that it had') as string });

    await supervisor.broker.start();
    await supervisor.startMissing(environment);
    await completed([background, foreground]);
    for (const gone of [doomed, lost]) expect((await answer(gone)).status).toBe(404);
    expect(await Promise.all(finished.map(async ({ job }) => (await answer(job)).body))).toEqual(finished.map(({ document }) => document));
    expect(await paid(load.accepted)).toEqual(paidBefore);
    // The provider keeps a run in the background, so it is not paid again; a call that was under way is.
    expect(await paid([background, foreground])).toEqual({ [SLOW_BACKGROUND]: 1, [SLOW]: 2 });
    expect(await operator('verify-views')).toMatchObject({ code: 0 });

    // The log that was published is not contradicted: a new one names it.
    await eventually(2, () => count('log_origin'), 60_000);
    await eventually(true, async () => (await count('checkpoint where origin <> $1', environment.CHECKPOINT_ORIGIN)) > 0, 60_000);
    expect(await operator('verify')).toMatchObject({ code: 0 });
    const after = await operator('verify', '--json', '--against', anchors);
    expect([...new Set((JSON.parse(after.stdout) as Lost).faults.map(({ field }) => field))]).toEqual(['gap']);
  });

  const restoreTo = (moment: string) => run('restore.sh', backups, supervisor.database.dataDir, moment);

  it('is not made worse by a wrong word', async () => {
    const empty = join(base, 'empty');
    mkdirSync(empty);
    const refused = async (name: string, parameters: string[], why: RegExp) => {
      const { code, stderr } = await run(name, ...parameters);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(why) as string });
    };
    const target = join(base, 'target');
    await refused('restore.sh', [backups, target], /^restore: usage/);
    await refused('restore.sh', ['backups', target, 'latest'], /is no whole path/);
    await refused('restore.sh', [`${base}/a'b`, target, 'latest'], /name it with letters/);
    await refused('restore.sh', [empty, target, 'latest'], /holds no base and wal/);
    for (const part of ['base', 'wal']) mkdirSync(join(base, 'none', part), { recursive: true });
    await refused('restore.sh', [join(base, 'none'), target, 'latest'], /base holds no base backup: make one with base-backup\.sh$/m);
    await refused('restore.sh', [backups, supervisor.database.dataDir, 'latest'], /is not empty: move/);
    for (const time of ['yesterday', '2026-11-22', "2026-11-22T10:00:00Z'", '2026-11-22T10:00:00+01:00', ''])
      await refused('restore.sh', [backups, target, time], /is no time: write it in UTC/);
    await refused('restore.sh', [backups, target, '2020-01-01T00:00:00Z'], /no base backup .* choose a later time/);
    expect(readdirSync(base)).not.toContain('target');

    await refused('base-backup.sh', [empty], /wal is missing: make it and let archive_command fill it/);
    await refused('base-backup.sh', [join(base, 'nowhere')], /no folder that \w+ can write to/);
    await refused('archive-wal.sh', [join(base, 'no-such-piece'), empty], /cannot be read/);
    const [piece = ''] = readdirSync(join(backups, 'wal'));
    const there = join(backups, 'wal', piece);
    expect(await run('archive-wal.sh', there, join(backups, 'wal'))).toMatchObject({ code: 0 });
    cpSync(join(SCRIPTS, 'restore.sh'), join(empty, piece));
    await refused('archive-wal.sh', [there, empty], /is there with other content/);

    for (const count of ['0', '-1', 'all', '']) await refused('drop-old-backups.sh', [backups, count], /is no number of backups/);
    expect(await run('base-backup.sh', backups)).toMatchObject({ code: 0 });
    const [oldest, newest] = readdirSync(join(backups, 'base')).sort();
    expect(await run('drop-old-backups.sh', backups, '1')).toMatchObject({ code: 0, stdout: `dropped ${backups}/base/${oldest}` });
    expect(readdirSync(join(backups, 'base'))).toEqual([newest]);
    expect(readdirSync(join(backups, 'wal'))).not.toContain(piece);
  });
});
