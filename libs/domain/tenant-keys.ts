import { DomainError } from './errors';
import type { EventShape } from './event';
import { orderedScopes, type Scope } from './scopes';

export type KeyEvent = KeyCreated | KeyAdopted | KeyChanged | KeyRotated | KeyRevoked;

/** What a key may be used for and for how long; `expiresAt` null: until it is revoked. */
export interface KeyTerms {
  scopes: readonly Scope[];
  expiresAt: string | null;
}

type KeyCreated = EventShape<'KeyCreated', { keyId: string } & KeyTerms>;
/** Records a key that was made before keys had events. */
type KeyAdopted = EventShape<'KeyAdopted', { keyId: string; createdAt: string; revokedAt: string | null } & KeyTerms>;
type KeyChanged = EventShape<'KeyChanged', { keyId: string } & KeyTerms>;
/** A new key replaces an old one, which stays valid until `replacedExpiresAt`. The scopes and the expiry are those of the new key. */
type KeyRotated = EventShape<'KeyRotated', { keyId: string; replacedKeyId: string; replacedExpiresAt: string } & KeyTerms>;
type KeyRevoked = EventShape<'KeyRevoked', { keyId: string }>;

/** A key of a tenant, folded from the tenant's events. */
export interface KeyState extends KeyTerms {
  keyId: string;
  createdAt: string;
  revokedAt: string | null;
  /** The expiry that the key had before it was replaced, which ends it earlier. Absent if it was not replaced. */
  expiresAtUnreplaced?: string | null;
}

export type KeyCommand = CreateKey | AdoptKey | ChangeKey | RotateKey | RevokeKey;

interface CreateKey extends KeyTerms {
  type: 'CreateKey';
  keyId: string;
}
interface AdoptKey extends KeyState {
  type: 'AdoptKey';
}
/** Fields that are not given stay unchanged. */
interface ChangeKey extends Partial<KeyTerms> {
  type: 'ChangeKey';
  keyId: string;
}
interface RotateKey {
  type: 'RotateKey';
  keyId: string;
  replacedKeyId: string;
  /** How long the replaced key stays valid. */
  overlapMs: number;
  /** Expiry of the new key; undefined: it gets the same lifetime as the replaced key, from now on. */
  expiresAt?: string | null | undefined;
}
interface RevokeKey {
  type: 'RevokeKey';
  keyId: string;
}

/** @throws DomainError key_not_found if there is no such key, or it is expired or revoked and must not be */
export function decideKey(command: KeyCommand, keys: readonly KeyState[], at: string): KeyEvent[] {
  const { keyId } = command;
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
    case 'RotateKey':
      return known ? [] : [rotated(command, inForce(keys, command.replacedKeyId, at), at)];
    case 'RevokeKey':
      if (!known) throw new DomainError('key_not_found');
      return known.revokedAt === null ? [{ type: 'KeyRevoked', facts: { keyId } }] : [];
  }
}

function rotated({ keyId, replacedKeyId, overlapMs, expiresAt }: RotateKey, replaced: KeyState, at: string): KeyRotated {
  const later = (fromMs: number): string => new Date(Date.parse(at) + fromMs).toISOString();
  const overlapEnds = later(overlapMs);
  const replacedExpiresAt = replaced.expiresAt !== null && replaced.expiresAt < overlapEnds ? replaced.expiresAt : overlapEnds;
  // A key may be replaced again, for example if the text of the new one was lost: its shortened life is not the new key's.
  const { createdAt, expiresAtUnreplaced: ownExpiry = replaced.expiresAt } = replaced;
  const usual = ownExpiry === null ? null : later(Date.parse(ownExpiry) - Date.parse(createdAt));
  const facts = {
    keyId,
    replacedKeyId,
    replacedExpiresAt,
    scopes: replaced.scopes,
    expiresAt: expiresAt === undefined ? usual : expiresAt,
  };
  return { type: 'KeyRotated', facts };
}

function inForce(keys: readonly KeyState[], keyId: string, at: string): KeyState {
  const key = keyOf(keys, keyId);
  if (key && key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at)) return key;
  throw new DomainError('key_not_found');
}

const keyOf = (keys: readonly KeyState[], keyId: string): KeyState | undefined => keys.find((key) => key.keyId === keyId);

export function evolveKeys(keys: readonly KeyState[], event: KeyEvent, at: string): readonly KeyState[] {
  const made = { createdAt: at, revokedAt: null };
  switch (event.type) {
    case 'KeyCreated':
    case 'KeyAdopted':
      return [...keys, { ...made, ...event.facts }];
    case 'KeyChanged':
      return keys.map((key) => (key.keyId === event.facts.keyId ? withTerms(key, event.facts) : key));
    case 'KeyRotated': {
      const { keyId, replacedKeyId, replacedExpiresAt, scopes, expiresAt } = event.facts;
      const replaced = (key: KeyState): KeyState => ({ expiresAtUnreplaced: key.expiresAt, ...key, expiresAt: replacedExpiresAt });
      return [...keys.map((key) => (key.keyId === replacedKeyId ? replaced(key) : key)), { ...made, keyId, scopes, expiresAt }];
    }
    case 'KeyRevoked':
      return keys.map((key) => (key.keyId === event.facts.keyId ? { ...key, revokedAt: at } : key));
  }
}

/** An expiry that is set by hand counts from then on, whatever the key had before it was replaced. */
function withTerms(key: KeyState, { scopes, expiresAt }: KeyTerms): KeyState {
  if (expiresAt === key.expiresAt) return { ...key, scopes };
  const { keyId, createdAt, revokedAt } = key;
  return { keyId, createdAt, revokedAt, scopes, expiresAt };
}
