import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { LongPolls } from '../live/long-polls';
import { FlatJobsController } from './flat-jobs.controller';
import { GetJobDetailHandler } from './queries/get-job-detail';
import { ListJobsHandler } from './queries/list-jobs';

/** Jobs by their own address, with the handler of every query. */
@Module({})
export class JobsModule {
  /** @param parts what the handlers inject: `STORE`, `Reader` and `JobChanges` */
  static register(parts: Provider[]): DynamicModule {
    return {
      module: JobsModule,
      imports: [CqrsModule.forRoot()],
      controllers: [FlatJobsController],
      providers: [GetJobDetailHandler, ListJobsHandler, LongPolls, ...parts],
    };
  }
}
