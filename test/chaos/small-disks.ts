import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

type Content = 'postgres' | 'jetstream' | 'data' | 'deletions';

const MEGABYTES: Record<Content, number> = { postgres: 768, jetstream: 640, data: 1, deletions: 1 };
const PIECE = Buffer.alloc(1024 * 1024);

/** File systems of a few megabytes for what is stored, where this machine allows to mount them. */
export class SmallDisks {
  private readonly mounted = new Map<Content, string>();

  /** Whether this user may mount one. */
  static areThere(): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'research-disk-'));
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
    if (mounted) spawnSync('umount', [folder]);
    rmdirSync(folder);
    return mounted;
  }

  /** The folder for the content: on a disk of its own if that can be had. */
  async place(content: Content, folder: string, megabytes = MEGABYTES[content]): Promise<string> {
    const disk = join(folder, `disk-of-${content}`);
    await mkdir(disk);
    try {
      await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', disk]);
      this.mounted.set(content, disk);
    } catch {
      // Without the right to mount, the fault is told as not tried.
    }
    return disk;
  }

  has(content: Content): boolean {
    return this.mounted.has(content);
  }

  /** @returns what frees it again */
  async fill(content: Content): Promise<() => Promise<void>> {
    const path = join(this.mounted.get(content) ?? '', 'everything-else');
    const file = await open(path, 'w');
    const free = () => rm(path, { force: true });
    try {
      for (;;) await file.write(PIECE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return free;
      await free();
      throw error;
    } finally {
      await file.close();
    }
  }

  async unmount(): Promise<void> {
    for (const disk of this.mounted.values()) await promisify(execFile)('umount', ['-l', disk]);
    this.mounted.clear();
  }
}
