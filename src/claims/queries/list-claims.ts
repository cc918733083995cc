import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { ClaimPage, ClaimSearch } from '@lib/store/views/claim-reads';
import type { ClaimListView } from '@lib/store/views/claim.view';
import { STORE } from '../../api/tokens';

/** One page of the claims of a tenant's newest completed jobs. */
export class ListClaims extends Query<ClaimListView> {
  constructor(
    readonly tenantId: string,
    readonly search: ClaimSearch,
    readonly page: ClaimPage,
  ) {
    super();
  }
}

@QueryHandler(ListClaims)
export class ListClaimsHandler implements IQueryHandler<ListClaims> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  execute({ tenantId, search, page }: ListClaims): Promise<ClaimListView> {
    return this.store.claims.search(tenantId, search, page);
  }
}
