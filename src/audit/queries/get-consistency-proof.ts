import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { ConsistencyProofView } from '@lib/store/views/log.view';
import { invalidRequest } from '../../api/problems';
import { STORE } from '../../api/tokens';
import { noProof } from '../no-proof';
import type { Sizes } from '../proof-parameters';
import { proveConsistency, WrongSize } from '../proofs';

/** That the log of one size is the beginning of that of a larger one. */
export class GetConsistencyProof extends Query<ConsistencyProofView> {
  constructor(readonly sizes: Sizes) {
    super();
  }
}

@QueryHandler(GetConsistencyProof)
export class GetConsistencyProofHandler implements IQueryHandler<GetConsistencyProof> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ sizes: { from, to } }: GetConsistencyProof): Promise<ConsistencyProofView> {
    const proof = await proveConsistency(this.store.pool, from, to).catch((error: unknown) => {
      if (error instanceof WrongSize)
        throw invalidRequest([{ pointer: `/${error.parameter}`, code: 'invalid_size', message: error.message }]);
      throw error;
    });
    if (typeof proof === 'string') throw noProof(proof);
    return proof;
  }
}
