import type { Limits } from '@lib/domain/limits';
import type { Scope } from '@lib/domain/scopes';
import { boundedCache } from '@lib/memory/bounded-cache';

import { keyIdOf } from './key-format';
import { keyLanes, type Lane } from './key-lanes';
import type { KeyStore, StoredKey } from './stored-key';

/** The owner of a key. */
export interface KeyHolder {
  keyId: string;
  tenantId: string;
}

/** The owner of a verified key, and what the key may be used for. */
export interface VerifiedKey extends KeyHolder {
  scopes: readonly Scope[];
  /** Its own limits that differ from the settings; null if there are none. */
  keyLimits: Limits | null;
}

/**
 * Returns the holder of a key; null if the text is not a key in force, for whatever reason. `laneOf` is only called if the database has to be asked,
 * which means that the text has the form of a key.
 */
export type VerifyKey = (keyText: string, laneOf?: () => Lane) => Promise<VerifiedKey | null> | VerifiedKey;

/** Called for a valid key that is refused because its row was changed by somebody else, or never sealed. */
export type TellRefused = (keyId: string, state: StoredKey['state'] & ('changed' | 'unsealed')) => void;

const VERIFIED_FOR_MS = 10_000;
const VERIFIED_BYTES = 1024 * 1024;
/** Estimated size of a remembered key: two ids, scopes and limits. */
const HOLDER_BYTES = 500;

/**
 * A verifier that caches verified keys for ten seconds, but not beyond their expiry, and only asks the database about keys with a correct checksum.
 */
export function createKeyVerifier(
  store: KeyStore,
  tell: TellRefused = () => undefined,
  noteUse: (keyId: string) => void = () => undefined,
): VerifyKey {
  const verified = boundedCache<VerifiedKey>({
    name: 'API keys',
    maxBytes: VERIFIED_BYTES,
    bytesOf: () => HOLDER_BYTES,
    ttlMs: VERIFIED_FOR_MS,
  });
  const lanes = keyLanes(store);
  /** Calls with the same text wait for the answer to the first. */
  const asked = new Map<string, Promise<VerifiedKey | null>>();
  const verify = async (keyText: string, keyId: string, lane: Lane): Promise<VerifiedKey | null> => {
    const stored = await lanes[lane](keyId);
    if (!stored?.fits(keyText)) return null;
    const { tenantId, scopes, limits: keyLimits, state, expiresInMs } = stored;
    if (state === 'changed' || state === 'unsealed') tell(keyId, state);
    if (state !== 'in force') return null;
    const holder = { keyId, tenantId, scopes, keyLimits };
    noteUse(keyId);
    verified.set(keyText, holder, { ttl: Math.max(1, Math.min(VERIFIED_FOR_MS, expiresInMs)) });
    return holder;
  };
  const ask = async (keyText: string, laneOf: () => Lane): Promise<VerifiedKey | null> => {
    const keyId = keyIdOf(keyText);
    if (keyId === null) return null;
    const waiting = asked.get(keyText) ?? verify(keyText, keyId, laneOf()).finally(() => asked.delete(keyText));
    asked.set(keyText, waiting);
    return waiting;
  };
  return (keyText, laneOf = () => 'quick') => {
    const known = verified.get(keyText);
    if (!known) return ask(keyText, laneOf);
    noteUse(known.keyId);
    return known;
  };
}
