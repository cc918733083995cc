import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { parse } from 'yaml';

import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { KEY_VARIABLES } from '@lib/providers/registry';

import { startEmulator, type Emulator } from '../../../emulators/emulator';
import type { LedgerLine } from '../../../emulators/ledger';
import type { EmulatedApi } from '../../../emulators/wires';

/** As no test may find it anywhere but in a header. */
export const KEY = 'sk-emulated-0123456789abcdef';
const POLL_MS = 20;
const SHIPPED = resolve(__dirname, '../../../providers.yaml');

interface ShippedFile {
  defaults: object;
  providers: Record<ProviderId, { aliases: string[]; withKey: { adapter: EmulatedApi; options: object } }>;
}

/** What differs from the shipped entry. */
interface Changes {
  minReserveCents?: number;
  maxReserveCents?: number;
  concurrency?: number;
  /** With the model and the options that belong to it. */
  adapter?: EmulatedApi;
  model?: string;
  options?: object;
}

/** The real adapters as they are shipped, each identifier with an emulated API of its own. */
export class EmulatedProviders {
  private constructor(
    private readonly emulators: ReadonlyMap<ProviderId, Emulator>,
    private readonly folder: string,
    readonly file: string,
  ) {}

  static async start(changes: Partial<Record<ProviderId, Changes>> = {}, workMs = 30): Promise<EmulatedProviders> {
    const { defaults, providers } = parse(readFileSync(SHIPPED, 'utf8')) as ShippedFile;
    const emulators = new Map<ProviderId, Emulator>();
    const entries: Record<string, object> = {};
    for (const provider of PROVIDERS) {
      const { aliases, withKey } = providers[provider];
      const entry = { ...withKey, ...changes[provider] };
      const emulator = await startEmulator(entry.adapter, { key: KEY, workMs });
      emulators.set(provider, emulator);
      const options = { ...entry.options, baseUrl: emulator.baseUrl, ...(emulator.canBePolled && { pollMs: POLL_MS }) };
      entries[provider] = { ...entry, aliases, options };
    }
    const folder = mkdtempSync(join(tmpdir(), 'emulated-providers-'));
    const file = join(folder, 'providers.yaml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ defaults, providers: entries }));
    return new EmulatedProviders(emulators, folder, file);
  }

  /** What a process with workers needs. */
  get environment(): Record<string, string> {
    const keys = Object.fromEntries(KEY_VARIABLES.map((name) => [name, KEY]));
    return { PROVIDERS_FILE: this.file, ...keys };
  }

  the(provider: ProviderId): Emulator {
    const emulator = this.emulators.get(provider);
    if (!emulator) throw new Error(`No emulator stands for ${provider}`);
    return emulator;
  }

  calls(provider: ProviderId, call: LedgerLine['call']): LedgerLine[] {
    return this.the(provider)
      .ledger.read()
      .filter((line) => line.call === call);
  }

  /** Resolves when that provider has been asked so, or has charged, so often. */
  async reached(provider: ProviderId, call: LedgerLine['call'], times = 1): Promise<void> {
    const isThere = (lines: readonly LedgerLine[]): boolean => lines.filter((line) => line.call === call).length >= times;
    await this.the(provider).ledger.until(isThere, AbortSignal.timeout(20_000));
  }

  /** What all of them billed, in micro-dollars. */
  get chargedMicros(): number {
    return [...this.emulators.values()].reduce((sum, { chargedMicros }) => sum + chargedMicros, 0);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.emulators.values()].map((emulator) => emulator.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
