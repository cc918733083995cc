/** State that runner and environment share: both are loaded once per process, outside of the tests' own modules. */
export const active = {
  /** `file#index` of the mutant that is on. */
  mutant: '',
  /** Tests of the spec that run; null for all. */
  only: null as ReadonlySet<string> | null,
  /** The test that runs, or WHOLE_SPEC outside of one. */
  test: '',
  /** A test has failed, so that the others need not run. */
  failed: false,
  /** Which tests reached each mutant; null while nothing is recorded. */
  passed: null as Map<string, Set<string>> | null,
  /** Tests that have passed while it was recorded. */
  sound: [] as string[],
};

/** Stands for whatever runs outside of a test: modules that are loaded, hooks. */
export const WHOLE_SPEC = '*';

/** What the code under test asks at each mutant. */
export const mutation = (file: string) => {
  const [activeFile, activeIndex] = active.mutant.split('#');
  const on = activeFile === file ? Number(activeIndex) : -1;
  /** The last test that reached each mutant, so that code that runs a thousand times in a test is recorded once. */
  const last: string[] = [];
  return (index: number): boolean => {
    if (active.passed !== null && last[index] !== active.test) {
      last[index] = active.test;
      const mutant = `${file}#${index}`;
      const tests = active.passed.get(mutant) ?? new Set();
      active.passed.set(mutant, tests.add(active.test));
    }
    return index === on;
  };
};
