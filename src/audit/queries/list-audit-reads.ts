import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { listReads, type AuditReads } from '@lib/store/log/read-trail';
import type { Store } from '@lib/store/store';
import { STORE } from '../../api/tokens';

/** One page of who read what, newest first. */
export class ListAuditReads extends Query<AuditReads> {
  constructor(
    readonly tenantId: string,
    readonly page: { keyId: string | undefined; before: number | null; limit: number },
  ) {
    super();
  }
}

@QueryHandler(ListAuditReads)
export class ListAuditReadsHandler implements IQueryHandler<ListAuditReads> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  execute({ tenantId, page }: ListAuditReads): Promise<AuditReads> {
    return listReads(this.store.pool, tenantId, page);
  }
}
