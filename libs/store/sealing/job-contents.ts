import type { JobCompleted, JobRequested, StepCompleted, StepExternalIdRecorded, StepFailed, TopicsPlanned } from '@lib/domain/job/events';
import type { RecordedReport } from '@lib/domain/job/recorded-report';
import type { PaidRun } from '@lib/domain/job/reservations';
import type { JobState } from '@lib/domain/job/state';
import type { StepState } from '@lib/domain/job/step';
import { FIRST_VERSION } from './thread-contents';

type ContentOf<Event extends { content?: object }> = NonNullable<Event['content']>;

export type StepReport = ContentOf<StepCompleted>;
export type TopicText = ContentOf<TopicsPlanned>['topics'][number];

/**
 * User texts and provider answers of one job. Each piece is null if it does not exist, or was erased with its thread. Pieces requested together are
 * read together.
 */
export class JobContents {
  /** @param read the content of the event of that version, whatever its type */
  constructor(private readonly read: (version: number) => Promise<object | null>) {}

  async question(): Promise<string | null> {
    return (await this.contentOf<JobRequested>(FIRST_VERSION))?.query ?? null;
  }

  async report({ status, contentVersion }: Pick<StepState, 'status' | 'contentVersion'>): Promise<StepReport | null> {
    return status === 'completed' ? this.contentOf<StepCompleted>(contentVersion) : null;
  }

  /** The provider's message about the failure that ended the step. */
  async errorMessage({ status, contentVersion }: Pick<StepState, 'status' | 'contentVersion'>): Promise<string | null> {
    return status === 'failed' ? ((await this.contentOf<StepFailed>(contentVersion))?.errorMessage ?? null) : null;
  }

  /** The topic that the step looks into. */
  async topic({ topic }: Pick<StepState, 'topic'>): Promise<TopicText | null> {
    return topic && ((await this.topics(topic.version)).find((other) => other.topic === topic.topic) ?? null);
  }

  /** The topics that the event of that version planned; empty if they were erased. */
  async topics(version: number): Promise<TopicText[]> {
    return (await this.contentOf<TopicsPlanned>(version))?.topics ?? [];
  }

  /** The provider's id of the run. */
  async externalId({ external }: Pick<PaidRun, 'external'>): Promise<string | null> {
    return external && ((await this.contentOf<StepExternalIdRecorded>(external.version))?.externalId ?? null);
  }

  async synthesis({ synthesisVersion }: Pick<JobState, 'synthesisVersion'>): Promise<RecordedReport | null> {
    const content = await this.contentOf<JobCompleted>(synthesisVersion);
    // Earlier builds recorded no follow-on topics.
    return content && { ...content, followOnTopics: (content as Partial<RecordedReport>).followOnTopics ?? [] };
  }

  /** The only place that maps an event's type to its content; callers know the type from the job's state. */
  private async contentOf<Event extends { content?: object }>(version: number | null): Promise<ContentOf<Event> | null> {
    return version === null ? null : await this.read(version);
  }
}
