import { Module, type DynamicModule } from '@nestjs/common';

import { Readiness } from './health';
import { HealthController } from './health.controller';

/** The health routes, which every role serves with its own checks. */
@Module({})
export class HealthModule {
  static register(readiness: Readiness): DynamicModule {
    return {
      module: HealthModule,
      controllers: [HealthController],
      providers: [{ provide: Readiness, useValue: readiness }],
    };
  }
}
