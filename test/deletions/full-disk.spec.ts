import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@lib/store/new-id';
import { DeletionList } from '@lib/store/deletions/deletion-list';
import { readDeletions } from '@lib/store/deletions/read-deletions';
import { SmallDisks } from '../chaos/small-disks';

const folder = mkdtempSync(join(tmpdir(), 'research-full-'));
const disks = new SmallDisks();
afterAll(async () => {
  await disks.unmount();
  rmSync(folder, { recursive: true, force: true });
});
const withDisks = SmallDisks.areThere();
if (!withDisks) it.skip('NOT TRIED: a full deletion list, since this user cannot mount a small disk', () => undefined);

(withDisks ? it : it.skip)(
  'a list on a full disk is refused as often as it is tried, leaves no file for each, and goes on once there is room',
  async () => {
    const disk = await disks.place('deletions', folder);
    const list = new DeletionList(disk);
    const ids = [newId('thr'), newId('thr')];
    await list.add(ids[0] ?? '', new Date());
    const free = await disks.fill('deletions');
    // The page of the file that is there still takes lines.
    const refused: unknown[] = [];
    for (let tried = 0; refused.length < 5 && tried < 200; tried += 1)
      await list.add(newId('thr'), new Date()).catch((error: unknown) => refused.push(error));
    expect(refused).toEqual(
      Array.from(
        { length: 5 },
        () => expect.objectContaining({ message: expect.stringContaining('(ENOSPC): make room there') as string }) as object,
      ),
    );
    expect(readdirSync(disk).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
    await free();
    await list.add(ids[1] ?? '', new Date());
    await list.close();
    const listed: string[] = [];
    for await (const { threadId } of readDeletions(disk)) listed.push(threadId);
    expect(listed).toEqual(expect.arrayContaining(ids));
  },
);
