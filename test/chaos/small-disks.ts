import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

type Server = 'postgres' | 'jetstream';

const MEGABYTES: Record<Server, number> = { postgres: 768, jetstream: 640 };
const PIECE = Buffer.alloc(1024 * 1024);

/** File systems of a few megabytes for what the servers store, where this machine allows to mount them. */
export class SmallDisks {
  private readonly mounted = new Map<Server, string>();

  /** Whether this user may mount one. */
  static areThere(): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'research-disk-'));
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
    if (mounted) spawnSync('umount', [folder]);
    rmdirSync(folder);
    return mounted;
  }

  /** The folder for the server's data: on a disk of its own if that can be had. */
  async place(server: Server, folder: string, megabytes = MEGABYTES[server]): Promise<string> {
    const disk = join(folder, `disk-of-${server}`);
    await mkdir(disk);
    try {
      await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', disk]);
      this.mounted.set(server, disk);
    } catch {
      // Without the right to mount, the fault is told as not tried.
    }
    return disk;
  }

  has(server: Server): boolean {
    return this.mounted.has(server);
  }

  /** @returns what frees it again */
  async fill(server: Server): Promise<() => Promise<void>> {
    const path = join(this.mounted.get(server) ?? '', 'everything-else');
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
