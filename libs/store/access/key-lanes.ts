import { setTimeout as sleep } from 'node:timers/promises';

import { batch } from '@lib/batching/batch';
import { answeredInTime } from '../postgres/answer-within';
import { findKeys, type KeyStore, type StoredKey } from './stored-key';

/**
 * The line in which a key waits to be looked up. The slow one looks up many keys in one statement, with a pause after each: an attacker who
 * fills it costs the database next to nothing, and a valid key among them is still found.
 */
export type Lane = 'quick' | 'slow';

const KEYS_AT_ONCE = 1024;
const PAUSE_MS = 100;
const MAX_WAITING = { items: 16_384, bytes: 16 * 1024 * 1024 };

/** Asks for all keys of a lane together that arrive while others are asked for. */
export function keyLanes(store: KeyStore): Record<Lane, (keyId: string) => Promise<StoredKey | null>> {
  const find = async (keyIds: string[]) => {
    const found = await findKeys(store, [...new Set(keyIds)]);
    return keyIds.map((keyId) => found.get(keyId) ?? null);
  };
  const limits = { ...answeredInTime, maxItems: KEYS_AT_ONCE, maxWaiting: MAX_WAITING };
  return {
    quick: batch(find, { ...limits, width: 2, name: 'keys that are looked up' }),
    slow: batch(async (keyIds: string[]) => sleep(PAUSE_MS).then(() => find(keyIds)), { ...limits, name: 'keys of throttled addresses' }),
  };
}
