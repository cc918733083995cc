import { PROVENANCES, type Provenance } from './vocabulary';

/** What a run used according to the provider; null where the provider did not tell. */
export interface Usage {
  /** All input tokens, including cached ones. */
  inputTokens: number | null;
  cachedInputTokens: number | null;
  /** All output tokens, including reasoning. */
  outputTokens: number | null;
  searches: number | null;
}

export const USAGE_COUNTS = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'searches'] as const satisfies (keyof Usage)[];

/** What a provider billed for a run, in micro-dollars without markup, and how we know it. */
export interface Charge {
  micros: number;
  provenance: Provenance;
  /** The counts from which a computed charge can be recomputed; absent where the provider told no usage. */
  usage?: Usage;
  /** SHA-256 of the price table as RFC 8785 JSON; absent if none was used. */
  pricesSha256?: string;
}

/** Of what is free, or was never asked of a provider. */
export const NO_CHARGE: Charge = { micros: 0, provenance: 'reported' };

/** The cost of a failed run. An estimate is left out: while the charge is unknown, the reservation counts. */
export const knownCharge = (charge: Charge | undefined): Charge | undefined => (charge?.provenance === 'estimated' ? undefined : charge);

/** The sum is as certain as the less certain charge, and keeps usage only if both have it at the same prices. */
export const addCharges = (one: Charge, other: Charge): Charge => ({
  micros: one.micros + other.micros,
  provenance: PROVENANCES.findLast((name) => name === one.provenance || name === other.provenance) ?? 'estimated',
  ...basisOf(one, other),
});

/** The sum of two calls; what is known of it, as an estimate, if only one charge is known; null if nothing is known. */
export function addKnown(one: Charge | null, other: Charge | null): Charge | null {
  if (one && other) return addCharges(one, other);
  const known = one ?? other;
  return known && known.micros > 0 ? { ...known, provenance: 'estimated' } : null;
}

function basisOf(one: Charge, other: Charge): Pick<Charge, 'usage' | 'pricesSha256'> {
  if (one.micros === 0 && !one.usage) return basis(other);
  if (other.micros === 0 && !other.usage) return basis(one);
  if (!one.usage || !other.usage || one.pricesSha256 !== other.pricesSha256) return {};
  const usage = { ...one.usage };
  for (const name of USAGE_COUNTS) usage[name] = added(one.usage[name], other.usage[name]);
  return { usage, ...(one.pricesSha256 !== undefined && { pricesSha256: one.pricesSha256 }) };
}

const basis = ({ usage, pricesSha256 }: Charge) => ({ ...(usage && { usage }), ...(pricesSha256 !== undefined && { pricesSha256 }) });

const added = (one: number | null, other: number | null): Usage[keyof Usage] => (one === null || other === null ? null : one + other);

/** A larger charge than a million dollars is a mistake. Sums of such amounts stay exact even with the largest markup. */
export const MAX_CHARGE_MICROS = 1e12;

const PLAUSIBLE_TIMES = 100;
/** Up to this amount, a hundred dollars, no charge counts as wrong. */
export const PLAUSIBLE_CHARGE_MICROS = 1e8;

/** A charge above a hundred times its run's reservation is a mistake or a lie: it is cut to that amount and counts as an estimate. */
export function plausibleCharge(charge: Charge, reservedMicros: number): Charge {
  const most = Math.max(PLAUSIBLE_TIMES * reservedMicros, PLAUSIBLE_CHARGE_MICROS);
  return charge.micros <= most ? charge : { ...charge, micros: most, provenance: 'estimated' };
}

/** Money is counted in integer micro-dollars internally, and in integer cents at the edges. */
export const MICROS_PER_CENT = 10_000;
export const MICROS_PER_DOLLAR = 100 * MICROS_PER_CENT;

export const microsFromCents = (cents: number): number => cents * MICROS_PER_CENT;

/** Rounds up, so that a shown sum is never below the real cost. Call it once, on a job's total. */
export const centsFromMicros = (micros: number): number => Math.ceil(micros / MICROS_PER_CENT);

/** A markup is a share of the provider's price in basis points; 100 are one percent. */
const MARKUP_UNIT = 10_000;

/** What the customer pays for a provider's charge, rounded up. Multiplies whole units first, so that products stay safe integers. */
export function withMarkup(providerMicros: number, markupBasisPoints: number): number {
  const rest = providerMicros % MARKUP_UNIT;
  const whole = (providerMicros - rest) / MARKUP_UNIT;
  return providerMicros + whole * markupBasisPoints + Math.ceil((rest * markupBasisPoints) / MARKUP_UNIT);
}

/** The largest provider charge for which the customer pays at most this amount, rounded down. */
export function beforeMarkup(customerMicros: number, markupBasisPoints: number): number {
  const marked = MARKUP_UNIT + markupBasisPoints;
  const rest = customerMicros % marked;
  return ((customerMicros - rest) / marked) * MARKUP_UNIT + Math.floor((rest * MARKUP_UNIT) / marked);
}
