import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmallDisks } from '../chaos/small-disks';
import { eventually } from '../messaging/eventually';
import { failureIn, research, start, type Running } from '../system/support/command';
import { HttpClient } from '../system/support/http-client';
import { writeProvidersFile } from '../system/support/providers-file';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'research-folders-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const withDisks = SmallDisks.areThere();
if (!withDisks) it.skip('NOT TRIED: a full data folder, since this user cannot mount a small disk', () => undefined);

describe('a folder that cannot be written to is named, with what to do:', () => {
  (withDisks ? it : it.skip)('the data folder on a full disk, where a secret would be kept', async () => {
    const disks = new SmallDisks();
    const disk = await disks.place('data', folder);
    try {
      await disks.fill('data');
      const DATA_DIR = join(disk, 'data');
      const ended = await start('main.js', ['all'], { DATA_DIR, PORT: '0' }).ended;
      const remedy = 'Set DATA_DIR to a folder that this user can write to.';
      expect(failureIn(ended)).toBe(`The data folder ${DATA_DIR} cannot be used: no space is left on its disk. ${remedy}`);
      // Nothing of a secret that nobody has.
      expect(readdirSync(DATA_DIR)).toEqual([]);
    } finally {
      await disks.unmount();
    }
  });

  it('the temporary folder of an answer from documents', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    writeFileSync(join(folder, 'notes.md'), 'It is so because of the weather.\n');
    const ended = await research(['ask', '--corpus', folder, 'Why?'], { DATA_DIR: join(folder, 'data'), PORT: '0', TMPDIR: file });
    const said = `The temporary folder ${file} cannot be used: something above it is a file. Set TMPDIR to one that this user can write to.\n`;
    expect(ended).toEqual({ code: 3, stdout: '', stderr: said });
  });
});

describe('the embedded database', () => {
  let service: Running | null = null;
  afterEach(async () => {
    service?.kill('SIGTERM');
    await service?.ended;
  });

  // It ends so where its disk was full when it recovered; that there is room again tells it nothing.
  it('that ends by itself is started again, which is told, and the service goes on', async () => {
    const DATA_DIR = join(folder, 'data');
    service = start('main.js', ['all'], { DATA_DIR, PORT: '0', PROVIDERS_FILE: writeProvidersFile(folder, {}) });
    await service.until('"reason":"started"');
    const address = /"address":"([^"]+)"/.exec(service.said())?.[1] ?? '';
    const client = new HttpClient(address, readFileSync(join(DATA_DIR, 'api-key'), 'utf8').trim());
    const { id } = await client.research({ message: 'Before?' });
    process.kill(Number(readFileSync(join(DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
    await service.until('"reason":"embedded_database_ended"');
    await eventually(200, async () => (await client.send('GET', `/v1/jobs/${id}`)).status, 30_000);
    expect(await client.research({ message: 'After?' })).toMatchObject({ status: 'completed' });
  });
});
