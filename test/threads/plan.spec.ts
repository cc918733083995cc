import { MINUTE_MS } from '@lib/domain/durations';
import type { BudgetTier, ResearchMode } from '@lib/domain/vocabulary';
import { ADAPTERS, KEY_VARIABLES } from '@lib/providers/registry';
import { readProvidersFile, type ProvidersFile } from '@lib/settings/providers-file';
import { planJob, type PlanRequest, type PlanSettings } from '../../src/threads/plan';
import { settingsOfPlan } from '../support/plan-settings';

const keys = Object.fromEntries(KEY_VARIABLES.map((name) => [name, 'a-key']));
const shipped = readProvidersFile(undefined, ADAPTERS, keys);

function providersOf(request: Partial<PlanRequest>, changes: Partial<PlanSettings> = {}): string[] {
  const settings = settingsOfPlan(changes);
  const { candidates } = planJob({ budget: 'M', mode: 'fast', spidering: false, ...request }, settings);
  return candidates.map(({ provider }) => provider);
}

/** Each provider typically takes so long. */
const taking = (seconds: number): ProvidersFile => ({
  ...shipped,
  providers: Object.fromEntries(
    Object.entries(shipped.providers).map(([name, entry]) => [name, { ...entry, typicalSeconds: { fast: seconds, methodical: seconds } }]),
  ) as ProvidersFile['providers'],
});

/** More than any budget. */
const PRICE = { minReserveCents: 7000, maxReserveCents: 9000 };

describe('a job whose client names nobody, with every key set', () => {
  it('goes to no deep research that cannot finish within the two minutes of a fast one', () => {
    expect(providersOf({})).toEqual(['provider-a', 'provider-c']);
    const inTime = shipped.defaults.preference.filter((provider) => provider !== 'provider-b');
    expect(providersOf({ budget: 'XL' })).toEqual(inTime);
  });

  it.each<[ResearchMode, BudgetTier, string[]]>([
    ['methodical', 'M', ['provider-a', 'provider-b']],
    ['fast', 'S', ['provider-a']],
  ])('takes the first of the preference that can: %s, %s', (mode, budget, wanted) => {
    expect(providersOf({ mode, budget })).toEqual(wanted);
  });

  it('takes whom it would pass over where the deadline leaves time for them', () => {
    const fast = { ...settingsOfPlan().deadlines.fast, jobMs: 15 * MINUTE_MS };
    expect(providersOf({}, { deadlines: { fast, methodical: fast } })).toEqual(['provider-a', 'provider-b']);
  });

  it('goes to none that cannot finish within its share of a methodical job, of which later ones keep some', () => {
    const methodical = (minutes: number) => ({ ...settingsOfPlan().deadlines.methodical, jobMs: minutes * MINUTE_MS });
    const planned = (minutes: number, budget: BudgetTier) =>
      providersOf({ mode: 'methodical', budget }, { deadlines: { ...settingsOfPlan().deadlines, methodical: methodical(minutes) } });
    // It takes 10 minutes; the first of two has three quarters of the time.
    expect(planned(13, 'M')).not.toContain('provider-b');
    expect(planned(14, 'M')).toContain('provider-b');
  });

  it('takes the preference as it stands where nobody can finish in time', () => {
    expect(providersOf({}, { providers: taking(121) })).toEqual(['provider-a', 'provider-b']);
    expect(providersOf({}, { providers: taking(120) })).toEqual(['provider-a', 'provider-b']);
  });

  it('takes those that cannot finish in time where the budget covers none of the others', () => {
    const dear = (name: string) => name !== 'provider-b';
    const providers = Object.entries(shipped.providers).map(([name, entry]) => [name, dear(name) ? { ...entry, ...PRICE } : entry]);
    const file = { ...shipped, providers: Object.fromEntries(providers) as ProvidersFile['providers'] };
    expect(providersOf({}, { providers: file })).toEqual(['provider-b']);
  });
});

it('a provider that the client names is planned, however long it takes', () => {
  expect(providersOf({ providers: ['provider-b'] })).toEqual(['provider-b']);
});
