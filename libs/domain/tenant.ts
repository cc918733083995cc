import { DomainError } from './errors';
import type { EventShape } from './event';
import { orderedLimits, type Limits } from './limits';
import { orderedScopes, type Scope } from './scopes';

export type TenantEvent =
  TenantCreated | KeyCreated | KeyAdopted | KeyChanged | KeyRotated | KeyRevoked | LimitsChanged | SpendingWarned | SkeletonsRemoved;

/** What a key may be used for and for how long; `expiresAt` null: until it is revoked. */
export interface KeyTerms {
  scopes: readonly Scope[];
  expiresAt: string | null;
}

export type TenantCreated = EventShape<'TenantCreated', { tenantId: string }>;
export type KeyCreated = EventShape<'KeyCreated', { keyId: string } & KeyTerms>;
/** A key that was made before keys had a history. */
export type KeyAdopted = EventShape<'KeyAdopted', { keyId: string; createdAt: string; revokedAt: string | null } & KeyTerms>;
export type KeyChanged = EventShape<'KeyChanged', { keyId: string } & KeyTerms>;
/** A new key takes the place of another one, which goes on until `replacedExpiresAt`. The scopes and the expiry are those of the new one. */
export type KeyRotated = EventShape<'KeyRotated', { keyId: string; replacedKeyId: string; replacedExpiresAt: string } & KeyTerms>;
export type KeyRevoked = EventShape<'KeyRevoked', { keyId: string }>;

/** The limits of the tenant, or of one of its keys, that differ from the settings. */
export type LimitsChanged = EventShape<'LimitsChanged', { keyId: string | null; limits: Limits }>;
/** The jobs of a day may cost more than the tenant, or one of its keys, is warned of. */
export type SpendingWarned = EventShape<'SpendingWarned', { keyId: string | null; day: string; cents: number; warningCents: number }>;

/** What is left of these deleted threads, the events of their histories, may go as soon as a checkpoint has this event. */
export type SkeletonsRemoved = EventShape<'SkeletonsRemoved', { threads: readonly RemovedSkeleton[] }>;

export interface RemovedSkeleton {
  threadId: string;
  /** When the thread was deleted. */
  deletedAt: string;
  /** Of the thread and all of its jobs. */
  events: number;
  /** Which histories: those of the receipt of the deletion, with its digest of them. */
  streams: { count: number; sha256: string };
  /** How long each was and its last hash. */
  headsSha256: string;
  /** What its jobs held of the tenant's balance, and were charged. */
  balance: { reservedCents: number; chargedCents: number };
}

export interface KeyState extends KeyTerms {
  keyId: string;
  createdAt: string;
  revokedAt: string | null;
}

/** The state of a tenant, folded from its events. `version` 0: it does not exist. */
export interface TenantState {
  version: number;
  tenantId: string;
  /** In the order in which they were made. */
  keys: readonly KeyState[];
  limits: readonly OwnLimits[];
  /** The last day of which it was warned. */
  warnedOn: string | null;
  /** Likewise by the id of a key; absent until one was warned of. */
  keysWarnedOn?: Readonly<Record<string, string>>;
}

/** Of a key; null: of the tenant. */
export interface OwnLimits {
  keyId: string | null;
  limits: Limits;
}

export const initialTenant: TenantState = { version: 0, tenantId: '', keys: [], limits: [], warnedOn: null };

/** The id of a tenant's stream. */
export const TENANT_STREAM = 'ten_';
export const tenantStreamId = (tenantId: string): string => TENANT_STREAM + tenantId;

/** A tenant begins to exist with the first command that has an effect. */
export type TenantCommand = { tenantId: string } & (KeyCommand | SetLimits | WarnOfSpending | RemoveSkeletons);
type KeyCommand = CreateKey | AdoptKey | ChangeKey | RotateKey | RevokeKey;

interface SetLimits extends OwnLimits {
  type: 'SetLimits';
}
interface WarnOfSpending {
  type: 'WarnOfSpending';
  /** Null: of the jobs of all its keys. */
  keyId: string | null;
  day: string;
  cents: number;
  warningCents: number;
}

/** Each of them once: what was removed before is known by the rows that were written with the event. */
interface RemoveSkeletons {
  type: 'RemoveSkeletons';
  threads: readonly RemovedSkeleton[];
}

interface CreateKey extends KeyTerms {
  type: 'CreateKey';
  keyId: string;
}
interface AdoptKey extends KeyState {
  type: 'AdoptKey';
}
/** What is not given stays as it is. */
interface ChangeKey extends Partial<KeyTerms> {
  type: 'ChangeKey';
  keyId: string;
}
interface RotateKey {
  type: 'RotateKey';
  keyId: string;
  replacedKeyId: string;
  /** How long the replaced key goes on. */
  overlapMs: number;
  /** Of the new key; undefined: it lives as long as the replaced one was given, from now on. */
  expiresAt?: string | null | undefined;
}
interface RevokeKey {
  type: 'RevokeKey';
  keyId: string;
}

/**
 * @param at the time of the events
 * @throws DomainError key_not_found if the tenant has no such key, or none that is in force where that is needed
 */
export function decideTenant(command: TenantCommand, state: TenantState, at: string): TenantEvent[] {
  const { tenantId } = command;
  const events = eventsOf(command, state, at);
  const begins = state.version === 0 && events.length > 0;
  return begins ? [{ type: 'TenantCreated', facts: { tenantId } }, ...events] : events;
}

