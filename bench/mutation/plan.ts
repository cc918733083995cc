/** The instructions for a process that runs tests. Mutants are named `file#index`. */
export type Plan =
  | { kind: 'record'; specs: string[] }
  /** Each with the specs that pass it, in order, and their tests that do. */
  | { kind: 'mutate'; mutants: { mutant: string; specs: Record<string, string[]> }[] };

/** What that process reports back. */
export type Report =
  | { kind: 'recorded'; spec: string; milliseconds: number; failure: string | null; sound: string[]; passed: Record<string, string[]> }
  | { kind: 'begun'; mutant: string; spec: string }
  /** `late`: the test did not end in its time, though it does without the mutant. */
  | { kind: 'ended'; mutant: string; killedBy: string | null; late: boolean };
