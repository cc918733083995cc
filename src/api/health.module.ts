import { Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';

import { HEALTH_CHECKS, type HealthCheck } from './health';
import { HealthController } from './health.controller';

/** The health routes, which every role serves with its own checks. */
@Module({})
export class HealthModule {
  static register(checks: HealthCheck[]): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [{ provide: HEALTH_CHECKS, useValue: checks }],
    };
  }
}
