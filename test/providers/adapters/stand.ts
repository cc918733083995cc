import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

import { research } from '@lib/providers/research';
import { ProviderError, type ResearchProvider, type ResearchReport, type ResearchRequest } from '@lib/providers/research-provider';

import { startEmulator, type Emulator } from '../../../emulators/emulator';
import type { LedgerLine } from '../../../emulators/ledger';
import type { Wire } from '../../../emulators/wire';
import { WIRES, type EmulatedApi } from '../../../emulators/wires';
import { requestOf } from '../request';

/** A key as no test may find it anywhere but in a header. */
const KEY = 'sk-emulated-0123456789abcdef';
export const RESERVED_MICROS = 3_000_000;

export interface AdapterUnderTest {
  api: EmulatedApi;
  model: string;
  /** False for an API that takes no limits: its reservation has to cover the worst case that its agent is known for. */
  limitable: boolean;
  /** The adapter, pointed at the emulator; it polls every few milliseconds. */
  create(baseUrl: string, key: string): ResearchProvider | Promise<ResearchProvider>;
}

export interface AttemptOptions {
  deadlineMs?: number;
  reservedMicros?: number;
  maxResponseBytes?: number;
  signal?: AbortSignal;
  /** A run to resume. */
  externalId?: string;
  onStarted?: (externalId: string) => void;
}

export interface Attempted {
  report: ResearchReport | null;
  /** What was thrown if there is no report. */
  error: unknown;
  /** The run ids that were recorded. */
  started: string[];
  /** What the house books for this attempt: the charge where it is known, else the reservation. */
  bookedMicros: number;
}

/** An adapter and the emulated API that it talks to. */
export class Stand {
  readonly wire: Wire;

  private constructor(
    readonly emulator: Emulator,
    readonly provider: ResearchProvider,
    private readonly adapter: AdapterUnderTest,
  ) {
    this.wire = WIRES[adapter.api];
  }

  /** The emulator stops when the test ends. */
  static async build(adapter: AdapterUnderTest, behaviours = '', workMs = 20): Promise<Stand> {
    const wire: Wire = WIRES[adapter.api];
    const emulator = await startEmulator(adapter.api, { workMs, ...(!wire.keyOptional && { key: KEY }) });
    emulator.behave(behaviours);
    opened.push(emulator);
    return new Stand(emulator, await adapter.create(emulator.baseUrl, KEY), adapter);
  }

  /** One attempt as a worker makes it. */
  async attempt(options: AttemptOptions = {}, provider = this.provider): Promise<Attempted> {
    const { deadlineMs = 10_000, reservedMicros = RESERVED_MICROS, maxResponseBytes = 4_000_000, externalId = null, signal } = options;
    const started: string[] = [];
    const limits = { deadlineMs, reservedMicros, maxResponseBytes };
    const request: Partial<ResearchRequest> = { limits, model: this.adapter.model, ...(signal && { signal }) };
    const record = async (id: string): Promise<void> => {
      started.push(id);
      options.onStarted?.(id);
    };
    try {
      const { report } = await research(provider, requestOf(request), { externalId, started: record, wait: briefly });
      return { report, error: null, started, bookedMicros: report.charge.micros };
    } catch (error) {
      const charge = error instanceof ProviderError ? error.details.charge : undefined;
      return { report: null, error, started, bookedMicros: charge?.micros ?? reservedMicros };
    }
  }

  lines(call: LedgerLine['call']): LedgerLine[] {
    return this.emulator.ledger.read().filter((line) => line.call === call);
  }

  /** Resolves when the provider has been asked so, or has charged. */
  async reached(call: LedgerLine['call']): Promise<void> {
    await this.emulator.ledger.until((lines) => lines.some((line) => line.call === call), AbortSignal.timeout(10_000));
  }

  /** Resolves when every run that was begun has ended and been billed. */
  async settled(): Promise<void> {
    const runs = (lines: readonly LedgerLine[], call: string): number =>
      lines.filter((line) => line.call === call && line.runId !== null).length;
    await this.emulator.ledger.until((lines) => runs(lines, 'charge') === runs(lines, 'submit'), AbortSignal.timeout(10_000));
  }

  /** What holds after an attempt, whatever the provider did. */
  expectSound({ report, error, bookedMicros }: Attempted, reservedMicros = RESERVED_MICROS): void {
    expect(this.lines('submit').length).toBeLessThanOrEqual(1);
    expect(this.lines('charge').length).toBeLessThanOrEqual(1);
    expect(Number.isSafeInteger(bookedMicros)).toBe(true);
    expect(bookedMicros).toBeGreaterThanOrEqual(Math.min(this.emulator.chargedMicros, reservedMicros));
    const texts = [inspect(error, { depth: 8 }), JSON.stringify(report), JSON.stringify(this.emulator.requests)];
    for (const text of texts) expect(text).not.toContain(KEY);
    if (error !== null) expect(error).toBeInstanceOf(Error);
    if (error instanceof ProviderError) expect(error.message.length).toBeLessThanOrEqual(500);
  }

  /** The provider was told to stop: by its own call if it has one and the run's id was known, else by the end of the connection. */
  async expectStopped({ started }: Attempted): Promise<void> {
    await this.reached(this.wire.cancel && started.length > 0 ? 'cancel' : 'disconnect');
  }
}

/** A poll that failed is repeated after seconds. */
const briefly = (milliseconds: number, signal: AbortSignal): Promise<unknown> => sleep(Math.min(milliseconds, 50), undefined, { signal });

const opened: Emulator[] = [];
afterEach(() => Promise.all(opened.splice(0).map((emulator) => emulator.stop())));

/** The error of an attempt without a report. */
export function failureOf({ error, report }: Attempted): ProviderError {
  expect(report).toBeNull();
  if (!(error instanceof ProviderError)) throw error;
  return error;
}
