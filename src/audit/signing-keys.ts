import { keyIdOf, parseNote, signerKey, type VerifierKey } from '@lib/audit/format/signed-note';
import { addCheckpointKeys, latestCheckpoint, newestKeys, type StoredCheckpoint } from '@lib/store/log/checkpoints';
import type { Pool } from '@lib/store/postgres/pool';

export interface OtherKeys {
  /** The ids of those that signed the newest checkpoint. */
  signed: string[];
  ours: VerifierKey[];
}

/**
 * Whether somebody else's keys sign this log: none of ours signed the newest checkpoint, and none of ours is the newest key that was made known. While
 * keys are changed as documented, the old and the new one sign together, so one of them is always known.
 * @returns null if one of our keys is known, or nothing has been signed yet
 */
export async function otherKeys(pool: Pool, seeds: readonly Buffer[]): Promise<OtherKeys | null> {
  const latest = await latestCheckpoint(pool);
  if (latest === null) return null;
  const ours = seeds.map((seed) => signerKey(latest.origin, seed));
  const ids = new Set(ours.map((key) => keyIdOf(key)));
  const signed = parseNote(latest.note)
    .signatures.filter(({ name }) => name === latest.origin)
    .map(({ keyId }) => keyId);
  const known = [...signed, ...(await newestKeys(pool, latest.origin)).map(({ keyId }) => keyId)];
  return known.some((keyId) => ids.has(keyId)) ? null : { signed, ours };
}

/** The ids of our keys that have not signed a checkpoint: a new one cannot before something was recorded since. */
export function keysYetToSign({ origin, note }: StoredCheckpoint, seeds: readonly Buffer[]): string[] {
  const signed = new Set(parseNote(note).signatures.map(({ keyId }) => keyId));
  return seeds.map((seed) => keyIdOf(signerKey(origin, seed))).filter((keyId) => !signed.has(keyId));
}

export const toldKeys = ({ signed, ours }: OtherKeys): string =>
  `the newest checkpoint is signed by the key ${signed.join(' and ')}, and CHECKPOINT_KEY has only ${ours.map((key) => keyIdOf(key)).join(' and ')}`;

export const KEYS_REMEDY =
  'Give every saga the same CHECKPOINT_KEY; to change keys set “new,old”. If the old key is lost, run `research checkpoint --new-key` with the new one.';

/**
 * Two processes with different keys would sign in turns, and auditors, who know one key, would take each second checkpoint for a stranger's.
 * @param isNewKey the operator said so: from now on the key is known
 * @throws Error that names both keys
 */
export async function requireKnownKey(pool: Pool, seeds: readonly Buffer[], isNewKey: boolean): Promise<void> {
  const other = await otherKeys(pool, seeds);
  if (other === null) return;
  if (!isNewKey) throw new Error(`nothing is signed: ${toldKeys(other)}. ${KEYS_REMEDY}`);
  await addCheckpointKeys(
    pool,
    other.ours.map((key) => ({ name: key.name, keyId: keyIdOf(key), publicKey: key.publicKey })),
  );
}
