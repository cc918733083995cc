import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { BodyPipe } from '../api/body.pipe';
import { EventStreams } from '../live/event-streams';
import { LongPolls } from '../live/long-polls';
import { AddMessageHandler } from './commands/add-message';
import { CancelJobHandler } from './commands/cancel-job';
import { CreateThreadHandler } from './commands/create-thread';
import { DeleteThreadHandler } from './commands/delete-thread';
import { PursueJobHandler } from './commands/pursue-job';
import { FirstAnswers } from './first-answers';
import { JobsController } from './jobs.controller';
import { GetJobHandler } from './queries/get-job';
import { GetThreadHandler } from './queries/get-thread';
import { ListEventsHandler } from './queries/list-events';
import { ListMessagesHandler } from './queries/list-messages';
import { ListThreadsHandler } from './queries/list-threads';
import { ListTopicsHandler } from './queries/list-topics';
import { StreamedAnswers } from './streamed-answers';
import { Idempotency } from '../api/idempotency';
import { ThreadsController } from './threads.controller';

const CONTROLLERS = [ThreadsController, JobsController];
const COMMAND_HANDLERS = [CreateThreadHandler, AddMessageHandler, PursueJobHandler, CancelJobHandler, DeleteThreadHandler];
const QUERY_HANDLERS = [ListThreadsHandler, GetThreadHandler, ListMessagesHandler, GetJobHandler, ListEventsHandler, ListTopicsHandler];

/** The contract's routes, with the handler of every command and query that they send. */
@Module({})
export class ThreadsModule {
  /** @param parts what the handlers and the pipe inject: `STORE`, `Reader`, `JobChanges`, `PLAN_SETTINGS` and `RESOLVE_PROVIDER` */
  static register(parts: Provider[]): DynamicModule {
    return {
      module: ThreadsModule,
      imports: [CqrsModule.forRoot()],
      controllers: CONTROLLERS,
      providers: [
        ...COMMAND_HANDLERS,
        ...QUERY_HANDLERS,
        BodyPipe,
        FirstAnswers,
        Idempotency,
        LongPolls,
        StreamedAnswers,
        EventStreams,
        ...parts,
      ],
    };
  }
}
