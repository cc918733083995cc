import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Check } from '../../src/doctor/check';
import { examine } from '../../src/doctor/doctor';
import { readRoles } from '../../src/roles';

/** The day of the shipped prices. */
const TODAY = new Date('2026-11-21T12:00:00Z');

/** A folder of its own for each test, with documents so that nobody waits for those of the packages. */
export class ExaminedFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'doctor-'));

  get dataDir(): string {
    return join(this.path, 'data');
  }

  async examine(
    environment: Record<string, string>,
    { roles = 'all', live = false, today = TODAY } = {},
  ): Promise<{ checks: Check[]; the: (name: string) => Check | undefined; text: string }> {
    const complete = { DATA_DIR: this.dataDir, CORPUS_DIR: join(__dirname, '../../docs'), ...environment };
    const checks = await examine({ environment: complete, roles: readRoles(roles), live, today });
    return { checks, the: (name) => checks.find((check) => check.name === name), text: JSON.stringify(checks) };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
