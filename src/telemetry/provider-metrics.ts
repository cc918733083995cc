import type { StepResult } from '@lib/domain/job/commands';
import { MICROS_PER_DOLLAR } from '@lib/domain/money';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Metrics } from './metrics';

/** Measures calls of providers as the worker sees them, whatever the saga makes of their results. */
export const measureCalls =
  ({ providerCalls, providerBilled }: Metrics) =>
  (provider: ProviderId, result: StepResult | null, seconds: number): void => {
    const outcome = result?.outcome ?? 'left';
    providerCalls.observe({ provider, outcome, failure: result?.outcome === 'failed' ? result.errorClass : '' }, seconds);
    if (result?.charge) providerBilled.inc({ provider, outcome }, result.charge.micros / MICROS_PER_DOLLAR);
  };
