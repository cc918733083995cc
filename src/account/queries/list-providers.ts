import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import { centsFromMicros, microsFromCents, withMarkup } from '@lib/domain/money';
import { BUDGET_TIERS, PROVIDERS, type BudgetTier, type ProviderId, type ResearchMode } from '@lib/domain/vocabulary';
import type { Gate } from '@lib/store/agenda/admission-table';
import type { Store } from '@lib/store/store';
import type { ProviderListView, ProviderView } from '@lib/store/views/account.view';
import { planJob, type PlanSettings } from '../../threads/plan';
import { PLAN_SETTINGS, STORE } from '../../api/tokens';

/** Whom jobs can ask, and for how much: the same for every tenant. */
export class ListProviders extends Query<ProviderListView> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@QueryHandler(ListProviders)
export class ListProvidersHandler implements IQueryHandler<ListProviders> {
  constructor(
    @Inject(STORE) private readonly store: Store,
    @Inject(PLAN_SETTINGS) private readonly settings: PlanSettings,
  ) {}

  async execute({ tenantId }: ListProviders): Promise<ProviderListView> {
    const gates = await this.store.admission.gates(tenantId);
    return {
      providers: PROVIDERS.map((provider) => this.providerView(provider, gates.get(provider))),
      tiers: BUDGET_TIERS.map((budgetTier) => ({
        budgetTier,
        capCents: this.settings.caps[budgetTier],
        defaultProviders: { fast: this.defaults(budgetTier, 'fast'), methodical: this.defaults(budgetTier, 'methodical') },
      })),
    };
  }

  private providerView(id: ProviderId, gate: Gate | undefined): ProviderView {
    const { aliases, adapter, model, priceDate, minReserveCents, maxReserveCents, typicalSeconds } = this.settings.providers.providers[id];
    const isUsable = !gate || (!gate.down && gate.heldMs <= 0);
    return {
      id,
      aliases: [...aliases],
      adapter,
      model,
      priceDate,
      minReserveCents: this.withMarkup(minReserveCents),
      maxReserveCents: this.withMarkup(maxReserveCents),
      typicalSeconds: { fast: typicalSeconds.fast, methodical: typicalSeconds.methodical },
      isUsable,
      retryAfterSeconds: isUsable ? null : Math.max(0, Math.ceil(gate.heldMs / 1000)),
    };
  }

  /** The providers of a job of this tier that names none; empty if none fits under its cap. */
  private defaults(budget: BudgetTier, mode: ResearchMode): ProviderId[] {
    try {
      return planJob({ budget, mode, spidering: false }, this.settings).candidates.map(({ provider }) => provider);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'budget_too_small') return [];
      throw error;
    }
  }

  private withMarkup(cents: number): number {
    return centsFromMicros(withMarkup(microsFromCents(cents), this.settings.markupBasisPoints));
  }
}
