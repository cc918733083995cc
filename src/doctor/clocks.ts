import { ok, warning, type Check, type Clock } from './check';

/** More than the way of an answer and the whole seconds of HTTP can explain. */
const LARGEST_SKEW_MS = 5000;

/** The clock of this machine against others. Leases and deadlines count on the database's; ours dates what people read. */
export function checkClocks(clocks: readonly Clock[]): Check[] {
  if (clocks.length === 0) return [];
  const skew = ({ name, aheadMs }: Clock): string => `${name} ${aheadMs < 0 ? '−' : '+'}${(Math.abs(aheadMs) / 1000).toFixed(1)} s`;
  const detail = `beside this machine: ${clocks.map(skew).join(', ')}`;
  if (clocks.every(({ aheadMs }) => Math.abs(aheadMs) <= LARGEST_SKEW_MS)) return [ok('clock', detail)];
  return [warning('clock', detail, 'Set the clocks by NTP.')];
}
