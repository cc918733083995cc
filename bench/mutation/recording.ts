import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOMS } from './rooms';
import { runPlan, shared, type Tests } from './test-process';

/** Which tests of a spec execute which mutants, found by running the spec with no mutant on. */
export interface Recorded {
  milliseconds: number;
  /** Tests that pass without a mutant. */
  sound: string[];
  /** By mutant; WHOLE_SPEC for what runs outside of a test. */
  passed: Record<string, string[]>;
}

/** The recording as stored on disk. It is valid as long as the spec and every file that it runs through are unchanged. */
interface Kept extends Recorded {
  hashes: Record<string, string>;
}

/**
 * Records those specs of a room that have no valid stored recording. Tests that fail without a mutant are left out, and a spec in which none passes
 * is tried again next time.
 */
export async function record(
  { room, root, instrumented, processes }: { room: string; root: string; instrumented: ReadonlyMap<string, string>; processes: number },
  tests: Tests,
): Promise<Map<string, Recorded>> {
  const folder = join(root, '.cache/mutation/recorded', room);
  mkdirSync(folder, { recursive: true });
  const fileOf = (spec: string): string => join(folder, `${spec.replaceAll('/', '__')}.json`);
  const hashOf = (path: string): string =>
    createHash('sha256')
      .update(instrumented.get(path) ?? readFileSync(join(root, path), 'utf8'))
      .digest('hex');
  const recorded = new Map<string, Recorded>();
  const specs = specsOf(room, root);
  for (const spec of specs) {
    const kept = existsSync(fileOf(spec)) ? (JSON.parse(readFileSync(fileOf(spec), 'utf8')) as Kept) : null;
    const holds = kept && Object.entries(kept.hashes).every(([path, hash]) => isThere(path, instrumented, root) && hashOf(path) === hash);
    if (holds) recorded.set(spec, kept);
  }
  const missing = specs.filter((spec) => !recorded.has(spec));
  process.stdout.write(`${recorded.size} specs are recorded; ${missing.length} are to be\n`);
  await shared(missing, processes, (part, place) =>
    runPlan({ kind: 'record', specs: part }, tests, place, (report) => {
      if (report.kind !== 'recorded') return;
      const { spec, milliseconds, failure, sound, passed } = report;
      if (failure !== null) process.stderr.write(`${spec}: left out what fails without a mutant (${failure.slice(0, 500)})\n`);
      if (sound.length === 0) return;
      const paths = [spec, ...new Set(Object.keys(passed).map((mutant) => mutant.split('#')[0] ?? ''))];
      const kept: Kept = { milliseconds, sound, passed, hashes: Object.fromEntries(paths.map((path) => [path, hashOf(path)])) };
      writeFileSync(fileOf(spec), JSON.stringify(kept));
      recorded.set(spec, kept);
    }),
  );
  if (recorded.size === 0) throw new Error(`no spec could be run: see ${join(tests.folder, 'jest-0.log')}`);
  return recorded;
}

const specsOf = (room: string, root: string): string[] =>
  globSync('test/**/*.spec.ts', { cwd: root })
    .filter((spec) => (ROOMS[room] ?? []).some((looksAtIt) => looksAtIt.test(spec)))
    .sort();

const isThere = (path: string, instrumented: ReadonlyMap<string, string>, root: string): boolean =>
  instrumented.has(path) || existsSync(join(root, path));
