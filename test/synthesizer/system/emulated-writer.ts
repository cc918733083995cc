import { readFileSync, writeFileSync } from 'node:fs';

import { PROVIDERS } from '@lib/domain/vocabulary';
import { startEmulator, type Emulator, type ReceivedRequest } from '../../../emulators/emulator';
import type { LedgerLine } from '../../../emulators/ledger';
import type { EmulatedApi } from '../../../emulators/wires';
import { EmulatedProviders, KEY } from '../../providers/system/emulated-providers';

export const RESERVE_CENTS = 40;
export const PRICE_DATE = '2026-11-21';

/** The adapters that a synthesis can name, each with its emulated API, a model of it and that model's prices as the emulator bills them. */
export const WRITERS = {
  openai: { api: 'openai', model: 'gpt-5.4-mini', input: 750_000, cached: 75_000, output: 4_500_000 },
  anthropic: { api: 'anthropic', model: 'claude-sonnet-5', input: 2_000_000, cached: 200_000, output: 10_000_000 },
  gemini: { api: 'gemini-grounded', model: 'gemini-3.6-flash', input: 1_500_000, cached: 150_000, output: 7_500_000 },
  'openai-compatible': { api: 'openai-compatible', model: 'vendor/model', input: 1_000_000, cached: 100_000, output: 4_000_000 },
} as const satisfies Record<string, { api: EmulatedApi; model: string; input: number; cached: number; output: number }>;
export type WriterAdapter = keyof typeof WRITERS;

/** Emulated providers, and an API of its own that writes the reports. What it counts, it counts from the start or the last `begin`. */
export class EmulatedWriter {
  private before = { lines: 0, requests: 0, providersMicros: 0 };

  private constructor(
    readonly providers: EmulatedProviders,
    readonly emulator: Emulator,
  ) {}

  /** @param changes what differs in the section `synthesis` */
  static async start(adapter: WriterAdapter, changes: object = {}): Promise<EmulatedWriter> {
    const providers = await EmulatedProviders.start();
    const { api, model, input, cached, output } = WRITERS[adapter];
    const emulator = await startEmulator(api, { key: KEY, workMs: 30 });
    const prices = {
      inputMicrosPerMillionTokens: input,
      cachedInputMicrosPerMillionTokens: cached,
      outputMicrosPerMillionTokens: output,
    };
    const section = { adapter, model, priceDate: PRICE_DATE, reserveCents: RESERVE_CENTS, maxOutputTokens: 8000, prices };
    const synthesis = { ...section, baseUrl: emulator.baseUrl, ...changes };
    writeFileSync(providers.file, JSON.stringify({ ...(JSON.parse(readFileSync(providers.file, 'utf8')) as object), synthesis }));
    return new EmulatedWriter(providers, emulator);
  }

  /** For one more test on the same service: all behave as documented again, and nothing is counted yet. */
  begin(): void {
    this.emulator.behave();
    for (const provider of PROVIDERS) this.providers.the(provider).behave();
    this.before = {
      lines: this.emulator.ledger.read().length,
      requests: this.emulator.requests.length,
      providersMicros: this.providers.chargedMicros,
    };
  }

  private get lines(): LedgerLine[] {
    return this.emulator.ledger.read().slice(this.before.lines);
  }

  calls(call: LedgerLine['call']): LedgerLine[] {
    return this.lines.filter((line) => line.call === call);
  }

  /** Right as long as the emulator has had no more requests than it remembers (200). */
  get requests(): readonly ReceivedRequest[] {
    return this.emulator.requests.slice(this.before.requests);
  }

  /** What it billed, in micro-dollars. */
  get chargedMicros(): number {
    return this.lines.reduce((sum, { chargedMicros }) => sum + chargedMicros, 0);
  }

  /** What the providers billed, in micro-dollars. */
  get providersMicros(): number {
    return this.providers.chargedMicros - this.before.providersMicros;
  }

  /** Resolves when it has been asked so often. */
  async reached(call: LedgerLine['call'], times = 1): Promise<void> {
    await this.emulator.ledger.until(() => this.calls(call).length >= times, AbortSignal.timeout(20_000));
  }

  async stop(): Promise<void> {
    await this.emulator.stop();
    await this.providers.stop();
  }
}
