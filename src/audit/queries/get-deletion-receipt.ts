import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { receiptOf } from '@lib/store/log/deletion-receipts';
import type { Store } from '@lib/store/store';
import { deletionReceiptView, type DeletionReceiptView } from '@lib/store/views/deletion-receipt.view';
import { Problem } from '../../api/problems';
import { STORE } from '../../api/tokens';

/** Erasing takes seconds, the log some ten, and a checkpoint a few minutes. */
const AGAIN_SECONDS = '60';

/** The signed statement about a thread that the tenant deleted. */
export class GetDeletionReceipt extends Query<DeletionReceiptView> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
  ) {
    super();
  }
}

@QueryHandler(GetDeletionReceipt)
export class GetDeletionReceiptHandler implements IQueryHandler<GetDeletionReceipt> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, threadId }: GetDeletionReceipt): Promise<DeletionReceiptView> {
    const receipt = await receiptOf(this.store.pool, tenantId, threadId);
    if (receipt === null) {
      const remedy = `only a thread that was deleted has a receipt; ask again after DELETE /v1/threads/${threadId}`;
      throw new Problem('deletion_not_found', `No thread ${threadId} was deleted: ${remedy}.`);
    }
    if (receipt !== 'unsigned') return deletionReceiptView(receipt);
    const detail = 'The thread is deleted, and the log has not signed that yet: ask again after its next checkpoint.';
    throw new Problem('deletion_not_signed', detail, [], { 'retry-after': AGAIN_SECONDS });
  }
}
