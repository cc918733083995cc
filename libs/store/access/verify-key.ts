import { boundedCache } from '@lib/memory/bounded-cache';

import { keyIdOf } from './key-format';
import { findKey, type KeyStore } from './stored-key';

/** Whose key it is. */
export interface KeyHolder {
  keyId: string;
  tenantId: string;
}

/** Says whose key a text is; null for every text that is no key in force, whatever the reason. */
export type VerifyKey = (keyText: string) => Promise<KeyHolder | null> | KeyHolder;

const VERIFIED_FOR_MS = 10_000;
const VERIFIED_BYTES = 1024 * 1024;
/** Of the two ids and their object. */
const HOLDER_BYTES = 250;

/** A verifier that remembers verified keys for ten seconds, and asks the database only about keys with a right checksum. */
export function createKeyVerifier(store: KeyStore): VerifyKey {
  const verified = boundedCache<KeyHolder>({
    name: 'API keys',
    maxBytes: VERIFIED_BYTES,
    bytesOf: () => HOLDER_BYTES,
    ttlMs: VERIFIED_FOR_MS,
  });
  const verify = async (keyText: string) => {
    const holder = await holderOf(store, keyText);
    if (holder) verified.set(keyText, holder);
    return holder;
  };
  return (keyText) => verified.get(keyText) ?? verify(keyText);
}

async function holderOf(store: KeyStore, keyText: string): Promise<KeyHolder | null> {
  const keyId = keyIdOf(keyText);
  if (keyId === null) return null;
  const stored = await findKey(store, keyId);
  return stored?.fits(keyText) && !stored.isRevoked ? { keyId, tenantId: stored.tenantId } : null;
}
