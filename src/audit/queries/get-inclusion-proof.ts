import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { InclusionProofView } from '@lib/store/views/log.view';
import { STORE } from '../../api/tokens';
import { noProof } from '../no-proof';
import { requireHistory } from '../require-history';
import type { LoggedAt } from '../proof-parameters';
import { proveInclusion } from '../proofs';

/** Where an event of a tenant stands in the log, with a proof. */
export class GetInclusionProof extends Query<InclusionProofView> {
  constructor(
    readonly tenantId: string,
    readonly event: LoggedAt,
  ) {
    super();
  }
}

@QueryHandler(GetInclusionProof)
export class GetInclusionProofHandler implements IQueryHandler<GetInclusionProof> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, event }: GetInclusionProof): Promise<InclusionProofView> {
    const proof = await proveInclusion(this.store.pool, { ...event, tenantId });
    if (proof === 'no event') await requireHistory(this.store.pool, event.streamId, tenantId);
    if (typeof proof === 'string') throw noProof(proof);
    return proof;
  }
}
