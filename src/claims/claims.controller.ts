import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';

import { CLAIM_ID_PATTERN } from '@lib/domain/claim-id';
import { CONFIDENCES } from '@lib/domain/vocabulary';
import { ClaimDetailView, ClaimListView, EXAMPLE_CLAIM_ID } from '@lib/store/views/claim.view';
import { CLAIM_CURSORS } from '@lib/store/views/list-cursors';
import { exampleId } from '@lib/store/views/schema';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiRouteProblems } from '../api/api-problems';
import { optionalChoice, optionalId, optionalText } from '../api/optional-parameters';
import { QueryValues, type Query as QueryParameters } from '../api/query-values';
import { readPageAfter } from '../api/page';
import { LIMIT, OFFSET, PAGED, PAGED_BY_CURSOR } from '../api/route-documents';
import { GetClaim } from './queries/get-claim';
import { ListClaims } from './queries/list-claims';

const CLAIM_ID = {
  name: 'claimId',
  description: 'Identifier of the claim.',
  schema: { type: 'string', pattern: CLAIM_ID_PATTERN, example: EXAMPLE_CLAIM_ID },
} as const;

const EXAMPLE_CURSOR = CLAIM_CURSORS.textOf({ job: { createdAt: new Date('2026-11-21T09:30:00Z'), id: exampleId('job') }, claim: 1 });

const MAX_QUERY_CHARACTERS = 500;

/** What completed jobs claim, and on what. */
@ApiTags('claims')
@ApiBearerAuth('bearerAuth')
@Controller('v1/claims')
export class ClaimsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @RouteConfig({ query: ['jobId', 'threadId', 'confidenceLevel', 'query', 'limit', 'offset', 'cursor'] })
  @ApiOperation({
    operationId: 'listClaims',
    summary: 'Search claims',
    description:
      'Lists the claims of the newest completed jobs, newest job first and in the order of each report. What jobs say is stored sealed and ' +
      'in no index, so at most the 100 newest completed jobs that fit are opened for a search; `isCut` says whether there are older ones. ' +
      PAGED_BY_CURSOR,
  })
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(optionalText('cursor', '`nextCursor` of the page before.', EXAMPLE_CURSOR))
  @ApiQuery(OFFSET)
  @ApiQuery(LIMIT)
  @ApiQuery({
    name: 'query',
    required: false,
    description: 'Words that the claim has, in any order; each may be the beginning of a word. Case does not matter.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_QUERY_CHARACTERS, example: 'error handler' },
  })
  @ApiQuery(optionalChoice('confidenceLevel', 'Claims of this level alone.', CONFIDENCES, 'high'))
  @ApiQuery(optionalId('threadId', 'Claims of the jobs of this thread alone.', 'thr'))
  @ApiQuery(optionalId('jobId', 'Claims of this job alone.', 'job'))
  @ApiOkResponse({ type: ClaimListView, description: 'One page of claims.', headers: { Link: PAGED.Link } })
  @ApiRouteProblems()
  listClaims(@AuthenticatedCaller() caller: Caller, @Query() query: QueryParameters): Promise<ClaimListView> {
    const values = new QueryValues(query);
    const search = {
      jobId: values.id('jobId', 'job'),
      threadId: values.id('threadId', 'thr'),
      confidenceLevel: values.oneOf('confidenceLevel', CONFIDENCES),
      query: values.text('query', MAX_QUERY_CHARACTERS),
    };
    const page = readPageAfter(values, CLAIM_CURSORS);
    values.check();
    return this.queries.execute(new ListClaims(caller.tenantId, search, page));
  }

  @Get(':claimId')
  @ApiOperation({
    operationId: 'getClaim',
    summary: 'Get a claim with its evidence',
    description:
      'Returns the claim with what each provider says for it and against it: the exact quote, where it stands in which report, what it ' +
      'cites, and the recorded events that it all comes from.',
  })
  @ApiParam(CLAIM_ID)
  @ApiOkResponse({ type: ClaimDetailView, description: 'The claim.' })
  @ApiRouteProblems('claim_not_found')
  getClaim(@AuthenticatedCaller() caller: Caller, @Param('claimId') claimId: string): Promise<ClaimDetailView> {
    return this.queries.execute(new GetClaim(caller.tenantId, claimId));
  }
}
