import type { DynamicModule } from '@nestjs/common';
import type { Env } from '@lib/settings/env';
import { resolveProvider, type ProvidersFile } from '@lib/settings/providers-file';
import { createKeyVerifier, type VerifyKey } from '@lib/store/access/verify-key';
import type { Store } from '@lib/store/store';
import { Reader } from '@lib/store/views/reader';
import { ApiModule } from './api/api.module';
import type { HealthCheck } from './api/health';
import { AddMessageHandler } from './threads/commands/add-message';
import { CancelJobHandler } from './threads/commands/cancel-job';
import { CreateThreadHandler } from './threads/commands/create-thread';
import { DeleteThreadHandler } from './threads/commands/delete-thread';
import { PursueJobHandler } from './threads/commands/pursue-job';
import type { PlanSettings } from './threads/plan';
import { PLAN_SETTINGS, STORE } from './threads/tokens';

/** The api's routes over the store, and who may use them. */
export function apiModule(
  env: Env,
  file: ProvidersFile,
  { store, pepper }: { store: Store; pepper: string },
  healthChecks: HealthCheck[],
): { module: DynamicModule; verifyKey: VerifyKey } {
  const module = ApiModule.register({
    resolveProvider: (name) => resolveProvider(file, name) ?? name,
    healthChecks,
    providers: [
      { provide: STORE, useValue: store },
      { provide: Reader, useValue: store.views },
      { provide: PLAN_SETTINGS, useValue: planSettings(env, file) },
      CreateThreadHandler,
      AddMessageHandler,
      PursueJobHandler,
      CancelJobHandler,
      DeleteThreadHandler,
    ],
  });
  return { module, verifyKey: createKeyVerifier({ pool: store.pool, pepper }) };
}

function planSettings(env: Env, providers: ProvidersFile): PlanSettings {
  const common = { queueMs: env.QUEUE_DEADLINE_MS, synthesisMs: env.SYNTHESIS_DEADLINE_MS };
  const deadlines = { fast: { ...common, jobMs: env.FAST_DEADLINE_MS }, methodical: { ...common, jobMs: env.METHODICAL_DEADLINE_MS } };
  // Percents have at most two decimals: rounding only undoes what a binary fraction added.
  return { caps: env.BUDGET_CAPS, providers, deadlines, markupBasisPoints: Math.round(env.MARKUP_PERCENT * 100) };
}
