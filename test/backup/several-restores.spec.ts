import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../messaging/eventually';
import { DatabaseServer } from '../support/database-server';
import { describeBackup, postgres, script, SCRIPTS } from './backup-scripts';

jest.setTimeout(120_000);

describeBackup('base backups and restores, one after the other', () => {
  let base: string;
  let backups: string;
  let database: DatabaseServer;
  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), 'research-restores-'));
    backups = join(base, 'backups');
    mkdirSync(join(backups, 'wal'), { recursive: true });
    // Set by `alter system`, so that a test can change it; as an operator may, too.
    database = await DatabaseServer.start(base, { binaries: postgres?.binaries, settings: { archive_mode: 'on' } });
    await sql(`alter system set archive_command = 'sh ${SCRIPTS}/archive-wal.sh "%p" ${backups}/wal'`);
    // A setting of the operator's that only sounds like a target.
    await sql('alter system set recovery_prefetch = off');
    await sql('select pg_reload_conf()');
    await sql('create table written (at timestamptz not null default clock_timestamp())');
  });
  afterEach(async () => {
    // A shutdown would wait for the archive.
    await database.crash();
    rmSync(base, { recursive: true, force: true });
  });

  const sql = async <Row extends object>(text: string): Promise<Row[]> => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    return client
      .query<Row>(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  };
  const write = () => sql('insert into written default values');
  const written = async (): Promise<number> => (await sql<{ count: number }>('select count(*)::int as count from written'))[0]?.count ?? 0;
  const baseBackup = (more?: Record<string, string>) => script(database.url, ['base-backup.sh', backups], more);

  const archive = async (): Promise<void> => {
    const [piece] = await sql<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
    await eventually(true, async () => readdirSync(join(backups, 'wal')).includes(piece?.name ?? ''), 30_000);
  };
  const restore = async (...asked: string[]): Promise<void> => {
    await database.crash();
    await restoreFrom(...asked);
  };
  const restoreFrom = async (...asked: string[]): Promise<void> => {
    rmSync(database.dataDir, { recursive: true });
    expect(await script('', ['restore.sh', backups, database.dataDir, ...asked])).toMatchObject({ code: 0 });
    await database.start();
    await eventually(true, async () => (await sql('select where not pg_is_in_recovery()')).length === 1, 60_000);
  };

  /** A base backup, and the time once its name, which says whole seconds, is over. */
  const backUp = async (): Promise<void> => {
    const made = await baseBackup();
    expect(made).toMatchObject({ code: 0 });
    const whole = Date.parse(made.stdout.slice(-16).replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
    await eventually(true, async () => Date.now() > whole);
  };
  const now = async (): Promise<string> => {
    const asked = `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`;
    return (await sql<{ now: string }>(asked))[0]?.now ?? '';
  };

  it('reaches a later time than the restore before, of the timeline that it is told, and asks where there are several', async () => {
    await backUp();
    await write();
    const early = await now();
    await write();
    const late = await now();
    await write();
    await archive();
    await restore(early);
    expect(await written()).toBe(1);
    await write();
    await write();
    await write();
    await archive();
    await database.crash();
    const asked = (...more: string[]) => script('', ['restore.sh', backups, join(base, 'other'), late, ...more]);
    expect(await asked()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/something was restored .* timelines to 2\. .* 1 for what was before that, 2 for/) as string,
    });
    for (const [timeline, why] of Object.entries({ two: 'is no timeline', '9': 'has no timeline 9: 2 is its newest' }))
      expect(await asked(timeline)).toMatchObject({ code: 1, stderr: expect.stringContaining(why) as string });
    await restoreFrom(late, '1');
    expect(await written()).toBe(2);
    await archive();
    await restore('latest', '2');
    expect(await written()).toBe(4);
    // A backup that was made since has left no doubt.
    await archive();
    await backUp();
    await write();
    const last = await now();
    await write();
    await archive();
    await restore(last);
    expect(await written()).toBe(5);
  });

  it('brings back the end of the archive also where the backup was made after a restore to a time', async () => {
    await backUp();
    await write();
    const moment = await now();
    await write();
    await archive();
    await restore(moment);
    expect(await written()).toBe(1);

    // A target may stand in the other file as well.
    appendFileSync(join(database.dataDir, 'postgresql.conf'), "recovery_target_name = 'before the release'\n");
    // As an operator who goes on from there would: another backup, and more work.
    expect(await baseBackup()).toMatchObject({ code: 0 });
    for (let more = 0; more < 5; more += 1) await write();
    await archive();
    await restore('latest');
    expect(await written()).toBe(6);
    // Nor does it pile up.
    const file = `'${database.dataDir}/postgresql.auto.conf'`;
    expect(await sql(`select name from pg_file_settings where sourcefile = ${file} group by name having count(*) > 1`)).toEqual([]);
    expect(await sql('show recovery_prefetch')).toEqual([{ recovery_prefetch: 'off' }]);
    expect(await sql('show archive_command')).toEqual([{ archive_command: `sh ${SCRIPTS}/archive-wal.sh "%p" ${backups}/wal` }]);
  });

  it.each([
    ['none', "''"],
    ['one that ends with 0 and copies nothing', "'true'"],
    ['one that hangs', "'sleep 600'"],
  ])('makes no base backup while the archive stands still: %s', async (_, command) => {
    await write();
    await sql(`alter system set archive_command = ${command}`);
    await sql('select pg_reload_conf()');
    expect(await baseBackup({ ARCHIVE_WAIT_SECONDS: '2' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^base-backup: the archive stands still or is far behind: .*\/wal lacks .* mend that/m) as string,
    });
    expect(readdirSync(join(backups, 'base'))).toEqual([]);
  });

  it('waits for a slow archive, and has all that the backup needs once it ends', async () => {
    await sql(`alter system set archive_command = 'sleep 1; sh ${SCRIPTS}/archive-wal.sh "%p" ${backups}/wal'`);
    await sql('select pg_reload_conf()');
    const made = await baseBackup();
    expect(made).toMatchObject({ code: 0 });
    await database.crash();
    rmSync(join(made.stdout, 'pg_wal'), { recursive: true });
    mkdirSync(join(made.stdout, 'pg_wal'));
    await restoreFrom('latest');
    expect(await written()).toBe(0);
  });
});
