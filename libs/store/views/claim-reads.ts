import type { Pool } from 'pg';
import { claimPlaceOf } from '@lib/domain/claim-id';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import type { Confidence, StepStatus } from '@lib/domain/vocabulary';
import { int4Array, textArray } from '../postgres/array-parameter';
import { inTurn } from '../postgres/in-turn';
import { rowsOf } from '../postgres/rows-of';
import type { Contents } from '../sealing/contents';
import { Unsealable } from '../sealing/seal';
import { saysAll } from './claim-words';
import type { ClaimDetailView, ClaimEventView, ClaimListItemView, ClaimListView } from './claim.view';
import { citationsOf, type ReportPlace } from './flat-jobs';
import { citedSteps, claimListItem, evidenceOf } from './job-claims';
import { readJobPage, type JobFilter, type ListedJobRow, type PageStart } from './job-pages';
import type { FindJob } from './job-places';
import { CLAIM_CURSORS, type ClaimCursor } from './list-cursors';

/** A search opens at most this many of the newest completed jobs, since no plain text is stored that could be searched. */
const MAX_JOBS = 100;
/** Jobs that are opened at a time, so that other requests get their turn in between. */
const TOGETHER = 10;

const COMPLETED = `select job.id, job.thread_id as "threadId", job.steps, job.completed_at as "completedAt", event.version as "synthesisVersion"
  from unnest($1::text[]) with ordinality as asked (id, place) join job on job.id = asked.id join thread on thread.id = job.thread_id
    join event on event.stream_id = job.id and event.type = 'JobCompleted' order by place`;

const EVENTS = `select event_id as id, version, type, meta ->> 'occurredAt' as "occurredAt", facts ->> 'stepId' as "stepId", encode(hash, 'hex') as hash
  from event where stream_id = $1 and version = any ($2::int[]) order by version`;

interface CompletedJob {
  id: string;
  threadId: string;
  steps: (Omit<ReportPlace, 'stepId' | 'status'> & { id: string; status: StepStatus })[];
  completedAt: Date;
  synthesisVersion: number;
}

export interface ClaimSearch extends Pick<JobFilter, 'jobId' | 'threadId'> {
  confidenceLevel?: Confidence | undefined;
  /** Words that the claim has, in any order. */
  query?: string | undefined;
}

/** Which of the claims that fit. */
export interface ClaimPage {
  limit: number;
  /** How many to skip. */
  offset: number;
  /** The last one that is known; null for the first page. */
  after: ClaimCursor | null;
}

interface Asked {
  tenantId: string;
  search: ClaimSearch;
  page: ClaimPage;
}

interface FoundClaim {
  job: CompletedJob;
  place: number;
  claim: RecordedClaim;
}

/** The claims of completed jobs, and their sources. */
export class ClaimReads {
  private readonly searchMany = inTurn((asked: Asked) => this.searchNow(asked));

  constructor(
    private readonly pool: Pool,
    private readonly contents: Contents,
    private readonly findJob: FindJob,
  ) {}

  /**
   * Searches. A search in many jobs is the dearest request of all, so only one runs at a time; a search in a named job does not wait.
   * @throws StoreUnavailable if too many wait for their turn, or for too long
   */
  search(tenantId: string, search: ClaimSearch, page: ClaimPage): Promise<ClaimListView> {
    const asked = { tenantId, search, page };
    return search.jobId === undefined ? this.searchMany(asked) : this.searchNow(asked);
  }

  /** @returns null if there is no such claim, or it is another tenant's */
  async get(tenantId: string, claimId: string): Promise<ClaimDetailView | null> {
    const { jobId = '', place = 0 } = claimPlaceOf(claimId) ?? {};
    if ((await this.findJob(tenantId, jobId)) === null) return null;
    const [job] = await this.completed([jobId]);
    const found = job ? await this.claimsOf(job) : [];
    const claim = found[place - 1]?.claim;
    if (!job || !claim) return null;
    const quoted = new Set([...claim.supporting, ...claim.contradicting].map(({ stepId }) => stepId));
    const [citations, events] = await Promise.all([this.citations(job, quoted), this.events(job, quoted)]);
    return {
      ...claimListItem(jobId, place, claim, citations),
      threadId: job.threadId,
      createdAt: job.completedAt.toISOString(),
      evidence: evidenceOf(
        jobId,
        claim,
        found.map((other) => other.claim),
        citations,
      ),
      events,
    };
  }

