import type { Logger } from 'pino';
import type { JobState } from '@lib/domain/job/state';
import { dispensableSteps } from '@lib/domain/job/steps';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { WaitingPlace, WaitingStep } from '@lib/store/agenda/admission-table';
import { unlessUnreadable } from '@lib/store/history/unreadable-history';
import { isOutage } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';

const PAGE = 200;

/** Skips steps whose provider is down, so that their jobs continue without them. */
export class SkippedSteps {
  constructor(
    private readonly store: Store,
    private readonly logger: Logger,
    /** Whether the provider is down for this tenant, or for any tenant if none is named. */
    private readonly isDown: (provider: ProviderId, tenantId?: string) => boolean,
  ) {}

  /** Jobs whose only open steps wait for this provider continue with the reports that they have. */
  async goOnWithout(provider: ProviderId): Promise<void> {
    for (let after: WaitingPlace | undefined; this.isDown(provider);) {
      const waiting = await this.store.admission.waitingLongest(provider, PAGE, after);
      for (const { jobId } of waiting) {
        // A job whose history cannot be read must not hold up the others.
        const state = await this.store.jobs.recall(jobId).catch(unlessUnreadable);
        if (state) await this.goOn(jobId, state);
      }
      after = waiting.at(-1);
      if (waiting.length < PAGE) return;
    }
  }

  /** The same for one job whose step was dispatched and now waits again because its provider went down. */
  async goOnWithoutStep(jobId: string): Promise<void> {
    // Not `recall`: a remembered state may lack the report with which the job could continue.
    await this.goOn(jobId, await this.store.jobs.load(jobId));
  }

  /** Skips a job's open steps if it has results to continue with and all open steps wait for providers that are down. */
  async goOn(jobId: string, state: JobState): Promise<void> {
    const steps = dispensableSteps(state, (provider) => this.isDown(provider, state.tenantId));
    await Promise.all(steps.map(({ stepId }) => this.skip({ jobId, stepId })));
  }

  async skip({ jobId, stepId }: Pick<WaitingStep, 'jobId' | 'stepId'>): Promise<void> {
    const meta = { actor: 'role:saga', correlationId: `${stepId} waits` };
    try {
      await this.store.jobs.execute(jobId, { type: 'SkipStep', stepId, reason: 'circuit_open' }, meta);
    } catch (error) {
      // A locked row or a full queue affects only this step, which is tried again later.
      if (isOutage(error)) throw error;
      this.logger.error({ reason: 'step_not_skipped', jobId, stepId, err: error });
    }
  }
}
