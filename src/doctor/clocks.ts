import { ok, warning, type Check, type Clock } from './check';

/** A larger difference cannot come from the network or from HTTP's whole seconds. */
const MAX_SKEW_MS = 5000;

/** Compares this machine's clock with others. Leases and deadlines use the database's clock, ours only timestamps what people read. */
export function checkClocks(clocks: readonly Clock[]): Check[] {
  if (clocks.length === 0) return [];
  const skew = ({ name, aheadMs }: Clock): string => `${name} ${aheadMs < 0 ? '−' : '+'}${(Math.abs(aheadMs) / 1000).toFixed(1)} s`;
  const detail = `beside this machine: ${clocks.map(skew).join(', ')}`;
  if (clocks.every(({ aheadMs }) => Math.abs(aheadMs) <= MAX_SKEW_MS)) return [ok('clock', detail)];
  return [warning('clock', detail, 'Set the clocks by NTP.')];
}
