/** What a process that runs tests is told to do. Mutants are named `file#index`. */
export type Plan =
  | { kind: 'record'; specs: string[] }
  /** Each with the specs that pass it, in order, and their tests that do. */
  | { kind: 'mutate'; mutants: { mutant: string; specs: Record<string, string[]> }[] };

/** What it says of that. */
export type Report =
  | { kind: 'recorded'; spec: string; milliseconds: number; failure: string | null; sound: string[]; passed: Record<string, string[]> }
  | { kind: 'begun'; mutant: string; spec: string }
  /** `late`: the test did not end in its time, though it does without the mutant. */
  | { kind: 'ended'; mutant: string; killedBy: string | null; late: boolean };
