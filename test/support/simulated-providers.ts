import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { LedgerEntry } from '@lib/providers/simulated/ledger';
import type { SimulatedOptions } from '@lib/providers/simulated/options';

/** Answers while its caller waits; a run takes moments. */
export const QUICK: ProviderId = 'provider-a';
/** Runs go on at the provider whoever waits for them, and every tenth fails. */
const QUICK_BACKGROUND: ProviderId = 'provider-b';
/** A run takes longer than an outage; it is lost with its caller. */
export const SLOW: ProviderId = 'provider-c';
export const SLOW_BACKGROUND: ProviderId = 'provider-d';
/** As `SLOW`, for outages that have to be longer. */
export const SLOWEST: ProviderId = 'provider-e';

/** What one run of `SLOW` costs, in cents. */
export const SLOW_COST_CENTS = 15;

const OPTIONS: Partial<Record<ProviderId, Partial<SimulatedOptions>>> = {
  [QUICK]: { latencyMs: 100, costCents: 12 },
  [QUICK_BACKGROUND]: { latencyMs: 600, costCents: 20, background: true, failureRate: 0.1, failureClass: 'overloaded' },
  [SLOW]: { latencyMs: 6000, costCents: SLOW_COST_CENTS },
  [SLOW_BACKGROUND]: { latencyMs: 3000, costCents: 20, background: true },
  [SLOWEST]: { latencyMs: 11_000, costCents: 15 },
};

const LEDGER = /^ledger-.*\.jsonl$/;

/** A providers file in which every provider is simulated and keeps one ledger of its calls, on disk before each call goes on. */
export function simulatedProviders(folder: string, name: string, reportBytes = 800): string {
  const ledgerFile = join(folder, `ledger-${name}.jsonl`);
  const entry = (provider: ProviderId) => ({
    adapter: 'simulated',
    minReserveCents: 10,
    maxReserveCents: 50,
    options: { reportBytes, citations: 3, ledgerFile, ...OPTIONS[provider] },
  });
  return JSON.stringify({
    defaults: { preference: [QUICK, QUICK_BACKGROUND], count: { XXS: 1, XS: 1, S: 2, M: 2, L: 2, XL: 2 } },
    providers: Object.fromEntries(PROVIDERS.map((provider) => [provider, entry(provider)])),
  });
}

/** All calls that the providers saw, by the process that made them. */
export function readLedgers(folder: string): Map<string, LedgerEntry[]> {
  const files = readdirSync(folder).filter((name) => LEDGER.test(name));
  // A line that is just being written is not yet a call.
  const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1);
  return new Map(files.map((file) => [file, linesOf(file).map((line) => JSON.parse(line) as LedgerEntry)]));
}
