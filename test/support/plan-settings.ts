import { MINUTE_MS } from '@lib/domain/durations';
import { ADAPTERS, KEY_VARIABLES } from '@lib/providers/registry';
import { readProvidersFile } from '@lib/settings/providers-file';
import type { PlanSettings } from '../../src/threads/plan';
import { PROCESS } from './store';

const deadlinesOf = (jobMs: number) => ({ queueMs: 86_400_000, jobMs, synthesisMs: 300_000 });

/** What jobs are planned by where every provider's key is set and nothing else. */
export const settingsOfPlan = (changes: Partial<PlanSettings> = {}): PlanSettings => ({
  caps: { XXS: 100, XS: 200, S: 500, M: 1500, L: 3000, XL: 6000 },
  providers: readProvidersFile(undefined, ADAPTERS, Object.fromEntries(KEY_VARIABLES.map((name) => [name, 'a-key']))),
  deadlines: { fast: deadlinesOf(2 * MINUTE_MS), methodical: deadlinesOf(20 * MINUTE_MS) },
  markupBasisPoints: 0,
  needsBalance: false,
  settingsSha256: 'ab'.repeat(32),
  process: PROCESS,
  ...changes,
});
