import { batch } from '@lib/batching/batch';
import { DomainError } from '@lib/domain/errors';
import type { JobCommand } from '@lib/domain/job/commands';
import { findStep, isFinal, type JobState } from '@lib/domain/job/state';
import { isSettled, isUnfollowed } from '@lib/domain/job/step';
import { readTraceparent } from '@lib/domain/trace-context';
import { grantOf } from '@lib/domain/job/grant';
import { requireHolder, type Speaker } from '@lib/domain/job/holder';
import { claimIdOfSecret } from '@lib/messaging/claim-secret';
import type {
  AbandonedRunRequest,
  ClaimReply,
  ClaimRequest,
  ExternalIdRequest,
  HeartbeatReply,
  HeartbeatRequest,
  ReportRequest,
  RunCancelledRequest,
} from '@lib/messaging/saga-messages';
import { CorruptHistory } from '@lib/store/history/corrupt-history';
import { UnknownEvent } from '@lib/store/history/upcasters';
import { unlessUnreadable } from '@lib/store/history/unreadable-history';
import { refuse } from '@lib/store/postgres/answer-within';
import { RowLocked } from '@lib/store/postgres/store-unavailable';
import { Unsealable } from '@lib/store/sealing/seal';
import { mayCiteDocuments } from '@lib/providers/registry';
import type { Store } from '@lib/store/store';
import { killPoint } from '../runtime/kill-point';
import type { RunTask } from '../reports/report-pool';
import { stepQuestion, claimReply, type StepQuestion } from './claim-reply';
import type { MayStart } from './admission';
import { LeaseLengths } from './lease-lengths';
import type { SagaPort } from './saga-port';
import { checkedResult, citesDocuments } from './checked-result';

const MAX_HEARTBEATS = 1000;
/** How often a provider is asked to stop a run. With the worker's pauses this takes about two hours; after a day the run is given up in any case. */
const MAX_CANCELLATIONS = 20;

/**
 * How long a job's step gives up its place in the provider's window, when this build could not answer its claim because a newer build wrote to the
 * job.
 */
const LEFT_TO_OTHERS_MS = 10_000;

/** Stands for the question of a step that will not be granted. */
const NO_QUESTION: StepQuestion = { question: null, topic: null, context: null };

interface Beat {
  request: HeartbeatRequest;
  until: number | undefined;
}

/** Decides for the workers: an attempt is committed before it is granted, and a result before it is acknowledged. */
export class Saga implements SagaPort {
  private readonly leases: LeaseLengths;
  private readonly renew: (beat: Beat) => Promise<boolean | 'locked'>;

  constructor(
    private readonly store: Store,
    private readonly leaseMs: number,
    private readonly runTask: RunTask,
    private readonly mayStart: MayStart = async () => true,
    private readonly warn: (fields: object, message: string) => void = () => undefined,
  ) {
    this.leases = new LeaseLengths(leaseMs, warn);
    const renewAll = (beats: Beat[]) => {
      const leases = beats.map(({ request }) => ({ ...request, leaseMs: this.leases.of(request) }));
      return store.agenda.renewLeases(leases);
    };
    this.renew = batch(renewAll, { maxItems: MAX_HEARTBEATS, answerBy: ({ until = Infinity }) => until, refuse });
  }

  async claim(request: ClaimRequest, until?: number): Promise<ClaimReply> {
    const { jobId, stepId } = request;
    if (!(await this.mayStart({ jobId, stepId }))) return { granted: false, reason: 'provider_held' };
    try {
      const known = await this.store.jobs.recallIf(jobId, (job) => findStep(job, stepId) !== undefined).catch(refuseCorrupt);
      return await this.claimOn(known, request, until);
    } catch (error) {
      // A saga of a newer build may still grant it. Until then it takes no place in its provider's window.
      if (error instanceof UnknownEvent) await this.store.agenda.postponeSteps(jobId, LEFT_TO_OTHERS_MS).catch(() => undefined);
      throw error;
    }
  }

  /** @param known the job as this process remembers it; another process may have started and lost attempts since */
  private async claimOn(known: JobState, request: ClaimRequest, until?: number): Promise<ClaimReply> {
    const { jobId, stepId, claimId, provider, process } = request;
    const seenAttempts = findStep(known, stepId)?.attempts.length ?? 0;
    // An attempt was declared lost, but its worker is heard again. A second run would be paid for although the first one may still be answered.
    if (seenAttempts > 0 && (await this.store.agenda.isPutOff({ jobId, stepId }))) return { granted: false, reason: 'not_due' };
    const asked = await this.openQuestion(jobId, known, stepId);
    killPoint('claim.before-commit');
    const command = { type: 'StartStep', stepId, claimId, seenAttempts, process, speaker: { provider } } as const;
    const state = await this.execute(request, claimId, command, until);
    killPoint('claim.after-commit');
    const grant = grantOf(state, stepId, claimId);
    if (grant.granted) {
      const { attempt } = grant.attempt;
      // The commit gave it this saga's length, which may be over before the worker's first heartbeat. If its row is locked, the worker claims
      // again, and is granted the same attempt.
      if (this.leases.of(request) > this.leaseMs && (await this.renew({ request: { ...request, attempt }, until })) === 'locked')
        throw new RowLocked();
      return claimReply({ store: this.store, runTask: this.runTask }, asked, jobId, state, grant);
    }
    const step = findStep(state, stepId);
    return step?.status === 'queued' && step.attempts.length > seenAttempts ? this.claimOn(state, request, until) : grant;
  }

