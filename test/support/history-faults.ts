import { isFinalEvent } from '@lib/domain/job/events';
import { committedMicros, reservedMicros } from '@lib/domain/job/reservations';
import { evolveJob, initialJob } from '@lib/domain/job/state';
import { microsFromCents } from '@lib/domain/money';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { CHAIN_START } from '@lib/store/history/event-record';
import { asJobEvent, type StoredRow } from './histories';

/** Whatever of a job may still be recorded after it ended. */
const AFTER_THE_END = new Set(['StepResultLate', 'StepExternalIdRecorded', 'StepRunCancelled', 'SynthesisSettled', 'ContentErased']);

/** What is wrong with a stream of any kind: gaps, a broken chain, time that runs backwards. */
export function historyFaults(history: readonly StoredRow[]): string[] {
  return history.flatMap((event, place) => {
    const previous = history[place - 1];
    const prevHash = previous?.hash ?? CHAIN_START;
    const checks = {
      'is not the next version': event.version === place + 1,
      'is not chained to the one before': event.prevHash.equals(prevHash),
      'is not what was chained': event.hash.equals(chained(prevHash, event)),
      'occurred before the one before': !previous || previous.meta.occurredAt <= event.meta.occurredAt,
    };
    return faultsOf(event, checks);
  });
}

/** The hash as the contract says that it is made. */
function chained(prevHash: Buffer, { id, streamId, version, type, schemaVersion, facts, meta, sealedSha256 }: StoredRow): Buffer {
  const skeleton = canonicalize({ id, streamId, version, type, schemaVersion, facts, meta }) ?? '';
  return createHash('sha256')
    .update(prevHash)
    .update(skeleton)
    .update(sealedSha256 ?? Buffer.alloc(0))
    .digest();
}

/** What is wrong with a job that ought to have ended. */
export function jobFaults(history: readonly StoredRow[]): string[] {
  const finals = history.filter(({ type }) => isFinalEvent(type));
  const end = history.findIndex(({ type }) => isFinalEvent(type));
  const late = history.slice(end + 1).filter(({ type }) => !AFTER_THE_END.has(type));
  return [
    ...(finals.length === 1 ? [] : [`${history[0]?.streamId ?? ''} has ${finals.length} final events`]),
    ...late.map((event) => `${placeOf(event)} came after the end`),
    ...moneyFaults(history),
  ];
}

/** At every instant what is charged and what is reserved stay within the cap. */
function moneyFaults(history: readonly StoredRow[]): string[] {
  let state = initialJob;
  return history.flatMap((event) => {
    state = evolveJob(state, asJobEvent(event), event.meta.occurredAt);
    const cap = microsFromCents(state.budgetCapCents);
    return faultsOf(event, {
      'takes the job above its cap': committedMicros(state) + reservedMicros(state) <= cap,
      'charges more than was committed': (state.totals?.chargedMicros ?? 0) <= committedMicros(state),
    });
  });
}

const faultsOf = (event: StoredRow, checks: Record<string, boolean>): string[] =>
  Object.entries(checks).flatMap(([fault, holds]) => (holds ? [] : [`${placeOf(event)} ${fault}`]));

const placeOf = ({ streamId, version, type }: StoredRow): string => `${streamId}/${version} ${type}`;
