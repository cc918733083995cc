import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { JobsController } from '../threads/jobs.controller';
import { GetJobHandler } from '../threads/queries/get-job';
import { GetThreadHandler } from '../threads/queries/get-thread';
import { ListEventsHandler } from '../threads/queries/list-events';
import { ListTopicsHandler } from '../threads/queries/list-topics';
import { ListMessagesHandler } from '../threads/queries/list-messages';
import { ListThreadsHandler } from '../threads/queries/list-threads';
import { ThreadsController } from '../threads/threads.controller';
import { BodyPipe, RESOLVE_PROVIDER, type ResolveProvider } from './body.pipe';
import type { HealthCheck } from './health';
import { HealthModule } from './health.module';

const QUERY_HANDLERS = [ListThreadsHandler, GetThreadHandler, ListMessagesHandler, GetJobHandler, ListEventsHandler, ListTopicsHandler];

export interface ApiParts {
  /** `Reader`, the handlers of the commands, and whatever those need. */
  providers: Provider[];
  resolveProvider: ResolveProvider;
  healthChecks: HealthCheck[];
}

/** Every route of the service over what the caller provides; the server around it is `createHttpApplication`. */
@Module({})
export class ApiModule {
  static register({ providers, resolveProvider, healthChecks }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      imports: [CqrsModule.forRoot(), HealthModule.register(healthChecks)],
      controllers: [ThreadsController, JobsController],
      providers: [...providers, ...QUERY_HANDLERS, BodyPipe, { provide: RESOLVE_PROVIDER, useValue: resolveProvider }],
    };
  }
}
