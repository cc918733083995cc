import { IsIn } from 'class-validator';

import { wholeNumber } from '@lib/validation/whole-number';

const STRATEGIES = ['lexical', 'dense', 'structural', 'feedback', 'fused'] as const;
/** How passages are found; `strategies.ts` has a function for each name. */
export type CorpusStrategy = (typeof STRATEGIES)[number];

export class CorpusOptions {
  @IsIn(STRATEGIES, { message: `must be one of ${STRATEGIES.join(', ')}` })
  strategy!: CorpusStrategy;

  /** Passages in a fast answer; a methodical one takes twice as many. */
  @wholeNumber(1, 50)
  breadth!: number;
}
