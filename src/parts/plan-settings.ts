import { createHash } from 'node:crypto';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { Env } from '@lib/settings/env';
import type { ProvidersFile } from '@lib/settings/providers-file';
import { canonicalJson } from '@lib/store/history/canonical-json';
import type { PlanSettings } from '../threads/plan';

export function planSettings(env: Env, identity: ProcessIdentity, providers: ProvidersFile): PlanSettings {
  const common = { queueMs: env.QUEUE_DEADLINE_MS, synthesisMs: env.SYNTHESIS_DEADLINE_MS };
  const deadlines = { fast: { ...common, jobMs: env.FAST_DEADLINE_MS }, methodical: { ...common, jobMs: env.METHODICAL_DEADLINE_MS } };
  // Percentages have at most two decimals: rounding only removes floating-point error.
  const markupBasisPoints = Math.round(env.MARKUP_PERCENT * 100);
  const settings = { caps: env.BUDGET_CAPS, providers, deadlines, markupBasisPoints, needsBalance: env.BALANCE === 'required' };
  // The settings hold no secrets: keys are kept elsewhere.
  const settingsSha256 = createHash('sha256').update(canonicalJson(settings)).digest('hex');
  return { ...settings, settingsSha256, process: identity };
}
