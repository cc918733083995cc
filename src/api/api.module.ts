import { Module, type DynamicModule, type Provider } from '@nestjs/common';

import { AccountModule } from '../account/account.module';
import { AuditModule } from '../audit/audit.module';
import { ClaimsModule } from '../claims/claims.module';
import { JobsModule } from '../jobs/jobs.module';
import { ThreadsModule } from '../threads/threads.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import type { Readiness } from './health';
import { HealthModule } from './health.module';

/** Every route of the service; the server around it is `createHttpApplication`. */
@Module({})
export class ApiModule {
  /** @param parts dependencies of the routes, see `ThreadsModule` */
  static register(parts: Provider[], readiness: Readiness): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ThreadsModule.register(parts),
        JobsModule.register(parts),
        ClaimsModule.register(parts),
        AccountModule.register(parts),
        AuditModule.register(parts),
        WebhooksModule.register(parts),
        HealthModule.register(readiness),
      ],
    };
  }
}
