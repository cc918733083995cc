import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../..');
const BUILDS = join(ROOT, '.cache/previous-builds');
/** Without a release to go back to. */
const COMMITS_BACK = 20;

/**
 * The program of an older build, made beside this one.
 * @param wanted a commit; by default the last tag before this one, or twenty commits back
 * @returns null where there is no git, no such commit, or it cannot be built
 */
export async function ensurePreviousBuild(wanted: string | undefined, tell: (line: string) => void): Promise<string | null> {
  try {
    const sha = await resolveCommit(wanted);
    const main = mainOf(sha);
    if (!existsSync(main)) await build(sha, join(BUILDS, sha));
    tell(`the older build is ${sha}`);
    return main;
  } catch (error) {
    tell(`there is no older build: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** Where the program of a commit is, once it was built. */
export const mainOf = (sha: string): string => join(BUILDS, sha, 'dist/src/main.js');

async function resolveCommit(wanted: string | undefined): Promise<string> {
  const parse = (commit: string) => git('rev-parse', '--verify', `${commit}^{commit}`);
  if (wanted) return parse(wanted);
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD~1').catch(() => null);
  return parse(tag ?? `HEAD~${COMMITS_BACK}`);
}

async function build(sha: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('sh', ['-c', `git archive ${sha} | tar -x -C "$0"`, folder], { cwd: ROOT });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules')).catch(() => undefined);
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/nest'), ['build'], { cwd: folder });
  // So that events say which build wrote them.
  await promisify(execFile)(process.execPath, ['dist/src/write-build.js'], { cwd: folder });
}

const git = async (...words: string[]): Promise<string> => (await promisify(execFile)('git', words, { cwd: ROOT })).stdout.trim();
