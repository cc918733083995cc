import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { AccountController } from './account.controller';
import { GetBalanceHandler } from './queries/get-balance';
import { GetMeHandler } from './queries/get-me';
import { GetUsageHandler } from './queries/get-usage';
import { ListProvidersHandler } from './queries/list-providers';

/** Who asks, whom they can ask, and what they have spent. */
@Module({})
export class AccountModule {
  /** @param parts what the handlers inject: `STORE` and `PLAN_SETTINGS` */
  static register(parts: Provider[]): DynamicModule {
    return {
      module: AccountModule,
      imports: [CqrsModule.forRoot()],
      controllers: [AccountController],
      providers: [GetBalanceHandler, GetMeHandler, GetUsageHandler, ListProvidersHandler, ...parts],
    };
  }
}
