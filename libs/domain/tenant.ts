import { DAY_MS } from './durations';
import { unknownEvent, type EventShape } from './event';
import { orderedLimits, type LimitChanges, type Limits } from './limits';
import { decideKey, evolveKeys, type KeyCommand, type KeyEvent, type KeyState } from './tenant-keys';

export type TenantEvent = TenantCreated | KeyEvent | LimitsChanged | SpendingWarned | SkeletonsRemoved;

/** Lists every type: a missing one does not compile. */
const EACH_TYPE: Record<TenantEvent['type'], true> = {
  TenantCreated: true,
  KeyCreated: true,
  KeyAdopted: true,
  KeyChanged: true,
  KeyRotated: true,
  KeyRevoked: true,
  LimitsChanged: true,
  SpendingWarned: true,
  SkeletonsRemoved: true,
};
export const TENANT_EVENT_TYPES: readonly string[] = Object.keys(EACH_TYPE);

export type TenantCreated = EventShape<'TenantCreated', { tenantId: string }>;
/** The limits of the tenant, or of one of its keys, that differ from the settings. */
export type LimitsChanged = EventShape<'LimitsChanged', { keyId: string | null; limits: Limits }>;
/** The jobs of a day may cost more than the warning limit of the tenant or of one of its keys. */
export type SpendingWarned = EventShape<'SpendingWarned', { keyId: string | null; day: string; cents: number; warningCents: number }>;

/** The events that are left of these deleted threads may be removed as soon as a checkpoint includes this event. */
export type SkeletonsRemoved = EventShape<'SkeletonsRemoved', { threads: readonly RemovedSkeleton[] }>;

export interface RemovedSkeleton {
  threadId: string;
  /** When the thread was deleted. */
  deletedAt: string;
  /** Number of events of the thread and all of its jobs. */
  events: number;
  /** The histories named in the receipt of the deletion, and its digest of them. */
  streams: { count: number; sha256: string };
  /** Digest of the length and the last hash of each history. */
  headsSha256: string;
  /** What its jobs held of the tenant's balance, and what they were charged. */
  balance: { reservedCents: number; chargedCents: number };
}

/** The state of a tenant, folded from its events. `version` 0: it does not exist. */
export interface TenantState {
  version: number;
  tenantId: string;
  /** In the order of their creation. */
  keys: readonly KeyState[];
  limits: readonly OwnLimits[];
  /** The last day for which a warning was recorded. */
  warnedOn: string | null;
  /** The same by the id of a key; absent until the first warning for a key. */
  keysWarnedOn?: Readonly<Record<string, string>>;
}

/** Limits of a key; `keyId` null: of the tenant. */
export interface OwnLimits {
  keyId: string | null;
  limits: Limits;
}

export const initialTenant: TenantState = { version: 0, tenantId: '', keys: [], limits: [], warnedOn: null };

/** The id of a tenant's stream. */
export const TENANT_STREAM = 'ten_';
/** The allowed names of tenants. */
export const TENANT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const tenantStreamId = (tenantId: string): string => TENANT_STREAM + tenantId;

/** A tenant begins to exist with the first command that has an effect. */
export type TenantCommand = { tenantId: string } & (KeyCommand | ChangeLimits | WarnOfSpending | RemoveSkeletons);

interface ChangeLimits {
  type: 'ChangeLimits';
  /** Null: those of the tenant. */
  keyId: string | null;
  changes: LimitChanges;
}
interface WarnOfSpending {
  type: 'WarnOfSpending';
  /** Null: for the jobs of all the tenant's keys. */
  keyId: string | null;
  day: string;
  cents: number;
  warningCents: number;
}

/** Each thread once. The rows that were written with the event show which threads were removed before. */
interface RemoveSkeletons {
  type: 'RemoveSkeletons';
  threads: readonly RemovedSkeleton[];
}

/**
 * @param at the time of the events
 * @throws DomainError key_not_found if the tenant has no such key, or it is expired or revoked and must not be
 */
export function decideTenant(command: TenantCommand, state: TenantState, at: string): TenantEvent[] {
  const { tenantId } = command;
  const events = eventsOf(command, state, at);
  const begins = state.version === 0 && events.length > 0;
  return begins ? [{ type: 'TenantCreated', facts: { tenantId } }, ...events] : events;
}

function eventsOf(command: TenantCommand, state: TenantState, at: string): TenantEvent[] {
  switch (command.type) {
    case 'ChangeLimits': {
      const { keyId, changes } = command;
      const known = ownLimits(state, keyId) ?? {};
      const limits = orderedLimits({ ...known, ...changes });
      return JSON.stringify(known) === JSON.stringify(limits) ? [] : [{ type: 'LimitsChanged', facts: { keyId, limits } }];
    }
    case 'WarnOfSpending': {
      const { keyId, day, cents, warningCents } = command;
      const warnedOn = keyId === null ? state.warnedOn : state.keysWarnedOn?.[keyId];
      return warnedOn === day || warnedOn === dayAfter(day) ? [] : [{ type: 'SpendingWarned', facts: { keyId, day, cents, warningCents } }];
    }
    case 'RemoveSkeletons':
      return command.threads.length === 0 ? [] : [{ type: 'SkeletonsRemoved', facts: { threads: command.threads } }];
    case 'RotateKey': {
      const made = decideKey(command, state.keys, at);
      const limits = ownLimits(state, command.replacedKeyId) ?? {};
      const handsOn = made.length > 0 && Object.keys(limits).length > 0;
      return handsOn ? [...made, { type: 'LimitsChanged', facts: { keyId: command.keyId, limits } }] : made;
    }
    default:
      return decideKey(command, state.keys, at);
  }
}

/** The limits of a key, or of the tenant (null), that differ from the settings. */
export const ownLimits = ({ limits }: TenantState, keyId: string | null): Limits | undefined =>
  limits.find((own) => own.keyId === keyId)?.limits;

export function evolveTenant(state: TenantState, event: TenantEvent, at: string): TenantState {
  const next = { ...state, version: state.version + 1 };
  switch (event.type) {
    case 'TenantCreated':
      return { ...next, tenantId: event.facts.tenantId };
    case 'KeyCreated':
    case 'KeyAdopted':
    case 'KeyChanged':
    case 'KeyRotated':
    case 'KeyRevoked':
      return { ...next, keys: evolveKeys(state.keys, event, at) };
    case 'LimitsChanged': {
      const { keyId } = event.facts;
      return {
        ...next,
        limits: [...state.limits.filter((own) => own.keyId !== keyId), { keyId, limits: orderedLimits(event.facts.limits) }],
      };
    }
    case 'SpendingWarned': {
      const { keyId, day } = event.facts;
      return keyId === null ? { ...next, warnedOn: day } : { ...next, keysWarnedOn: { ...state.keysWarnedOn, [keyId]: day } };
    }
    case 'SkeletonsRemoved':
      return next;
    default:
      return unknownEvent('tenant', event);
  }
}

/** About midnight a warning of the day before may come late. A later day than that is of a clock that was ahead, and hides no warning. */
const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, day.length);
