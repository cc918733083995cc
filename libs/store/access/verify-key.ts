import type { Limits } from '@lib/domain/limits';
import type { Scope } from '@lib/domain/scopes';
import { boundedCache } from '@lib/memory/bounded-cache';

import { keyIdOf } from './key-format';
import { keyLanes, type Lane } from './key-lanes';
import type { KeyStore, StoredKey } from './stored-key';

/** Whose key it is. */
export interface KeyHolder {
  keyId: string;
  tenantId: string;
}

/** Whose key was verified, and what it may be used for. */
export interface VerifiedKey extends KeyHolder {
  scopes: readonly Scope[];
  /** Its own limits, where they differ from the settings; null if none does. */
  keyLimits: Limits | null;
}

/**
 * Says whose key a text is; null if it is no key in force, for whatever reason. `laneOf` is called only if the database has to be asked,
 * which means that the text has the form of a key.
 */
export type VerifyKey = (keyText: string, laneOf?: () => Lane) => Promise<VerifiedKey | null> | VerifiedKey;

/** Called for a right key that is refused because its row was changed by somebody else, or never sealed. */
export type TellRefused = (keyId: string, state: StoredKey['state'] & ('changed' | 'unsealed')) => void;

const VERIFIED_FOR_MS = 10_000;
const VERIFIED_BYTES = 1024 * 1024;
/** Estimated size of a remembered key: two ids, scopes and limits. */
const HOLDER_BYTES = 500;

/**
 * A verifier that remembers verified keys for ten seconds, and none beyond its end, and asks the database only about keys with a right
 * checksum.
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
