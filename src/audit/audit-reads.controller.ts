import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';

import { AuditReadListView } from '@lib/store/views/audit-read.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiRouteProblems } from '../api/api-problems';
import { optionalText } from '../api/optional-parameters';
import { QueryValues, type Query as QueryParameters } from '../api/query-values';
import { readLimit } from '../api/page';
import { LIMIT, PAGED } from '../api/route-documents';
import { ListAuditReads } from './queries/list-audit-reads';

/** Place in the trail; for clients it means nothing. */
const CURSOR = /^[1-9]\d{0,14}$/;

/** Who read what by the routes for auditors. */
@ApiTags('audit')
@ApiBearerAuth('bearerAuth')
@Controller('v1/audit/reads')
export class AuditReadsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @RouteConfig({ query: ['keyId', 'limit', 'cursor'] })
  @ApiOperation({
    operationId: 'listAuditReads',
    summary: 'List who read the audit routes',
    description:
      'Lists the requests to the routes that need `audit:read`, newest first: which key asked which route for what, when and from where. Each is ' +
      'recorded before it is answered, this one too; a stream of events is recorded when it begins. They are kept for as many days as the operator says.',
  })
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(optionalText('cursor', '`nextCursor` of the page before.', '4711'))
  @ApiQuery(LIMIT)
  @ApiQuery(optionalText('keyId', 'Requests with this key alone.', 'k3f9a0c2d1e4'))
  @ApiOkResponse({ type: AuditReadListView, description: 'One page of requests.', headers: { Link: PAGED.Link } })
  @ApiRouteProblems()
  async listAuditReads(@AuthenticatedCaller() { tenantId }: Caller, @Query() query: QueryParameters): Promise<AuditReadListView> {
    const values = new QueryValues(query);
    const keyId = values.text('keyId', 100);
    const limit = readLimit(values);
    const before = values.read('cursor', 'invalid_cursor', 'must be the nextCursor of a page', (text) =>
      CURSOR.test(text) ? Number(text) : undefined,
    );
    values.check();
    const { reads, next } = await this.queries.execute(new ListAuditReads(tenantId, { keyId, before: before ?? null, limit }));
    return { reads, limit, nextCursor: next === null ? null : String(next) };
  }
}