  private async searchNow({ tenantId, search, page }: Asked): Promise<ClaimListView> {
    const { jobId, threadId } = search;
    const { limit, offset, after } = page;
    const { rows, next } = await readJobPage(this.pool, tenantId, { jobId, threadId, status: 'completed' }, startOf(after), MAX_JOBS);
    const jobs = await this.completed(rows.map(({ id }) => id));
    const shown: FoundClaim[] = [];
    let total = 0;
    let jobsUnreadable = 0;
    for (let place = 0; place < jobs.length; place += TOGETHER) {
      const { found, unreadable } = await this.claimsOfThose(jobs.slice(place, place + TOGETHER), jobId);
      for (const one of found.filter((candidate) => fits(candidate.claim, search) && isBehind(candidate, after))) {
        if (total >= offset && shown.length < limit) shown.push(one);
        total += 1;
      }
      jobsUnreadable += unreadable;
    }
    const claims = await this.shown(shown);
    const isLast = total <= offset + shown.length;
    const end = isLast ? next && { job: next, claim: 0 } : endOf(rows, shown.at(-1));
    const nextCursor = end && CLAIM_CURSORS.textOf(end);
    return { claims, total, limit, offset, nextCursor, jobsSearched: jobs.length - jobsUnreadable, jobsUnreadable, isCut: next !== null };
  }

  private completed(jobIds: readonly string[]): Promise<CompletedJob[]> {
    return rowsOf<CompletedJob>(this.pool, { text: COMPLETED, values: [textArray(jobIds)] });
  }

  /**
   * Opens jobs. One that cannot be opened is left out.
   * @throws Unsealable if only one job was requested and it cannot be opened
   */
  private async claimsOfThose(
    jobs: readonly CompletedJob[],
    askedFor: string | undefined,
  ): Promise<{ found: FoundClaim[]; unreadable: number }> {
    const opened = await Promise.allSettled(jobs.map((job) => this.claimsOf(job)));
    const found = opened.flatMap((result) => {
      if (result.status === 'fulfilled') return [result.value];
      if (askedFor !== undefined || !(result.reason instanceof Unsealable)) throw result.reason;
      return [];
    });
    return { found: found.flat(), unreadable: jobs.length - found.length };
  }

  /** Empty for a job deleted in between. */
  private async claimsOf(job: CompletedJob): Promise<FoundClaim[]> {
    const synthesis = await this.contents.ofJob(job.id, job.threadId).synthesis(job);
    return (synthesis?.claims ?? []).map((claim, index) => ({ job, place: index + 1, claim }));
  }

  /** Opens reports only for the claims of the page, and one job after the other, since a report may have megabytes. */
  private async shown(found: readonly FoundClaim[]): Promise<ClaimListItemView[]> {
    const items: ClaimListItemView[] = [];
    for (const [job, ofJob] of Map.groupBy(found, (one) => one.job)) {
      const citations = await this.citations(job, new Set(ofJob.flatMap(({ claim }) => citedSteps(claim))));
      items.push(...ofJob.map(({ place, claim }) => claimListItem(job.id, place, claim, citations)));
    }
    return items;
  }

  private citations(job: CompletedJob, wanted: ReadonlySet<string>) {
    const places = job.steps.map(({ id: stepId, status, contentVersion }) => ({ stepId, status, contentVersion }));
    return citationsOf(places, wanted, this.contents.ofJob(job.id, job.threadId));
  }

  private events(job: CompletedJob, wanted: ReadonlySet<string>): Promise<ClaimEventView[]> {
    const reported = job.steps.flatMap(({ id, contentVersion }) => (wanted.has(id) ? (contentVersion ?? []) : []));
    const values = [job.id, int4Array([...reported, job.synthesisVersion])];
    return rowsOf<ClaimEventView>(this.pool, { text: EVENTS, values });
  }
}

/** The job of the last claim may have more. */
const startOf = (after: ClaimCursor | null): PageStart | null => after && { place: after.job, isIncluded: after.claim > 0 };

const isBehind = ({ job, place }: FoundClaim, after: ClaimCursor | null): boolean => job.id !== after?.job.id || place > after.claim;

function endOf(rows: readonly ListedJobRow[], last: FoundClaim | undefined): ClaimCursor | null {
  const row = rows.find(({ id }) => id === last?.job.id);
  return row && last ? { job: { createdAt: row.created_at, id: row.id }, claim: last.place } : null;
}

const fits = ({ claim, confidence }: RecordedClaim, { confidenceLevel, query }: ClaimSearch): boolean =>
  (confidenceLevel === undefined || confidence === confidenceLevel) && (query === undefined || saysAll(claim, query));
