import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { Load } from '../support/load';
import { Supervisor } from '../support/supervisor';
import { research } from '../system/support/command';

jest.setTimeout(180_000);

const SIGNS = { CHECKPOINT_KEY: Buffer.alloc(32, 5).toString('base64'), CHECKPOINT_MS: '300' };

let supervisor: Supervisor;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'research-hanging-'));
  supervisor = await Supervisor.start();
});
afterEach(async () => {
  await supervisor?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function unlogged(): Promise<number> {
  const { rows } = await supervisor.pool.query<{ count: number }>(
    'select ((select count(*) from event) - (select count(*) from log_entry))::int as count',
  );
  return rows[0]?.count ?? 0;
}

/** A pipe that nobody writes to hangs whoever opens it, as a file of a machine that is gone does. */
it('a CHECKPOINT_DIR that hangs is told as that, stops neither jobs nor the log nor the end of any process, and is used once it answers', async () => {
  const newest = join(folder, 'checkpoint');
  execFileSync('mkfifo', [newest]);
  const others = withoutThatFolder();
  const signs = { ...SIGNS, CHECKPOINT_DIR: folder };
  await supervisor.startMissing(signs);
  const other = await supervisor.start('saga', signs);
  const load = new Load(supervisor, { jobs: 20 });
  await eventually(2, async () => supervisor.logs.processesWith(saysThatItHangs).length, 30_000);
  await load.finish();
  await eventually(0, unlogged);

  const began = performance.now();
  await other.stop();
  expect(performance.now() - began).toBeLessThan(8_000);

  await others;
  const writer = openSync(newest, 'w');
  rmSync(newest);
  closeSync(writer);
  await eventually(true, async () => published(newest).includes('\n\n'), 30_000);
  expect(await supervisor.the('saga').stop()).toEqual({ code: 0, signal: null });
  await expectIntact(supervisor, load);
});

/** Whoever cannot do without such a folder says so and ends. All of them wait for it together. */
async function withoutThatFolder(): Promise<void> {
  const list = join(folder, 'deletions');
  mkdirSync(list);
  execFileSync('mkfifo', [join(list, 'of-another-machine.jsonl')]);
  const environment = { ...supervisor.operator, ...SIGNS, CHECKPOINT_DIR: folder };
  const api = supervisor.start('api', { DELETION_LIST: list }).then(
    () => 'it serves',
    (error: Error) => error.message,
  );
  const commands = [['checkpoint'], ['deletions', 'apply', list]].map((words) => research(words, environment));
  const [started, ...ended] = await Promise.all([api, ...commands]);
  expect(started).toMatch(/DELETION_LIST .* does not answer within/);
  expect(ended.map(({ stderr }) => /(CHECKPOINT_DIR|The deletion list) .* does not answer/.exec(stderr)?.[1])).toEqual([
    'CHECKPOINT_DIR',
    'The deletion list',
  ]);
}

const saysThatItHangs = ({ reason, err }: { reason?: string; err?: unknown }): boolean =>
  reason === 'log_failed' && /CHECKPOINT_DIR .* does not answer within/.test(JSON.stringify(err));

function published(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
