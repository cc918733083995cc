import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { exampleId, Identifier, Integer, ListOf, Text } from './schema';

/** A follow-on topic that a job with spidering looked into with steps of its own. */
@ApiSchema({ name: 'ExploredTopic' })
export class ExploredTopicView {
  /** Its number within the job, from 1. */
  @Integer(1)
  topic!: number;

  /** Number of the topic whose reports it was found in; null: those of the job's own question. */
  @Integer(1, { nullable: true })
  parent!: number | null;

  /** Round of the exploration, from 1. */
  @Integer(1)
  round!: number;

  @Text('reply phase')
  text!: string;

  @Text('“reply phase” is mentioned by provider-a, provider-b in 2 sentences, and no report goes into it.')
  rationale!: string;

  @ApiProperty({ type: [String], example: [exampleId('stp')] })
  stepIds!: string[];
}

/** A topic worth a job of its own: send its text to the pursue route. */
@ApiSchema({ name: 'SuggestedTopic' })
export class SuggestedTopicView {
  @Text('How do plugins change the scope of an error handler?')
  text!: string;

  /** The gap or the dispute that it would close. */
  @Text('Only provider-a speaks of plugins.')
  rationale!: string;
}

/** The topics of a job: those that it followed, and those that its report suggests. */
@ApiSchema({ name: 'JobTopics' })
export class JobTopicsView {
  @Identifier('job')
  jobId!: string;

  /** In the order of their numbers; empty without spidering. */
  @ListOf(ExploredTopicView)
  explored!: ExploredTopicView[];

  /** Why no more were followed: `no_topics`, `budget`, `deadline`, `rounds` or `failed`; null while it goes on, and without spidering. */
  @Text('no_topics', { nullable: true })
  stopReason!: string | null;

  /** Empty until the job completed. */
  @ListOf(SuggestedTopicView)
  suggested!: SuggestedTopicView[];
}
