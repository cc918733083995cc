import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ExaminedFolder } from './examined-folder';

let examined: ExaminedFolder;
beforeEach(() => (examined = new ExaminedFolder()));
afterEach(() => examined.remove());

describe('the folders outside the database', () => {
  it('are looked at by the roles that write to them', async () => {
    const folders = { DELETION_LIST: examined.path, CHECKPOINT_DIR: join(examined.path, 'checkpoints') };
    const { the } = await examined.examine(folders, { roles: 'saga' });
    expect(the('deletion list')).toMatchObject({ status: 'ok', detail: examined.path });
    expect(the('checkpoint folder')).toMatchObject({ status: 'ok', detail: `${folders.CHECKPOINT_DIR}, made with the first checkpoint` });
    const api = await examined.examine(folders, { roles: 'api' });
    expect([api.the('deletion list')?.status, api.the('checkpoint folder')]).toEqual(['ok', undefined]);
    expect((await examined.examine(folders, { roles: 'worker' })).the('deletion list')).toBeUndefined();
  });

  it('that cannot be used are told: without the list nothing starts, and without the other nothing is published', async () => {
    const file = join(examined.path, 'file');
    writeFileSync(file, '');
    const missing = join(examined.path, 'missing');
    const { the } = await examined.examine({ DELETION_LIST: missing, CHECKPOINT_DIR: join(file, 'deeper') }, { roles: 'saga' });
    expect(the('deletion list')).toMatchObject({ status: 'problem', detail: expect.stringContaining(missing) });
    expect(the('deletion list')?.remedy).toContain('DELETION_LIST');
    expect(the('checkpoint folder')).toMatchObject({ status: 'warning', detail: `${file} is a file, not a folder` });
  });
});
