import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import type { EventListView } from '@lib/store/views/event.view';
import { Reader } from '@lib/store/views/reader';

/** The recorded history of a job without its content. */
export class ListEvents extends Query<EventListView> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
    readonly jobId: string,
  ) {
    super();
  }
}

@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId, jobId }: ListEvents): Promise<EventListView> {
    const events = await this.reader.listEvents(tenantId, threadId, jobId);
    if (events === null) throw new DomainError('job_not_found', `The job ${jobId} does not exist in the thread ${threadId}.`);
    return { jobId, events };
  }
}
