import type { TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import TestRunner, { type Test, type TestRunnerContext, type TestWatcher } from 'jest-runner';
import { active } from './active';
import type { Plan, Report } from './plan';

/** Runs the plan instead of every spec once: specs and servers are set up once for all of its mutants. */
export default class MutationRunner {
  readonly isSerial = true;
  readonly supportsEventEmitters = true;

  constructor(
    private readonly config: Config.GlobalConfig,
    private readonly context: TestRunnerContext,
  ) {}

  /** Single specs are not announced: the plan's own reports give their results. */
  on(): () => void {
    return () => undefined;
  }

  async runTests(tests: Test[], watcher: TestWatcher): Promise<void> {
    process.once('disconnect', () => process.exit());
    const plan = JSON.parse(readFileSync(process.env.MUTATION_PLAN ?? '', 'utf8')) as Plan;
    const specs = new Map(tests.map((test) => [relative(this.config.rootDir, test.path), test]));
    if (plan.kind === 'record') {
      for (const spec of plan.specs) {
        const test = specs.get(spec);
        if (test) await this.record(spec, test, watcher);
      }
      return;
    }
    for (const { mutant, specs: covering } of plan.mutants) {
      const killer = await this.killerOf(mutant, covering, specs, watcher);
      await report({ kind: 'ended', mutant, killedBy: killer?.by ?? null, late: killer?.late ?? false });
    }
  }

  private async record(spec: string, test: Test, watcher: TestWatcher): Promise<void> {
    active.passed = new Map();
    active.sound = [];
    const begun = performance.now();
    const failure = await this.failureOf(test, watcher);
    const passed = Object.fromEntries([...active.passed].map(([mutant, tests]) => [mutant, [...tests]]));
    const milliseconds = Math.round(performance.now() - begun);
    await report({ kind: 'recorded', spec, milliseconds, failure: failure?.by ?? null, sound: active.sound, passed });
    active.passed = null;
  }

  /** The first spec that notices the mutant, with what failed; null if none does. */
  private async killerOf(
    mutant: string,
    covering: Record<string, string[]>,
    specs: ReadonlyMap<string, Test>,
    watcher: TestWatcher,
  ): Promise<Failure | null> {
    try {
      for (const [spec, names] of Object.entries(covering)) {
        const test = specs.get(spec);
        if (!test) continue;
        active.only = new Set(names);
        await report({ kind: 'begun', mutant, spec });
        active.mutant = mutant;
        let failure = await this.failureOf(test, watcher);
        // A spec that could not be run may be the machine's fault, so it counts only if it happens again.
        if (failure?.notRun) failure = await this.failureOf(test, watcher);
        active.mutant = '';
        // If the test is late without the mutant too, the machine was busy.
        if (failure === null || (failure.late && (await this.failureOf(test, watcher)) !== null)) continue;
        return { ...failure, by: `${spec}: ${failure.by}` };
      }
      return null;
    } finally {
      active.mutant = '';
      active.only = null;
    }
  }

  private async failureOf(test: Test, watcher: TestWatcher): Promise<Failure | null> {
    const runner = new TestRunner(this.config, this.context);
    let failure: Failure | null = null;
    runner.on('test-file-failure', ([, { message }]) => void (failure = notRun(message)));
    runner.on('test-file-success', ([, result]) => void (failure = firstFailure(result)));
    await runner.runTests([test], watcher, { serial: true });
    return failure;
  }
}

interface Failure {
  /** The test, or what kept the spec from being run. */
  by: string;
  /** It did not end in its time. */
  late: boolean;
  notRun: boolean;
}

const notRun = (message: string | undefined): Failure => ({ by: message || 'the spec could not be run', late: false, notRun: true });

function firstFailure({ testResults, testExecError, numFailingTests }: TestResult): Failure | null {
  if (testExecError) return notRun(testExecError.message);
  if (numFailingTests === 0) return null;
  const failed = testResults.find(({ status }) => status === 'failed');
  return {
    by: failed?.fullName ?? 'a test',
    late: failed?.failureMessages.some((message) => /Exceeded timeout of/.test(message)) ?? false,
    notRun: false,
  };
}

/** Resolves once it is under way: jest ends the process without looking whether something waits to be sent. */
const report = (message: Report): Promise<void> => new Promise((sent) => process.send?.(message, () => sent()));
