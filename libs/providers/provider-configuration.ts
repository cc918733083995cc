import type { ErrorClass } from '@lib/domain/vocabulary';

/** How the corpus adapter finds passages; see the functions of these names in `corpus/strategies.ts`. */
export type CorpusStrategy = 'ranked' | 'structural' | 'expansion';

export interface CorpusOptions {
  strategy: CorpusStrategy;
  /** Passages that a fast answer is made of; a methodical one takes twice as many. */
  breadth: number;
}

export interface SimulatedOptions {
  latencyMs: number;
  /** Approximate length of a report's Markdown. */
  reportBytes: number;
  citations: number;
  /** What a run reports as its charge. */
  costCents: number;
  /** Above 0: a run charges so much more than was reserved, whatever `costCents` says. */
  overrunCents: number;
  /** Part of the runs that fail, from 0 to 1; which ones follows from the seed, the step and the attempt. */
  failureRate: number;
  failureClass: ErrorClass;
  seed: number;
  /** Runs have an id and go on without the process that started them, as with a background API. */
  background: boolean;
  /** File that gets a line for each submit and each cancel, on disk before the call goes on. */
  ledgerFile: string | null;
}

/** The adapter that serves a provider, with that adapter's options. */
export type ProviderConfiguration = { adapter: 'corpus'; options: CorpusOptions } | { adapter: 'simulated'; options: SimulatedOptions };
