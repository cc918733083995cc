import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** A release takes its contract for the one that later builds must not break. */
const RELEASED = 'openapi/released.json';
/** No earlier api leaves its clients in peace, whatever it is upgraded to. */
const LEAVES_IN_PEACE = 'src/api/departure.ts';

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: resolve(__dirname, '../..'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The commit to upgrade from: the last release before this commit. Null where there is no history to find one in. */
export function previousLanding(): string | null {
  try {
    const before = (...filter: string[]): string => git('log', '-1', '--format=%H', 'HEAD~1', ...filter);
    const release = before('--', RELEASED);
    const oldest = before('--diff-filter=A', '--', LEAVES_IN_PEACE);
    const isOldEnough = git('merge-base', release, oldest) === oldest;
    return (isOldEnough ? release : oldest) || null;
  } catch {
    return null;
  }
}
