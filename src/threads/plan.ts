import { chooseByPreference, refuseTier, reserve, type BudgetCaps, type PlanCandidate } from '@lib/domain/budget';
import type { RequestJob } from '@lib/domain/job/commands';
import type { Asked, Deadlines } from '@lib/domain/job/facts';
import { shareOfTime } from '@lib/domain/job/time-left';
import { microsFromCents, withMarkup } from '@lib/domain/money';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { BudgetTier, ProviderId, ResearchMode } from '@lib/domain/vocabulary';
import type { ProvidersFile } from '@lib/settings/providers-file';
import { newId } from '@lib/store/new-id';

/** The settings that a job is planned by; no provider key is needed. */
export interface PlanSettings {
  caps: BudgetCaps;
  providers: ProvidersFile;
  deadlines: Record<ResearchMode, Deadlines>;
  /** Markup on what providers bill; 100 basis points are one percent. */
  markupBasisPoints: number;
  /** Whether a job reserves its cap on its tenant's balance. */
  needsBalance: boolean;
  /** Digest of these settings. */
  settingsSha256: string;
  /** The process that plans. */
  process: ProcessIdentity;
}

/** What a client asks of a job. */
export interface PlanRequest {
  budget: BudgetTier;
  mode: ResearchMode;
  spidering: boolean;
  providers?: readonly ProviderId[] | undefined;
}

type Plan = Omit<RequestJob, 'type' | 'tenantId' | 'threadId' | 'parentJobId' | 'query' | 'messageId'>;

/**
 * @param sent the properties that the client sent: the others have their defaults
 * @throws DomainError `budget_too_small` if none of the providers fits under the tier's cap
 */
export function planJob(request: PlanRequest, settings: PlanSettings, sent: ReadonlySet<string> = new Set()): Plan {
  const { budget, mode, spidering, providers } = request;
  const { caps, deadlines, markupBasisPoints } = settings;
  const { preference, count } = settings.providers.defaults;
  // Without a model a report costs nothing.
  const synthesisReserveMicros = withMarkup(microsFromCents(settings.providers.synthesis?.reserveCents ?? 0), markupBasisPoints);
  const budgetMicros = microsFromCents(caps[budget]) - synthesisReserveMicros;
  const wanted = (providers ?? preference).map((provider) => candidateFor(provider, settings));
  const choose = (from: readonly PlanCandidate[]) => chooseByPreference(from, count[budget], budgetMicros);
  const waves = mode === 'methodical' ? Math.min(count[budget], wanted.length) : 1;
  const quick = choose(wanted.filter(({ provider }) => isInTime(provider, mode, waves, settings)));
  const candidates = providers ? wanted : quick.length > 0 ? quick : choose(wanted);
  const fits = reserve(candidates, budgetMicros).some(({ reservedMicros }) => reservedMicros !== null);
  if (!fits) refuseTier(budget, wanted, synthesisReserveMicros, caps);
  return {
    budgetTier: budget,
    budgetCapCents: caps[budget],
    researchMode: mode,
    spideringEnabled: spidering,
    markupBasisPoints,
    synthesisReserveMicros,
    deadlines: deadlines[mode],
    balanceReservedCents: settings.needsBalance ? caps[budget] : undefined,
    candidates,
    asked: askedOf(request, sent),
    settingsSha256: settings.settingsSha256,
    process: settings.process,
  };
}

const askedOf = ({ budget, mode, spidering, providers }: PlanRequest, sent: ReadonlySet<string>): Asked => ({
  budgetTier: sent.has('budget') ? budget : null,
  researchMode: sent.has('mode') ? mode : null,
  spideringEnabled: sent.has('spidering') ? spidering : null,
  providers: providers ? [...providers] : null,
});

/**
 * Whether the provider typically finishes within its share of the job's time: the run of a slower one would be paid for and thrown away. If the
 * budget covers no fast enough provider, slower ones may try.
 */
const isInTime = (provider: ProviderId, mode: ResearchMode, waves: number, { providers, deadlines }: PlanSettings): boolean =>
  providers.providers[provider].typicalSeconds[mode] * 1000 <= deadlines[mode].jobMs * shareOfTime(waves);

/** Reservations are in the customer's money: what the provider may bill, plus the markup. */
function candidateFor(provider: ProviderId, { providers, markupBasisPoints }: PlanSettings): PlanCandidate {
  const { adapter, model, priceDate, minReserveCents, maxReserveCents } = providers.providers[provider];
  return {
    stepId: newId('stp'),
    provider,
    adapter,
    model,
    priceDate,
    minReserveMicros: withMarkup(microsFromCents(minReserveCents), markupBasisPoints),
    maxReserveMicros: withMarkup(microsFromCents(maxReserveCents), markupBasisPoints),
  };
}
