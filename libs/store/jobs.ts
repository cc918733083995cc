import type { JobCommand } from '@lib/domain/job/commands';
import type { JobState } from '@lib/domain/job/state';
import type { Unit } from './commit/unit';
import type { WritePath } from './commit/write-path';
import { jobStateIn } from './history/aggregates';
import type { Streams } from './history/streams';

/** Jobs, each folded from its history. A job that does not exist has version 0. */
export class Jobs {
  constructor(
    private readonly writePath: WritePath,
    private readonly streams: Streams,
  ) {}

  /**
   * Commits the job's decision about a command.
   * @returns the job afterwards
   * @throws DomainError if the command is refused, StoreUnavailable if the database cannot be reached (the command may be repeated)
   */
  async execute(
    jobId: string,
    command: JobCommand,
    meta: Unit['meta'],
    rest: Pick<Unit, 'endedLease' | 'isWanted' | 'lockedMs' | 'request'> = {},
  ): Promise<JobState> {
    const { streams } = await this.writePath.execute({ meta, ...rest, commands: [{ kind: 'job', streamId: jobId, command }] });
    // If the lease that the command ends was renewed in between, nothing was done and there is no stream.
    return jobStateIn(streams.get(jobId) ?? (await this.streams.load(jobId)));
  }

  /** The job as stored now, bypassing the cache. */
  async load(jobId: string): Promise<JobState> {
    return jobStateIn(await this.streams.load(jobId));
  }

  /** The job as this process remembers it, if that suffices, even if it may be outdated; otherwise as it is stored. */
  async recallIf(jobId: string, suffices: (state: JobState) => boolean): Promise<JobState> {
    return jobStateIn(await this.streams.recallIf(jobId, (stream) => suffices(jobStateIn(stream))));
  }

  /** The job as this process remembers it, unless another process is known to have changed it; otherwise as it is stored. */
  async recall(jobId: string): Promise<JobState> {
    return jobStateIn(await this.streams.recall(jobId));
  }
}
