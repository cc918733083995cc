import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';

import { DeletionReceiptView } from '@lib/store/views/deletion-receipt.view';
import { ConsistencyProofView, EXAMPLE_CHECKPOINT, InclusionProofView } from '@lib/store/views/log.view';
import { PastJobView } from '@lib/store/views/past-job.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiRouteProblems } from '../api/api-problems';
import { optionalTime } from '../api/optional-parameters';
import { QueryValues, type Query as QueryParameters } from '../api/query-values';
import { JOB_ID, THREAD_ID } from '../api/route-documents';
import { readPastMoment } from './past-moment';
import { readProofOfConsistency, readProofOfInclusion } from './proof-parameters';
import { GetCheckpoint } from './queries/get-checkpoint';
import { GetConsistencyProof } from './queries/get-consistency-proof';
import { GetDeletionReceipt } from './queries/get-deletion-receipt';
import { GetInclusionProof } from './queries/get-inclusion-proof';
import { GetPastJob } from './queries/get-past-job';

/** A new one for each, since the document's rules move the example. */
const size = (example: number) => ({ type: 'integer', format: 'int64', minimum: 0, example }) as const;

/** What auditors read: the log of all events, as far as it can be shown to anybody, and their own tenant's jobs as they stood. */
@ApiTags('audit')
@ApiBearerAuth('bearerAuth')
@Controller('v1/audit')
export class AuditController {
  constructor(private readonly queries: QueryBus) {}

  @Get('checkpoint')
  @Header('content-type', 'text/plain; charset=utf-8')
  @ApiOperation({
    operationId: 'getCheckpoint',
    summary: 'Get the newest checkpoint of the log',
    description:
      'Returns the signed root of the log of all events: a note of C2SP `tlog-checkpoint`, with the signatures of the log and of its witnesses. Whoever ' +
      'keeps one can show every later change of what was recorded before it.',
  })
  @ApiOkResponse({
    description: 'The signed note.',
    content: { 'text/plain': { schema: { type: 'string' }, example: EXAMPLE_CHECKPOINT } },
  })
  @ApiRouteProblems('checkpoint_not_found')
  getCheckpoint(): Promise<string> {
    return this.queries.execute(new GetCheckpoint());
  }

  @Get('proofs/inclusion')
  @RouteConfig({ query: ['streamId', 'version'] })
  @ApiOperation({
    operationId: 'getInclusionProof',
    summary: 'Prove that an event is in the log',
    description: 'Returns what leads from an event of the caller’s tenant to the root of the newest checkpoint.',
  })
  // The document lists parameters from the last decorator to the first.
  @ApiQuery({
    name: 'version',
    required: true,
    description: 'Which event of the stream.',
    schema: { type: 'integer', minimum: 1, example: 7 },
  })
  @ApiQuery({
    name: 'streamId',
    required: true,
    description: 'What the event is of: a job, a thread, or the caller’s tenant (`ten_` and its id), as `GET /v1/audit/events` names it.',
    schema: { type: 'string', example: 'job_01jd6xw8k2e4zvq7h3m5n9p0rs' },
  })
  @ApiOkResponse({ type: InclusionProofView, description: 'The proof.' })
  @ApiRouteProblems('checkpoint_not_found', 'event_not_found', 'event_not_logged', 'history_removed')
  getInclusionProof(@AuthenticatedCaller() { tenantId }: Caller, @Query() query: QueryParameters): Promise<InclusionProofView> {
    return this.queries.execute(new GetInclusionProof(tenantId, readProofOfInclusion(new QueryValues(query), tenantId)));
  }

  @Get('proofs/consistency')
  @RouteConfig({ query: ['from', 'to'] })
  @ApiOperation({
    operationId: 'getConsistencyProof',
    summary: 'Prove that an older checkpoint still holds',
    description: 'Returns what shows that the log of one size is the beginning of that of a larger one, such as of the newest checkpoint.',
  })
  @ApiQuery({ name: 'to', required: false, description: 'The larger size; by default that of the newest checkpoint.', schema: size(163) })
  @ApiQuery({ name: 'from', required: true, description: 'The smaller size, as in an older checkpoint.', schema: size(100) })
  @ApiOkResponse({ type: ConsistencyProofView, description: 'The proof.' })
  @ApiRouteProblems('checkpoint_not_found')
  getConsistencyProof(@Query() query: QueryParameters): Promise<ConsistencyProofView> {
    return this.queries.execute(new GetConsistencyProof(readProofOfConsistency(new QueryValues(query))));
  }

  @Get('deletions/:threadId')
  @ApiOperation({
    operationId: 'getDeletionReceipt',
    summary: 'Get the receipt of a deletion',
    description:
      'Returns a statement, signed with the key of the log, that a thread of the tenant was deleted: by whom and when, which histories it had and how far they ' +
      'went, what remains of them, and the checkpoint that shows it. It comes with the first checkpoint after everything was erased, and stays when the histories are removed.',
  })
  @ApiParam(THREAD_ID)
  @ApiOkResponse({ type: DeletionReceiptView, description: 'The receipt.' })
  @ApiRouteProblems('deletion_not_found', 'deletion_not_signed')
  getDeletionReceipt(@AuthenticatedCaller() { tenantId }: Caller, @Param('threadId') threadId: string): Promise<DeletionReceiptView> {
    return this.queries.execute(new GetDeletionReceipt(tenantId, threadId));
  }

  @Get('jobs/:jobId')
  @RouteConfig({ query: ['version', 'asOf'] })
  @ApiOperation({
    operationId: 'getPastJob',
    summary: 'Get a job as it stood',
    description:
      'Returns the job as it stood after one of its events or at a time, from its events alone: what the service answered then, its steps, its ' +
      'money and what had to happen next. Without a parameter it is as it stands now. Of a deleted thread all of it is there but the content.',
  })
  @ApiParam(JOB_ID)
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(optionalTime('asOf', 'As it stood at this time. Not together with `version`.'))
  @ApiQuery({
    name: 'version',
    required: false,
    description: 'As it stood after this event. Not together with `asOf`.',
    schema: { type: 'integer', minimum: 1, example: 7 },
  })
  @ApiOkResponse({ type: PastJobView, description: 'The job as it stood.' })
  @ApiRouteProblems('job_not_found', 'event_not_found', 'history_removed')
  getPastJob(
    @AuthenticatedCaller() { tenantId }: Caller,
    @Param('jobId') jobId: string,
    @Query() query: QueryParameters,
  ): Promise<PastJobView> {
    return this.queries.execute(new GetPastJob(tenantId, jobId, readPastMoment(new QueryValues(query))));
  }
}
