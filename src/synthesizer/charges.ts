import { USAGE_COUNTS, type Charge, type Usage } from '@lib/domain/money';
import { PROVENANCES } from '@lib/domain/vocabulary';

/** Adds two charges. The sum is as certain as the less certain one, and keeps usage only if both have it at the same prices. */
export const sum = (one: Charge, other: Charge): Charge => ({
  micros: one.micros + other.micros,
  provenance: PROVENANCES.findLast((name) => name === one.provenance || name === other.provenance) ?? 'estimated',
  ...basisOf(one, other),
});

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
