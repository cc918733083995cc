import { chooseByPreference, refuseTier, reserve, type BudgetCaps, type PlanCandidate } from '@lib/domain/budget';
import type { RequestJob } from '@lib/domain/job-commands';
import type { Deadlines } from '@lib/domain/job-events';
import { microsFromCents } from '@lib/domain/money';
import type { BudgetTier, ProviderId, ResearchMode } from '@lib/domain/vocabulary';
import type { ProvidersFile } from '@lib/settings/providers-file';
import { newId } from '@lib/store/new-id';

/** What a job is planned by: it needs no provider's key. */
export interface PlanSettings {
  caps: BudgetCaps;
  providers: ProvidersFile;
  deadlines: Record<ResearchMode, Deadlines>;
}

/** The deterministic synthesizer costs nothing. */
const SYNTHESIS_RESERVE_MICROS = 0;

/** What a client asks of a job. */
export interface PlanRequest {
  budget: BudgetTier;
  mode: ResearchMode;
  spidering: boolean;
  providers?: readonly ProviderId[] | undefined;
}

type Plan = Omit<RequestJob, 'type' | 'tenantId' | 'threadId' | 'parentJobId' | 'query'>;

/** @throws DomainError `budget_too_small` if none of the providers fits under the tier's cap */
export function planJob({ budget, mode, spidering, providers }: PlanRequest, settings: PlanSettings): Plan {
  const { caps, deadlines } = settings;
  const { preference, count } = settings.providers.defaults;
  const budgetMicros = microsFromCents(caps[budget]) - SYNTHESIS_RESERVE_MICROS;
  const wanted = (providers ?? preference).map((provider) => candidateFor(provider, settings.providers));
  const candidates = providers ? wanted : chooseByPreference(wanted, count[budget], budgetMicros);
  const fits = reserve(candidates, budgetMicros).some(({ reservedMicros }) => reservedMicros !== null);
  if (!fits) refuseTier(budget, wanted, SYNTHESIS_RESERVE_MICROS, caps);
  return {
    budgetTier: budget,
    budgetCapCents: caps[budget],
    researchMode: mode,
    spideringEnabled: spidering,
    synthesisReserveMicros: SYNTHESIS_RESERVE_MICROS,
    deadlines: deadlines[mode],
    candidates,
  };
}

function candidateFor(provider: ProviderId, { providers }: ProvidersFile): PlanCandidate {
  const { adapter, model, priceDate, minReserveCents, maxReserveCents } = providers[provider];
  return {
    stepId: newId('stp'),
    provider,
    adapter,
    model,
    priceDate,
    minReserveMicros: microsFromCents(minReserveCents),
    maxReserveMicros: microsFromCents(maxReserveCents),
  };
}