function eventsOf(command: TenantCommand, state: TenantState, at: string): TenantEvent[] {
  switch (command.type) {
    case 'SetLimits': {
      const { keyId, limits } = command;
      const known = ownLimits(state, keyId) ?? {};
      const ordered = orderedLimits(limits);
      return JSON.stringify(known) === JSON.stringify(ordered) ? [] : [{ type: 'LimitsChanged', facts: { keyId, limits: ordered } }];
    }
    case 'WarnOfSpending': {
      const { keyId, day, cents, warningCents } = command;
      const warnedOn = keyId === null ? state.warnedOn : state.keysWarnedOn?.[keyId];
      return warnedOn && warnedOn >= day ? [] : [{ type: 'SpendingWarned', facts: { keyId, day, cents, warningCents } }];
    }
    case 'RemoveSkeletons':
      return command.threads.length === 0 ? [] : [{ type: 'SkeletonsRemoved', facts: { threads: command.threads } }];
    default:
      return decideKey(command, state, at);
  }
}

/** The limits of a key, or of the tenant (null), that differ from the settings. */
export const ownLimits = ({ limits }: TenantState, keyId: string | null): Limits | undefined =>
  limits.find((own) => own.keyId === keyId)?.limits;

function decideKey(command: KeyCommand, state: TenantState, at: string): TenantEvent[] {
  const { keyId } = command;
  const { keys } = state;
  const known = keyOf(keys, keyId);
  switch (command.type) {
    case 'CreateKey': {
      const { scopes, expiresAt } = command;
      return known ? [] : [{ type: 'KeyCreated', facts: { keyId, scopes: orderedScopes(scopes), expiresAt } }];
    }
    case 'AdoptKey': {
      const { scopes, expiresAt, createdAt, revokedAt } = command;
      return known ? [] : [{ type: 'KeyAdopted', facts: { keyId, scopes: orderedScopes(scopes), expiresAt, createdAt, revokedAt } }];
    }
    case 'ChangeKey': {
      const key = inForce(keys, keyId, at);
      const scopes = orderedScopes(command.scopes ?? key.scopes);
      const expiresAt = command.expiresAt === undefined ? key.expiresAt : command.expiresAt;
      const isSame = expiresAt === key.expiresAt && scopes.join() === key.scopes.join();
      return isSame ? [] : [{ type: 'KeyChanged', facts: { keyId, scopes, expiresAt } }];
    }
    case 'RotateKey': {
      if (known) return [];
      const made = rotated(command, inForce(keys, command.replacedKeyId, at), at);
      const limits = ownLimits(state, command.replacedKeyId) ?? {};
      return Object.keys(limits).length > 0 ? [made, { type: 'LimitsChanged', facts: { keyId, limits } }] : [made];
    }
    case 'RevokeKey':
      if (!known) throw new DomainError('key_not_found');
      return known.revokedAt === null ? [{ type: 'KeyRevoked', facts: { keyId } }] : [];
  }
}

function rotated({ keyId, replacedKeyId, overlapMs, expiresAt }: RotateKey, replaced: KeyState, at: string): KeyRotated {
  const later = (fromMs: number): string => new Date(Date.parse(at) + fromMs).toISOString();
  const overlapEnds = later(overlapMs);
  const replacedExpiresAt = replaced.expiresAt !== null && replaced.expiresAt < overlapEnds ? replaced.expiresAt : overlapEnds;
  const usual = replaced.expiresAt === null ? null : later(Date.parse(replaced.expiresAt) - Date.parse(replaced.createdAt));
  const facts = {
    keyId,
    replacedKeyId,
    replacedExpiresAt,
    scopes: replaced.scopes,
    expiresAt: expiresAt === undefined ? usual : expiresAt,
  };
  return { type: 'KeyRotated', facts };
}

function inForce(keys: TenantState['keys'], keyId: string, at: string): KeyState {
  const key = keyOf(keys, keyId);
  if (key && key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at)) return key;
  throw new DomainError('key_not_found');
}

const keyOf = (keys: readonly KeyState[], keyId: string): KeyState | undefined => keys.find((key) => key.keyId === keyId);

export function evolveTenant(state: TenantState, event: TenantEvent, at: string): TenantState {
  const next = { ...state, version: state.version + 1 };
  const made = { createdAt: at, revokedAt: null };
  const changed = (keyId: string, change: Partial<KeyState>): KeyState[] =>
    state.keys.map((key) => (key.keyId === keyId ? { ...key, ...change } : key));
  switch (event.type) {
    case 'TenantCreated':
      return { ...next, tenantId: event.facts.tenantId };
    case 'KeyCreated':
    case 'KeyAdopted':
      return { ...next, keys: [...state.keys, { ...made, ...event.facts }] };
    case 'KeyChanged':
      return { ...next, keys: changed(event.facts.keyId, event.facts) };
    case 'KeyRotated': {
      const { keyId, replacedKeyId, replacedExpiresAt, scopes, expiresAt } = event.facts;
      return { ...next, keys: [...changed(replacedKeyId, { expiresAt: replacedExpiresAt }), { ...made, keyId, scopes, expiresAt }] };
    }
    case 'KeyRevoked':
      return { ...next, keys: changed(event.facts.keyId, { revokedAt: at }) };
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
      return unknownEvent(event);
  }
}

function unknownEvent(event: never): never {
  throw new Error(`unknown tenant event ${JSON.stringify(event)}: this version is older than the history it reads`);
}
