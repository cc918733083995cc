import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { ClaimDetailView } from '@lib/store/views/claim.view';
import { Problem } from '../../api/problems';
import { STORE } from '../../api/tokens';

/** A claim with its evidence. */
export class GetClaim extends Query<ClaimDetailView> {
  constructor(
    readonly tenantId: string,
    readonly claimId: string,
  ) {
    super();
  }
}

@QueryHandler(GetClaim)
export class GetClaimHandler implements IQueryHandler<GetClaim> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, claimId }: GetClaim): Promise<ClaimDetailView> {
    const claim = await this.store.claims.get(tenantId, claimId);
    if (claim === null) throw new Problem('claim_not_found', `The claim ${claimId} does not exist.`);
    return claim;
  }
}
