import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { SimulatedOptions } from '@lib/providers/simulated/options';

/** What differs from a provider that answers at once and charges nothing. */
export type SimulatedProviders = Partial<Record<ProviderId, Partial<SimulatedOptions> & { reserveCents?: number }>>;

/** Longer than any test runs. */
export const NEVER_MS = 3_600_000;
export const FAILING = { failureRate: 1, failureClass: 'auth' } as const;

/** Eight simulated providers with the shipped preferences and an alias; JSON is YAML too. */
export function writeProvidersFile(folder: string, differing: SimulatedProviders = {}): string {
  const providers = PROVIDERS.map((provider) => {
    const { reserveCents = 0, ...options } = differing[provider] ?? {};
    const aliases = provider === 'provider-a' ? ['perplexity'] : [];
    return [
      provider,
      {
        adapter: 'simulated',
        minReserveCents: reserveCents,
        maxReserveCents: reserveCents,
        aliases,
        options: { latencyMs: 0, ...options },
      },
    ];
  });
  const preference = [
    'provider-a',
    'provider-b',
    'provider-c',
    'provider-e',
    'provider-d',
    'provider-b-lite',
    'provider-c-mini',
    'provider-d-premium',
  ];
  const defaults = { preference, count: { XXS: 1, XS: 1, S: 1, M: 2, L: 3, XL: 8 } };
  const file = join(folder, 'providers.yaml');
  writeFileSync(file, JSON.stringify({ defaults, providers: Object.fromEntries(providers) }));
  return file;
}
