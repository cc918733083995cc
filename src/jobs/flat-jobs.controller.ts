import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';

import { JobDetailView } from '@lib/store/views/job-detail.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiRouteProblems } from '../api/api-problems';
import { QueryValues, type Query as QueryParameters } from '../api/query-values';
import { JOB_ID } from '../threads/route-documents';
import { GetJobDetail } from './queries/get-job-detail';

const flag = (name: string, description: string) =>
  ({ name, required: false, description, schema: { type: 'boolean', default: false }, example: true }) as const;

/** Jobs by their own address, whatever their thread. */
@ApiTags('jobs')
@ApiBearerAuth('bearerAuth')
@Controller('v1/jobs')
export class FlatJobsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':jobId')
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
  @ApiQuery(flag('include_provider_reports', 'With the steps and the report of each.'))
  @ApiQuery(flag('include_claims', 'With the claims and their sources.'))
  @ApiQuery(flag('include_steps', 'With the steps, without their reports.'))
  @ApiOkResponse({ type: JobDetailView, description: 'The job.' })
  @ApiRouteProblems('job_not_found')
  getJobDetail(
    @AuthenticatedCaller() caller: Caller,
    @Param('jobId') jobId: string,
    @Query() query: QueryParameters,
  ): Promise<JobDetailView> {
    const values = new QueryValues(query);
    const parts = {
      steps: values.flag('include_steps'),
      claims: values.flag('include_claims'),
      reports: values.flag('include_provider_reports'),
    };
    values.check();
    return this.queries.execute(new GetJobDetail(caller.tenantId, jobId, parts));
  }
}
