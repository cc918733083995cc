import { createHash } from 'node:crypto';
import { batch } from '@lib/batching/batch';
import { grantOf, type Grant } from '@lib/domain/job';
import type { JobCommand } from '@lib/domain/job-commands';
import { isFinal, isSettled, type JobState } from '@lib/domain/job-state';
import type {
  ClaimGranted,
  ClaimReply,
  ClaimRequest,
  ExternalIdRequest,
  HeartbeatReply,
  HeartbeatRequest,
  ReportRequest,
} from '@lib/messaging/saga-messages';
import type { Store } from '@lib/store/store';
import { killPoint } from '../kill-point';
import { pursuitContext } from './pursuit-context';
import type { SagaPort } from './saga-port';

const MAX_HEARTBEATS = 500;

/** Decides for the workers: an attempt is committed before it is granted, and a result before it is acknowledged. */
export class Saga implements SagaPort {
  private readonly renew: (request: HeartbeatRequest) => Promise<boolean>;

  constructor(
    private readonly store: Store,
    leaseMs: number,
  ) {
    this.renew = batch((requests: HeartbeatRequest[]) => store.agenda.renewLeases(requests, leaseMs), { maxItems: MAX_HEARTBEATS });
  }

  async claim({ jobId, stepId, claimId }: ClaimRequest): Promise<ClaimReply> {
    killPoint('claim.before-commit');
    const state = await this.execute(jobId, claimId, { type: 'StartStep', stepId, claimId });
    killPoint('claim.after-commit');
    const grant = grantOf(state, stepId, claimId);
    return grant.granted ? this.grant(jobId, state, grant) : grant;
  }

  async external({ jobId, stepId, attempt, externalId }: ExternalIdRequest): Promise<{ recorded: true }> {
    const externalIdSha256 = createHash('sha256').update(externalId).digest('hex');
    await this.execute(jobId, `${stepId}#${attempt}`, { type: 'RecordExternalId', stepId, attempt, externalId, externalIdSha256 });
    return { recorded: true };
  }

  /** A heartbeat is no event: it only moves the lease. */
  async heartbeat(request: HeartbeatRequest): Promise<HeartbeatReply> {
    if (await this.renew(request)) return { goOn: true };
    const state = (await this.store.execute.load([request.jobId])).get(request.jobId)?.state as JobState;
    const step = state.steps.find(({ stepId }) => stepId === request.stepId);
    return { goOn: false, run: !step || isFinal(state) || isSettled(step) ? 'cancel' : 'leave' };
  }

  async report({ jobId, stepId, attempt, result }: ReportRequest): Promise<{ committed: true }> {
    await this.execute(jobId, `${stepId}#${attempt}`, { type: 'RecordStep', stepId, attempt, result });
    killPoint('report.after-commit');
    return { committed: true };
  }

  private async execute(jobId: string, correlationId: string, command: JobCommand): Promise<JobState> {
    const meta = { actor: 'role:saga', correlationId, traceparent: null };
    const { streams } = await this.store.execute.execute({ meta, commands: [{ kind: 'job', streamId: jobId, command }] });
    return streams.get(jobId)?.state as JobState;
  }

  private async grant(jobId: string, state: JobState, { step, attempt, run }: Extract<Grant, { granted: true }>): Promise<ClaimReply> {
    const { threadId, parentJobId } = state;
    const versions = [1, ...(run.external ? [run.external.version] : [])];
    const [contents, context] = await Promise.all([
      this.store.contents.read(versions.map((version) => ({ streamId: jobId, version, threadId }))),
      parentJobId === null ? null : pursuitContext(this.store.views, threadId, parentJobId),
    ]);
    const [request, external] = contents as [{ query: string } | null, { externalId: string } | null | undefined];
    // Its content is gone: the thread was deleted since the grant, whose attempt ended with the job.
    if (!request) return { granted: false, reason: 'job_final' };
    const granted: ClaimGranted = {
      granted: true,
      attempt: attempt.attempt,
      provider: step.entry.provider,
      model: step.entry.model,
      query: request.query,
      brief: null,
      context,
      mode: state.researchMode,
      reservedMicros: run.reservedMicros,
      deadlineMs: this.timeLeft(state),
      externalId: external?.externalId ?? null,
    };
    return granted;
  }

  /** Of the job's time, in milliseconds. The clock follows the database's and may have moved back since the start. */
  private timeLeft({ startedAt, createdAt, deadlines: { jobMs } }: JobState): number {
    const sinceStart = this.store.batches.now().getTime() - Date.parse(startedAt ?? createdAt);
    return Math.min(Math.max(0, jobMs - sinceStart), jobMs);
  }
}
