import type { JobCommand } from '@lib/domain/job/commands';
import type { JobState } from '@lib/domain/job/state';
import type { Unit } from './commit/unit';
import type { WritePath } from './commit/write-path';
import { jobStateIn } from './history/aggregates';
import type { Streams } from './history/streams';

/** Jobs as the history of each tells them. One that does not exist has version 0. */
export class Jobs {
  constructor(
    private readonly writePath: WritePath,
    private readonly streams: Streams,
  ) {}

  /**
   * Commits what the job decides about the command.
   * @returns the job afterwards
   * @throws DomainError if the command is refused, StoreUnavailable if the database cannot be reached (the command may be repeated)
   */
  async execute(
    jobId: string,
    command: JobCommand,
    meta: Unit['meta'],
    rest: Pick<Unit, 'endedLease' | 'isWanted' | 'request'> = {},
  ): Promise<JobState> {
    const { streams } = await this.writePath.execute({ meta, ...rest, commands: [{ kind: 'job', streamId: jobId, command }] });
    // Nothing is done, and nothing of the job is read, for a lease that was renewed meanwhile.
    return jobStateIn(streams.get(jobId) ?? (await this.streams.load(jobId)));
  }

  /** The job as it is stored now, past what is remembered. */
  async load(jobId: string): Promise<JobState> {
    return jobStateIn(await this.streams.load(jobId));
  }

  /** The job as this process has seen it at some time, if that suffices, or as it is stored. */
  async recallIf(jobId: string, suffices: (state: JobState) => boolean): Promise<JobState> {
    return jobStateIn(await this.streams.recallIf(jobId, (stream) => suffices(jobStateIn(stream))));
  }

  /** The job as this process last saw it, or as it is stored if it does not remember it: another process may be ahead. */
  async recall(jobId: string): Promise<JobState> {
    return jobStateIn(await this.streams.recall(jobId));
  }
}
