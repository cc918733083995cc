import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { lastVersionOf } from '@lib/store/log/log-places';
import type { Store } from '@lib/store/store';
import type { InclusionProofView } from '@lib/store/views/log.view';
import { STORE } from '../../api/tokens';
import { noEvent, noProof } from '../no-proof';
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
    const { pool } = this.store;
    const { streamId, version } = event;
    const proof = await proveInclusion(pool, { ...event, tenantId });
    if (proof === 'no event') {
      await requireHistory(pool, streamId, tenantId);
      throw noEvent(streamId, version, await lastVersionOf(pool, streamId, tenantId));
    }
    if (typeof proof === 'string') throw noProof(proof);
    return proof;
  }
}
