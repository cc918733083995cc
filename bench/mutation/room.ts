import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../package-folder';
import { reasonFor } from './reason-for';
import { instrument, type Mutant } from './instrument';
import { orderOf } from './order';
import { record } from './recording';
import { LEFT_ALONE } from './rooms';
import { sample } from './sample';
import { settingsOfTests } from './settings-of-tests';
import { runPlan, shared, type Tests } from './test-process';

export interface Result {
  mutant: Mutant;
  /** `timeout`: a test, or the process of the tests, did not end in its time. `accepted`: it was left standing for a reason that is written down. */
  outcome: 'killed' | 'timeout' | 'survived' | 'not covered' | 'accepted';
  /** The test that noticed it, or why it was accepted. */
  by: string | null;
}

/** A spec that takes this much longer than it took without a mutant hangs. */
const PATIENCE = 4;
const PATIENCE_MS = 25_000;

interface Draw {
  room: string;
  /** Only of files with this in their path. */
  only: string;
  size: number;
  seeds: readonly number[];
  /** How many run tests at the same time. */
  processes: number;
}

/** Mutates a room and runs, for each sampled mutant, the tests that execute it. */
export async function mutateRoom(
  { room, only, size, seeds, processes }: Draw,
  environment: Record<string, string>,
  tell: (result: Result) => void,
): Promise<{ mutants: number; samples: ReadonlySet<Mutant>[]; results: Result[] }> {
  const root = packageFolder();
  const files = globSync(`${room}/**/*.ts`, { cwd: root })
    .filter((file) => !LEFT_ALONE.test(file))
    .sort();
  const instrumented = files.map((file) => ({ file, ...instrument(file, readFileSync(join(root, file), 'utf8')) }));
  const folder = join(root, '.cache/mutation', room);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tests = { settings: settingsOfTests(room, files), environment, folder };
  const texts = new Map(instrumented.map(({ file, text }) => [file, text]));
  const recorded = await record({ room, root, instrumented: texts, processes }, tests);
  const results: Result[] = [];
  const end = (result: Result): void => {
    results.push(result);
    tell(result);
  };
  const mutants = instrumented.flatMap((of) => (of.file.includes(only) ? of.mutants : []));
  const samples = seeds.map((seed) => new Set(sample(mutants, size, seed)));
  const planned: Planned[] = [];
  for (const mutant of new Set(samples.flatMap((drawn) => [...drawn]))) {
    const reason = reasonFor(mutant);
    const specs = orderOf(mutant, recorded);
    if (reason !== null) end({ mutant, outcome: 'accepted', by: reason });
    else if (specs.length === 0) end({ mutant, outcome: 'not covered', by: null });
    else planned.push(planFor(mutant, specs));
  }
  await shared(planned, processes, async (part, place) => {
    const rest = new Map(part.map((plan) => [nameOf(plan.mutant), plan]));
    while (rest.size > 0) await mutate(rest, tests, place, end);
  });
  return { mutants: mutants.length, samples, results };
}

const nameOf = ({ file, index }: Mutant): string => `${file}#${index}`;

interface Planned {
  mutant: Mutant;
  specs: Record<string, string[]>;
  limitMs: ReadonlyMap<string, number>;
  /** Whether the process had to be ended once already, which on a busy machine may only mean that it was slow. */
  hungOnce: boolean;
}

function planFor(mutant: Mutant, covering: ReturnType<typeof orderOf>): Planned {
  const specs = Object.fromEntries(covering.map(({ spec, tests }) => [spec, tests]));
  const limitMs = new Map(covering.map(({ spec, milliseconds }) => [spec, PATIENCE_MS + PATIENCE * milliseconds]));
  return { mutant, specs, limitMs, hungOnce: false };
}

const outcomeOf = ({ killedBy, late }: { killedBy: string | null; late: boolean }): Result['outcome'] =>
  killedBy === null ? 'survived' : late ? 'timeout' : 'killed';

/** Runs the plan in one process, and removes finished entries from it. If the process dies, or hangs twice, its mutant is finished too. */
async function mutate(planned: Map<string, Planned>, tests: Tests, place: number, end: (result: Result) => void): Promise<void> {
  let current: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let hangs = false;
  const finish = (name: string, outcome: Result['outcome'], by: string | null): void => {
    clearTimeout(timer);
    current = null;
    const entry = planned.get(name);
    if (entry) end({ mutant: entry.mutant, outcome, by });
    planned.delete(name);
  };
  const mutants = [...planned].map(([mutant, { specs }]) => ({ mutant, specs }));
  await runPlan({ kind: 'mutate', mutants }, tests, place, (report, kill) => {
    if (report.kind === 'begun') {
      clearTimeout(timer);
      current = report.mutant;
      timer = setTimeout(() => {
        hangs = true;
        kill();
      }, planned.get(report.mutant)?.limitMs.get(report.spec));
    }
    if (report.kind === 'ended') finish(report.mutant, outcomeOf(report), report.killedBy);
  });
  clearTimeout(timer);
  const last = current === null ? undefined : planned.get(current);
  if (current !== null && last) {
    if (!hangs) finish(current, 'killed', 'the process of the tests died');
    else if (last.hungOnce) finish(current, 'timeout', 'the process of the tests hung');
    else planned.set(current, { ...last, hungOnce: true });
  } else if (planned.size === mutants.length) throw new Error(`no mutant was tried: see ${join(tests.folder, `jest-${place}.log`)}`);
}
