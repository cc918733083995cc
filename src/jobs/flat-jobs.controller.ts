import { Controller, Get, Header, Inject, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { BUDGET_TIERS, JOB_STATUSES } from '@lib/domain/vocabulary';
import { JOB_DETAIL_SHAPE, type JobParts } from '@lib/store/views/flat-jobs';
import { JOB_CURSORS } from '@lib/store/views/job-cursor';
import { JobDetailView, JobListView } from '@lib/store/views/job-detail.view';
import type { Store } from '@lib/store/store';
import { exampleId } from '@lib/store/views/schema';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiRouteProblems } from '../api/api-problems';
import { setTag } from '../api/conditional';
import { optionalChoice, optionalFlag, optionalId, optionalText, optionalTime } from '../api/optional-parameters';
import { QueryValues, type Query as QueryParameters } from '../api/query-values';
import { ApiPreferWait, JOB_HEADERS, sayWhenToComeAgain } from '../live/job-polling';
import { LongPolls } from '../live/long-polls';
import { readLimit } from '../api/page';
import { JOB_ID, LIMIT, PAGED } from '../api/route-documents';
import { STORE } from '../api/tokens';
import { GetJobDetail } from './queries/get-job-detail';
import { ListJobs } from './queries/list-jobs';

const EXAMPLE_CURSOR = JOB_CURSORS.textOf({ createdAt: new Date('2026-11-21T09:30:00Z'), id: exampleId('job') });

/** The tag of the answer with these parts at a version. */
const tagWith =
  ({ steps, claims, reports }: JobParts) =>
  (version: number): string =>
    [version, JOB_DETAIL_SHAPE, ...[steps, claims, reports].map(Number)].join('-');

/** Jobs by their own address, whatever their thread. */
@ApiTags('jobs')
@ApiBearerAuth('bearerAuth')
@Controller('v1/jobs')
export class FlatJobsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly longPolls: LongPolls,
    @Inject(STORE) private readonly store: Store,
  ) {}

  @Get()
  @RouteConfig({ query: ['status', 'budgetTier', 'threadId', 'createdFrom', 'createdBefore', 'limit', 'cursor'] })
  @ApiOperation({
    operationId: 'listJobs',
    summary: 'List jobs',
    description:
      'Lists the jobs of all threads, newest first. Filters are combined. A page looks at no more than 10,000 jobs, so that one with a rare ' +
      'status may hold fewer than were asked for: go on with `nextCursor` until it is null.',
  })
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(optionalText('cursor', '`nextCursor` of the page before.', EXAMPLE_CURSOR))
  @ApiQuery(LIMIT)
  @ApiQuery(optionalTime('createdBefore', 'Jobs that were created before this time.'))
  @ApiQuery(optionalTime('createdFrom', 'Jobs that were created at this time or later.'))
  @ApiQuery(optionalId('threadId', 'Jobs of this thread alone.', 'thr'))
  @ApiQuery(optionalChoice('budgetTier', 'Jobs of this tier alone.', BUDGET_TIERS))
  @ApiQuery(optionalChoice('status', 'Jobs of this status alone.', JOB_STATUSES))
  @ApiOkResponse({ type: JobListView, description: 'One page of jobs.', headers: { Link: PAGED.Link } })
  @ApiRouteProblems()
  listJobs(@AuthenticatedCaller() caller: Caller, @Query() query: QueryParameters): Promise<JobListView> {
    const values = new QueryValues(query);
    const filter = {
      status: values.oneOf('status', JOB_STATUSES),
      budgetTier: values.oneOf('budgetTier', BUDGET_TIERS),
      threadId: values.id('threadId', 'thr'),
      createdFrom: values.instant('createdFrom'),
      createdBefore: values.instant('createdBefore'),
    };
    const limit = readLimit(values);
    const after = values.read('cursor', 'invalid_cursor', 'must be the nextCursor of a page', JOB_CURSORS.placeIn) ?? null;
    values.check();
    return this.queries.execute(new ListJobs(caller.tenantId, filter, after, limit));
  }

  @Get(':jobId')
  @Header('content-type', 'application/json; charset=utf-8')
  @RouteConfig({ query: ['include_steps', 'include_claims', 'include_provider_reports'] })
  @ApiOperation({
    operationId: 'getJobDetail',
    summary: 'Get a job by its id',
    description:
      'Returns the job with how far it is: its steps are there while it runs, with when each of them started. Once it completed it ' +
      'suggests topics to pursue. What is not asked for is null.',
  })
  @ApiParam(JOB_ID)
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(optionalFlag('include_provider_reports', 'With the steps and the report of each.'))
  @ApiQuery(optionalFlag('include_claims', 'With the claims and their sources.'))
  @ApiQuery(optionalFlag('include_steps', 'With the steps, without their reports.'))
  @ApiPreferWait()
  @ApiOkResponse({ type: JobDetailView, description: 'The job.', headers: JOB_HEADERS })
  @ApiRouteProblems('job_not_found')
  async getJobDetail(
    @AuthenticatedCaller() caller: Caller,
    @Param('jobId') jobId: string,
    @Query() query: QueryParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | null> {
    const values = new QueryValues(query);
    const parts = {
      steps: values.flag('include_steps'),
      claims: values.flag('include_claims'),
      reports: values.flag('include_provider_reports'),
    };
    values.check();
    const tagOf = tagWith(parts);
    const read = async (known?: number) => {
      const { job, ...rest } = await this.queries.execute(new GetJobDetail(caller.tenantId, jobId, parts, known));
      return { ...rest, json: job && Buffer.from(JSON.stringify(job)) };
    };
    const job = await this.longPolls.answer(reply, caller, { jobId, tagOf, read });
    setTag(reply, tagOf(job.version));
    sayWhenToComeAgain(reply, job, this.store.now());
    return job.json;
  }
}
