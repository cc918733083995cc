import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@lib/store/new-id';
import { DeletionList, readDeletions } from '@lib/store/deletions/deletion-list';

const disk = mkdtempSync(join(tmpdir(), 'research-full-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (isMounted) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});
const onSmallDisk = isMounted ? it : it.skip;

onSmallDisk(
  'a list on a full disk is refused as often as it is tried, leaves no file for each, and goes on once there is room',
  async () => {
    const list = new DeletionList(disk);
    const filler = join(disk, 'everything-else');
    const ids = [newId('thr'), newId('thr')];
    await list.add(ids[0] ?? '', new Date());
    expect(() => writeFileSync(filler, Buffer.alloc(1024 * 1024))).toThrow('ENOSPC');
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
    rmSync(filler);
    await list.add(ids[1] ?? '', new Date());
    await list.close();
    const listed: string[] = [];
    for await (const { threadId } of readDeletions(disk)) listed.push(threadId);
    expect(listed).toEqual(expect.arrayContaining(ids));
  },
);
