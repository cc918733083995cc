import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { BalanceTransaction } from '@lib/store/balances/balance-table';
import { TRANSACTION_CURSORS } from '@lib/store/balances/transaction-cursor';
import type { Store } from '@lib/store/store';
import type { BalanceTransactionView, BalanceView } from '@lib/store/views/balance.view';
import type { PlanSettings } from '../../threads/plan';
import { PLAN_SETTINGS, STORE } from '../../api/tokens';

interface Page {
  after: string | null;
  limit: number;
}

/** What a tenant's jobs may cost. */
export class GetBalance extends Query<BalanceView> {
  /** @param page of its transactions; null for none */
  constructor(
    readonly tenantId: string,
    readonly page: Page | null,
  ) {
    super();
  }
}

@QueryHandler(GetBalance)
export class GetBalanceHandler implements IQueryHandler<GetBalance> {
  constructor(
    @Inject(STORE) private readonly store: Store,
    @Inject(PLAN_SETTINGS) private readonly settings: PlanSettings,
  ) {}

  async execute({ tenantId, page }: GetBalance): Promise<BalanceView> {
    const { balances } = this.store;
    const [{ availableCents, reservedCents }, listed] = await Promise.all([
      balances.read(tenantId),
      page && balances.page(tenantId, page.after, page.limit),
    ]);
    return {
      isRequired: this.settings.needsBalance,
      balanceCents: availableCents,
      reservedCents,
      transactions: listed && listed.transactions.map(transactionView),
      nextCursor: listed?.next ? TRANSACTION_CURSORS.textOf(listed.next) : null,
    };
  }
}

const transactionView = ({ id, kind, cents, reservedCents, jobId, reference, createdAt }: BalanceTransaction): BalanceTransactionView => ({
  id,
  kind,
  amountCents: cents,
  // What was held either came back or was spent.
  costCents: kind === 'settlement' ? -reservedCents - cents : null,
  jobId,
  reference,
  createdAt: createdAt.toISOString(),
});