  /**
   * Opens the question, and the id of a run to be resumed, before anything is committed: otherwise an attempt with an unreadable one would hold a lease
   * and a reservation until it is lost.
   */
  private async openQuestion(jobId: string, state: JobState, stepId: string): Promise<StepQuestion> {
    const step = findStep(state, stepId);
    if (!step || isFinal(state)) return NO_QUESTION;
    try {
      return await stepQuestion(this.store, jobId, state, step);
    } catch (error) {
      if (!(error instanceof Unsealable)) throw error;
      this.store.postponeSteps(jobId, error);
      throw new DomainError('job_not_found', error.message);
    }
  }

  async recordExternalId(request: ExternalIdRequest, until?: number): Promise<{ recorded: true }> {
    const { stepId, attempt, externalId } = request;
    const command = { type: 'RecordExternalId', stepId, attempt, externalId, speaker: speakerOf(request) } as const;
    await this.execute(request, `${stepId}#${attempt}`, command, until);
    return { recorded: true };
  }

  /**
   * Renews the lease; a heartbeat is not recorded as an event.
   * @throws RowLocked if the lease's row is locked. Whether the lease still holds is then unknown, so the worker is not told to stop
   */
  async heartbeat(request: HeartbeatRequest, until = Infinity): Promise<HeartbeatReply> {
    await this.requireHolder(request);
    const isHeld = await this.renew({ request, until });
    if (isHeld === 'locked') throw new RowLocked();
    if (isHeld) return { goOn: true };
    const state = await this.store.jobs.load(request.jobId).catch(refuseCorrupt);
    const step = findStep(state, request.stepId);
    if (!step || isFinal(state) || isSettled(step)) return { goOn: false, run: 'cancel' };
    if (!isUnfollowed(step, request.attempt)) return { goOn: false, run: 'leave' };
    await this.store.agenda.putOff(request, this.leases.of(request));
    return { goOn: false, run: 'leave', unfollowed: true };
  }

  async report(request: ReportRequest, until?: number): Promise<{ committed: true }> {
    const { jobId, stepId, attempt } = request;
    // Most reports cite none, and then the job need not be read.
    const documents = citesDocuments(request.result) && (await this.mayCiteDocuments(request));
    const { result, doubts } = checkedResult(request.result, documents);
    for (const { reason, detail } of doubts)
      this.warn({ reason, jobId, stepId, attempt, detail }, 'a worker said what cannot be recorded as it is');
    const command = { type: 'RecordStep', stepId, attempt, result, jitter: Math.random(), speaker: speakerOf(request) } as const;
    await this.execute(request, `${stepId}#${attempt}`, command, until);
    killPoint('report.after-commit');
    return { committed: true };
  }

  private async mayCiteDocuments({ jobId, stepId }: ReportRequest): Promise<boolean> {
    const job = await this.store.jobs.recallIf(jobId, (known) => findStep(known, stepId) !== undefined).catch(refuseCorrupt);
    return mayCiteDocuments(findStep(job, stepId)?.entry.adapter ?? '');
  }

  /** The provider's id of a run to cancel. The agenda keeps it, since the thread's content may be erased by now. */
  async abandonedRun({ jobId, stepId, run, provider }: AbandonedRunRequest): Promise<{ externalId: string | null }> {
    const found = await this.store.cancellations.begin({ jobId, stepId, run, provider });
    if (!found || found.tries <= MAX_CANCELLATIONS) return { externalId: found?.externalId ?? null };
    await this.runCancelled({ jobId, stepId, run, outcome: 'given_up' });
    return { externalId: null };
  }

  async runCancelled(request: RunCancelledRequest): Promise<{ committed: true }> {
    const { stepId, run, outcome, provider } = request;
    await this.execute(request, `${stepId}#${run}`, { type: 'RecordRunCancelled', stepId, run, outcome, speaker: { provider } });
    return { committed: true };
  }

  /** The claimant of an attempt never changes, so even an old remembered state is enough. If the attempt is not in it, there is no lease to renew. */
  private async requireHolder(request: HeartbeatRequest): Promise<void> {
    const { jobId, stepId, attempt: number } = request;
    const attemptIn = (known: JobState) => {
      const step = findStep(known, stepId);
      const attempt = step?.attempts[number - 1];
      return step && attempt ? { step, attempt } : null;
    };
    // If only a newer build can decide about the job, or the job was postponed, its lease is renewed anyway.
    const state = await this.store.jobs.recallIf(jobId, (known) => attemptIn(known) !== null).catch(unlessUnreadable);
    const held = state && attemptIn(state);
    if (held) requireHolder(held.step, held.attempt, speakerOf(request));
  }

  private execute(request: OfJob, correlationId: string, command: JobCommand, until = Infinity): Promise<JobState> {
    const { jobId, traceparent } = request;
    const meta = { actor: 'role:saga', correlationId, trace: readTraceparent(traceparent) };
    return this.store.jobs.execute(jobId, command, meta, { isWanted: () => performance.now() < until }).catch(refuseCorrupt);
  }
}

type OfJob = Pick<ClaimRequest, 'jobId' | 'traceparent'>;

const speakerOf = ({ provider, claimSecret }: Pick<HeartbeatRequest, 'provider' | 'claimSecret'>): Speaker => ({
  provider,
  claimId: claimSecret === undefined ? undefined : claimIdOfSecret(claimSecret),
});

/** Tells the worker that a job with an unreadable history does not exist, so that it stops asking: only a backup can restore the job. */
function refuseCorrupt(error: unknown): never {
  throw error instanceof CorruptHistory ? new DomainError('job_not_found', error.message) : error;
}
