import { IsIn } from 'class-validator';

import { wholeNumber } from '@lib/validation/whole-number';

import { CORPUS_STRATEGIES, type CorpusStrategy } from './finding/corpus-strategy';

export class CorpusOptions {
  @IsIn(CORPUS_STRATEGIES, { message: `must be one of ${CORPUS_STRATEGIES.join(', ')}` })
  strategy!: CorpusStrategy;

  /** Passages in a fast answer; a methodical one takes twice as many. */
  @wholeNumber(1, 50)
  breadth!: number;
}
