import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { AuditEventStreams } from './audit-event-streams';
import { AuditController } from './audit.controller';
import { AuditEventsController } from './audit-events.controller';
import { AuditReadsController } from './audit-reads.controller';
import { GetCheckpointHandler } from './queries/get-checkpoint';
import { GetConsistencyProofHandler } from './queries/get-consistency-proof';
import { GetDeletionReceiptHandler } from './queries/get-deletion-receipt';
import { GetInclusionProofHandler } from './queries/get-inclusion-proof';
import { GetPastJobHandler } from './queries/get-past-job';
import { ListAuditEventsHandler } from './queries/list-audit-events';
import { ListAuditReadsHandler } from './queries/list-audit-reads';

/** What auditors read, with the handler of every query. */
@Module({})
export class AuditModule {
  /** @param parts what the handlers inject: `STORE`, `KEEPS_LOG` and `LogFollowers` */
  static register(parts: Provider[]): DynamicModule {
    return {
      module: AuditModule,
      imports: [CqrsModule.forRoot()],
      controllers: [AuditController, AuditEventsController, AuditReadsController],
      providers: [
        AuditEventStreams,
        GetCheckpointHandler,
        GetConsistencyProofHandler,
        GetDeletionReceiptHandler,
        GetInclusionProofHandler,
        GetPastJobHandler,
        ListAuditEventsHandler,
        ListAuditReadsHandler,
        ...parts,
      ],
    };
  }
}
