import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { LogCursor } from '@lib/store/log/log-cursor';
import { readLoggedEvents, type EventFilter, type LoggedEvents } from '@lib/store/log/logged-events';
import type { Store } from '@lib/store/store';
import { Problem } from '../../api/problems';
import { STORE } from '../../api/tokens';
import { requireHistory } from '../require-history';
import { KEEPS_LOG } from '../tokens';

/** One page of a tenant's events in the order of the log. */
export class ListAuditEvents extends Query<LoggedEvents> {
  constructor(
    readonly tenantId: string,
    readonly filter: EventFilter,
    readonly page: { after: LogCursor | null; limit: number },
  ) {
    super();
  }
}

@QueryHandler(ListAuditEvents)
export class ListAuditEventsHandler implements IQueryHandler<ListAuditEvents> {
  constructor(
    @Inject(STORE) private readonly store: Store,
    @Inject(KEEPS_LOG) private readonly keepsLog: boolean,
  ) {}

  async execute({ tenantId, filter, page }: ListAuditEvents): Promise<LoggedEvents> {
    if (!this.keepsLog)
      throw new Problem('log_off', 'CHECKPOINT_MS is 0, so events are given no order: have the operator remove that setting.');
    const read = await readLoggedEvents(this.store.pool, tenantId, filter, page);
    // Asked afterwards: it may be removed just now, and would seem to have ended.
    if (filter.threadId !== undefined) await requireHistory(this.store.pool, filter.threadId, tenantId);
    if (read !== null) return read;
    throw new Problem(
      'log_restored',
      'The database was restored to a time before this cursor: begin again without one, and leave out what you have by streamId, version and hash.',
    );
  }
}
