import type { Pool } from 'pg';
import { claimIdOf } from '@lib/domain/claim-id';
import type { RecordedReport } from '@lib/domain/job/recorded-report';
import { isFinal, type JobState } from '@lib/domain/job/state';
import { isSettled, type StepState } from '@lib/domain/job/step';
import { centsFromMicros } from '@lib/domain/money';
import { jobStateIn } from '../history/aggregates';
import type { Streams } from '../history/streams';
import type { Contents } from '../sealing/contents';
import type { JobContents } from '../sealing/job-contents';
import { openedRows } from '../sealing/opened-rows';
import type { ClaimListItemView } from './claim.view';
import { failureOf } from './explain-failure';
import { citedSteps, claimListItem, type CitationsOfSteps } from './job-claims';
import { JOB_CURSORS, type JobCursor } from './job-cursor';
import type { JobDetailView, JobListItemView, JobListView, JobStepView, SuggestedFollowOnView } from './job-detail.view';
import { secondsBetween } from './job-document';
import { readJobPage, type JobFilter, type ListedJobRow } from './job-pages';
import type { FindJob, FoundJob } from './job-places';
import { jobSummary } from './stored-rows';

/** Which parts of a job are wanted; the others are not read. */
export interface JobParts {
  steps: boolean;
  claims: boolean;
  /** With the steps' reports; wants the steps too. */
  reports: boolean;
}

/** A job as it stands. */
export interface JobDetailRead extends Pick<FoundJob, 'version' | 'status' | 'createdAt'> {
  /** Null at the version that the asker has. */
  job: JobDetailView | null;
}

/** Raised when this file shows a job differently, so that clients do not keep the old answer. */
export const JOB_DETAIL_SHAPE = 1;

/** Jobs by id alone, as their history shows them at any moment. */
export class FlatJobs {
  constructor(
    private readonly pool: Pool,
    private readonly streams: Streams,
    private readonly contents: Contents,
    private readonly find: FindJob,
  ) {}

  /** Newest first. @param after null for the first page */
  async list(tenantId: string, filter: JobFilter, after: JobCursor | null, limit: number): Promise<JobListView> {
    const { rows, next } = await readJobPage(this.pool, tenantId, filter, after && { place: after }, limit);
    const question = (row: ListedJobRow) => this.contents.ofJob(row.id, row.thread_id).question();
    const { items: jobs, unreadable: jobsUnreadable } = await openedRows(rows, question, listItem);
    return { jobs, jobsUnreadable, nextCursor: next && JOB_CURSORS.textOf(next), limit };
  }

  /**
   * @param knownVersion of the job that the asker has, which it does not need again
   * @returns null if there is no such job, or it is another tenant's
   */
  async get(tenantId: string, jobId: string, parts: JobParts, knownVersion?: number): Promise<JobDetailRead | null> {
    const found = await this.find(tenantId, jobId);
    if (found === null) return null;
    if (found.version === knownVersion) return { ...found, job: null };
    const state = jobStateIn(await this.streams.load(jobId));
    const job = await this.detail(jobId, found.threadId, state, parts);
    return job && { version: state.version, status: state.status, createdAt: found.createdAt, job };
  }

  private async detail(jobId: string, threadId: string, state: JobState, parts: JobParts): Promise<JobDetailView | null> {
    const contents = this.contents.ofJob(jobId, threadId);
    const [query, synthesis, steps] = await Promise.all([
      contents.question(),
      contents.synthesis(state),
      parts.steps || parts.reports ? Promise.all(state.steps.map((step) => jobStep(step, state, contents, parts.reports))) : null,
    ]);
    if (query === null) return null;
    const claims = parts.claims ? await claimsOf(jobId, synthesis, state, contents) : null;
    return {
      ...summary(jobId, query, state),
      synthesisMarkdown: synthesis?.markdown ?? null,
      ...followOns(jobId, synthesis),
      steps,
      claims,
    };
  }
}

const listItem = (row: ListedJobRow, query: string): JobListItemView => ({
  ...jobSummary(row, query),
  threadId: row.thread_id,
  parentJobId: row.parent_job_id,
  budgetCapCents: row.budget_cap_cents,
});

const summary = (jobId: string, query: string, state: JobState) => ({
  id: jobId,
  threadId: state.threadId,
  parentJobId: state.parentJobId,
  status: state.status,
  budgetTier: state.budgetTier,
  budgetCapCents: state.budgetCapCents,
  researchMode: state.researchMode,
  spideringEnabled: state.spideringEnabled,
  query,
  totalCustomerCostCents: centsFromMicros(state.totals?.chargedMicros ?? 0),
  durationSeconds: isFinal(state) ? secondsBetween(state.createdAt, state.completedAt) : null,
  createdAt: state.createdAt,
  startedAt: state.startedAt,
  completedAt: state.completedAt,
});

export async function jobStep(step: StepState, state: JobState, contents: JobContents, withReport: boolean): Promise<JobStepView> {
  const [report, errorMessage] = await Promise.all([withReport ? contents.report(step) : null, contents.errorMessage(step)]);
  return {
    id: step.stepId,
    provider: step.entry.provider,
    status: step.status,
    topic: step.topic?.topic ?? null,
    attempts: step.attempts.length,
    startedAt: step.startedAt,
    completedAt: step.completedAt,
    durationSeconds: isSettled(step) ? secondsBetween(step.startedAt ?? '', step.startedAt && step.completedAt) : null,
    errorMessage: failureOf(step, state, errorMessage),
    reportMarkdown: report?.reportMarkdown ?? null,
    citations: report?.citations ?? null,
  };
}

function followOns(jobId: string, synthesis: RecordedReport | null): { suggestedFollowOns: SuggestedFollowOnView[] } {
  const places = new Map(synthesis?.claims.map(({ id }, index) => [id, index + 1]));
  const globalIds = (ids: readonly string[]) => ids.flatMap((id) => places.get(id) ?? []).map((place) => claimIdOf(jobId, place));
  const suggestedFollowOns = (synthesis?.followOnTopics ?? []).map(({ topic, rationale, kind, claimIds }) => ({
    topic,
    rationale,
    kind,
    claimIds: globalIds(claimIds),
  }));
  return { suggestedFollowOns };
}

async function claimsOf(
  jobId: string,
  synthesis: RecordedReport | null,
  { steps }: JobState,
  contents: JobContents,
): Promise<ClaimListItemView[]> {
  const claims = synthesis?.claims ?? [];
  const citations = await citationsOf(steps, new Set(claims.flatMap(citedSteps)), contents);
  return claims.map((claim, index) => claimListItem(jobId, index + 1, claim, citations));
}

/** Where a step's report is, if it has one. */
export type ReportPlace = Pick<StepState, 'stepId' | 'status' | 'contentVersion'>;

/** Only of the wanted steps, since a report is opened for each. */
export async function citationsOf(
  steps: readonly ReportPlace[],
  wanted: ReadonlySet<string>,
  contents: JobContents,
): Promise<CitationsOfSteps> {
  const read = steps.filter(({ stepId }) => wanted.has(stepId));
  const reports = await Promise.all(read.map((step) => contents.report(step)));
  return new Map(read.map(({ stepId }, index) => [stepId, reports[index]?.citations ?? []]));
}
