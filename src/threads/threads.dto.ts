import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { BUDGET_TIERS, MAX_MESSAGE_CODE_POINTS, PROVIDERS, RESEARCH_MODES } from '@lib/domain/vocabulary';
import type { BudgetTier, ProviderId, ResearchMode } from '@lib/domain/vocabulary';
import { Flag, OneOf, Optional, ProviderList, ResearchText } from '../api/body-rules';

const TEXT = { type: String, minLength: 1, maxLength: MAX_MESSAGE_CODE_POINTS } as const;

/** How a job is to be researched. */
class ResearchOptions {
  @Optional()
  @OneOf(RESEARCH_MODES)
  @ApiPropertyOptional({ enum: [...RESEARCH_MODES], enumName: 'ResearchMode', default: 'fast' })
  mode: ResearchMode = 'fast';

  /** Overrides the default providers of the budget tier. Instead of an identifier an alias will do, as `GET /v1/providers` lists them. */
  @Optional()
  @ProviderList()
  @ApiPropertyOptional({
    enum: [...PROVIDERS],
    enumName: 'ProviderId',
    isArray: true,
    minItems: 1,
    maxItems: PROVIDERS.length,
    uniqueItems: true,
  })
  providers?: ProviderId[];

  /** Enables topic spidering. */
  @Optional()
  @Flag()
  @ApiPropertyOptional({ type: Boolean, default: false })
  spidering: boolean = false;
}

/** A research query that starts a thread. */
export class CreateThreadBody extends ResearchOptions {
  /** The research query: not blank, at most 32,000 code points. */
  @ResearchText()
  @ApiProperty({ ...TEXT, example: 'How does Fastify handle an error thrown in a hook or a handler?' })
  message!: string;

  @Optional()
  @OneOf(BUDGET_TIERS)
  @ApiPropertyOptional({ enum: [...BUDGET_TIERS], enumName: 'BudgetTier', default: 'M' })
  budget: BudgetTier = 'M';
}

/** A message for a thread. */
export class AddMessageBody {
  /** The message: not blank, at most 32,000 code points. */
  @ResearchText()
  @ApiProperty({ ...TEXT, example: 'Only errors of asynchronous hooks matter to me.' })
  message!: string;
}

/** A topic that follows on from a job. */
export class PursueJobBody extends ResearchOptions {
  /** The follow-on topic: not blank, at most 32,000 code points. */
  @ResearchText()
  @ApiProperty({ ...TEXT, example: 'How do plugins change the scope of an error handler?' })
  topic!: string;

  @Optional()
  @OneOf(BUDGET_TIERS)
  @ApiPropertyOptional({ enum: [...BUDGET_TIERS], enumName: 'BudgetTier', default: 'S' })
  budget: BudgetTier = 'S';
}
