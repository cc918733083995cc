import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { ClaimsController } from './claims.controller';
import { GetClaimHandler } from './queries/get-claim';
import { ListClaimsHandler } from './queries/list-claims';

/** Claims, with the handler of every query. */
@Module({})
export class ClaimsModule {
  /** @param parts what the handlers inject: `STORE` */
  static register(parts: Provider[]): DynamicModule {
    return {
      module: ClaimsModule,
      imports: [CqrsModule.forRoot()],
      controllers: [ClaimsController],
      providers: [ListClaimsHandler, GetClaimHandler, ...parts],
    };
  }
}
