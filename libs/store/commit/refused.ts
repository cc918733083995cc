import { type DomainError, InsufficientBalance, LimitReached } from '@lib/domain/errors';
import type { RecordedRequest } from '../requests/idempotent-requests';
import type { Appended, BeyondLimit, NotRecorded, SetAside } from './append';
import type { PendingUnit } from './decide-unit';

/** What was not written, and why. */
export interface Refused {
  threads: ReadonlyMap<string, SetAside>;
  requests: ReadonlyMap<RecordedRequest, NotRecorded>;
  /** By the job that the balance does not cover: the remaining balance, in cents. */
  balances: ReadonlyMap<string, number>;
  /** By the job that exceeds a limit. */
  beyond: Appended['beyond'];
}

export const NOTHING_REFUSED: Refused = { threads: new Map(), requests: new Map(), balances: new Map(), beyond: new Map() };

/** Each try removes at least one job that takes room although no balance covers it. The bound keeps a flood of them from being tried for ever. */
const MAX_ROOMLESS_TRIES = 8;

/**
 * The result of a unit that was refused; undefined if nothing of it was.
 * @param setAside why nothing was written for its thread, if nothing was
 * @param now by the database's clock
 */
export function resultOfRefused(
  pending: PendingUnit,
  setAside: SetAside | undefined,
  refused: Refused,
  now: string,
): NotRecorded | 'locked' | 'stale' | PromiseRejectedResult | undefined {
  const { request } = pending.unit;
  const notRecorded = request && refused.requests.get(request);
  if (notRecorded) return notRecorded;
  if (setAside === 'locked') return 'locked';
  const refusal = refusalOf(pending, refused, now);
  if (refusal) return { status: 'rejected', reason: refusal };
  return setAside && 'stale';
}

/** Whether a limit refused a new job of the unit although there may be room for it. */
export const mayFitLater = ({ unit }: PendingUnit, { beyond }: Refused): boolean =>
  unit.commands.some(({ streamId }) => beyond.get(streamId)?.mayFit);

/**
 * The error for a unit with a new job that a balance or a limit refused; null for other units of its thread, and for one that may fit
 * without jobs that a balance does not cover: these are decided again.
 */
function refusalOf({ unit, roomlessTries = 0 }: PendingUnit, { balances, beyond }: Refused, now: string): DomainError | null {
  for (const { streamId, command } of unit.commands) {
    if (command.type !== 'RequestJob') continue;
    const balanceCents = balances.get(streamId);
    if (balanceCents !== undefined) return new InsufficientBalance(balanceCents, command.balanceReservedCents ?? 0);
    const limit = beyond.get(streamId);
    if (limit?.mayFit && roomlessTries < MAX_ROOMLESS_TRIES) return null;
    if (limit) return limitReached(limit, command.budgetCapCents, now);
  }
  return null;
}

function limitReached({ limits, byCents, used }: BeyondLimit, required: number, at: string): LimitReached {
  const { keyId, openJobs, dailyCents } = limits;
  if (!byCents) return new LimitReached(keyId, { code: 'too_many_open_jobs', most: openJobs ?? 0 });
  return new LimitReached(keyId, { code: 'daily_limit', most: dailyCents ?? 0, used, required, at });
}
