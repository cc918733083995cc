import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { AuditedEvent, Fault } from '../audited-event';
import { readPrices } from '../format/bundle/lines';

type Counts = Record<'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'searches', number | null>;
type Table = Record<string, number>;

const TOKENS_PER_PRICE = 1_000_000;

/** The price tables of a bundle; checks the charges that were computed by them. */
export class PriceTables {
  /** Computed charges that could not be recomputed, since the exporter did not have their table any more. */
  unchecked = 0;
  /** By the digest; null if the exporter did not have it. */
  private readonly tables = new Map<string, Table | null>();

  /** @throws Error that tells the problem with the line */
  add(line: string): void {
    const { sha256, prices } = readPrices(line);
    if (prices === null) {
      // A line of the same digest may have it.
      this.tables.set(sha256, this.tables.get(sha256) ?? null);
      return;
    }
    const digest = createHash('sha256')
      .update(canonicalize(prices) ?? '')
      .digest('hex');
    if (digest !== sha256) throw new Error('is not the table whose digest it names');
    this.tables.set(sha256, prices);
  }

  /** @returns null if the charge is right, or cannot be recomputed */
  faultOf({ streamId, version, facts }: AuditedEvent): Fault | null {
    const { charge, calls } = facts as { charge?: Partial<Record<string, unknown>> | null; calls?: unknown };
    if (!charge || typeof charge.pricesSha256 !== 'string') return null;
    const table = this.tables.get(charge.pricesSha256);
    const field = 'facts.charge';
    // A line is written for every digest that an event names.
    if (table === undefined)
      return { streamId, version, field, what: `prices.jsonl has no line of its price table ${charge.pricesSha256}` };
    if (charge.provenance !== 'computed') return null;
    if (table === null) {
      this.unchecked += 1;
      return null;
    }
    const least = computed(charge.usage as Counts, table);
    const micros = Number(charge.micros);
    // With several calls, each is rounded up on its own.
    const most = least + (Array.isArray(calls) ? calls.length : 0);
    if (micros >= least && micros <= most) return null;
    const what = `says ${micros} micro-dollars, and by its usage and price table it is ${least}`;
    return { streamId, version, field, what };
  }
}

function computed({ inputTokens, cachedInputTokens, outputTokens, searches }: Counts, table: Table): number {
  const input = inputTokens ?? 0;
  const cached = Math.min(cachedInputTokens ?? 0, input);
  const price = (name: string): number => table[name] ?? NaN;
  const tokens =
    (input - cached) * price('inputMicrosPerMillionTokens') +
    cached * price('cachedInputMicrosPerMillionTokens') +
    (outputTokens ?? 0) * price('outputMicrosPerMillionTokens');
  return Math.ceil(tokens / TOKENS_PER_PRICE) + (searches ?? 0) * price('perSearchMicros');
}
