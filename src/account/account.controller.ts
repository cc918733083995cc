import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';

import { TRANSACTION_CURSORS } from '@lib/store/balances/transaction-cursor';
import { MeView, ProviderListView } from '@lib/store/views/account.view';
import { BalanceView } from '@lib/store/views/balance.view';
import { USAGE_PERIODS, UsageView } from '@lib/store/views/usage.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiRouteProblems } from '../api/api-problems';
import { optionalFlag, optionalText } from '../api/optional-parameters';
import { QueryValues, type Query as QueryParameters } from '../api/query-values';
import { readLimit } from '../api/page';
import { LIMIT, PAGED } from '../api/route-documents';
import { GetBalance } from './queries/get-balance';
import { GetMe } from './queries/get-me';
import { GetUsage } from './queries/get-usage';
import { ListProviders } from './queries/list-providers';

const DEFAULT_PERIOD = '30d';

/** Who asks, whom they can ask, and what they have spent. */
@ApiTags('account')
@ApiBearerAuth('bearerAuth')
@Controller('v1')
export class AccountController {
  constructor(private readonly queries: QueryBus) {}

  @Get('me')
  @ApiOperation({ operationId: 'getMe', summary: 'Get the caller', description: 'Returns the tenant and the key of the request.' })
  @ApiOkResponse({ type: MeView, description: 'The caller.' })
  @ApiRouteProblems()
  getMe(@AuthenticatedCaller() caller: Caller): Promise<MeView> {
    return this.queries.execute(new GetMe(caller));
  }

  @Get('providers')
  @ApiOperation({
    operationId: 'listProviders',
    summary: 'List providers and tiers',
    description:
      'Lists the providers in the order of their names, whether each can be used now, and the tiers with whom they ask by default.',
  })
  @ApiOkResponse({ type: ProviderListView, description: 'The providers and tiers.' })
  @ApiRouteProblems()
  listProviders(@AuthenticatedCaller() { tenantId }: Caller): Promise<ProviderListView> {
    return this.queries.execute(new ListProviders(tenantId));
  }

  @Get('usage')
  @RouteConfig({ query: ['period'] })
  @ApiOperation({
    operationId: 'getUsage',
    summary: 'Get what was spent',
    description:
      'Returns what the jobs of a period cost, by tier, day and provider. Jobs count on the day of their creation; what an open job will ' +
      'cost is not known, so it counts 0. At most the newest 10,000 jobs of the period are counted, which `isCut` says, and ' +
      'none of threads that were deleted: limits and balances know those.',
  })
  @ApiQuery({
    name: 'period',
    required: false,
    description: 'How far to go back from now.',
    schema: { type: 'string', enum: [...USAGE_PERIODS], default: DEFAULT_PERIOD, example: '7d' },
  })
  @ApiOkResponse({ type: UsageView, description: 'The usage.' })
  @ApiRouteProblems()
  getUsage(@AuthenticatedCaller() caller: Caller, @Query() query: QueryParameters): Promise<UsageView> {
    const values = new QueryValues(query);
    const period = values.oneOf('period', USAGE_PERIODS) ?? DEFAULT_PERIOD;
    values.check();
    return this.queries.execute(new GetUsage(caller.tenantId, period));
  }

  @Get('balance')
  @RouteConfig({ query: ['include_transactions', 'limit', 'cursor'] })
  @ApiOperation({
    operationId: 'getBalance',
    summary: 'Get the balance',
    description:
      'Returns what new jobs may cost. Where a balance is required, a job holds the cap of its budget from its creation to its end and then ' +
      'gives back what it did not cost; a job that the balance does not cover is refused. Where it is not, jobs move nothing.',
  })
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(optionalText('cursor', '`nextCursor` of the page before.', 'dHhuXzAxamQ2eHc4azJlNHp2cTdoM201bjlwMHJz'))
  @ApiQuery(LIMIT)
  @ApiQuery(optionalFlag('include_transactions', 'With a page of what moved the balance, newest first.'))
  @ApiOkResponse({ type: BalanceView, description: 'The balance.', headers: { Link: PAGED.Link } })
  @ApiRouteProblems()
  getBalance(@AuthenticatedCaller() caller: Caller, @Query() query: QueryParameters): Promise<BalanceView> {
    const values = new QueryValues(query);
    const isListed = values.flag('include_transactions');
    const limit = readLimit(values);
    const after = values.read('cursor', 'invalid_cursor', 'must be the nextCursor of a page', TRANSACTION_CURSORS.placeIn) ?? null;
    values.check();
    return this.queries.execute(new GetBalance(caller.tenantId, isListed ? { after, limit } : null));
  }
}
