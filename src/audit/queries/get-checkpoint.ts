import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import { STORE } from '../../api/tokens';
import { newestNote } from '../proofs';
import { noProof } from '../no-proof';

/** The newest checkpoint, with the signatures under it. */
export class GetCheckpoint extends Query<string> {}

@QueryHandler(GetCheckpoint)
export class GetCheckpointHandler implements IQueryHandler<GetCheckpoint> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute(): Promise<string> {
    const newest = await newestNote(this.store.pool);
    if (newest === null) throw noProof('no checkpoint');
    return newest.note;
  }
}
