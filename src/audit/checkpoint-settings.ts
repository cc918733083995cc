import { createHash } from 'node:crypto';
import { signerKey } from '@lib/audit/format/signed-note';
import type { Env } from '@lib/settings/env';
import type { WitnessSetting } from '@lib/settings/checkpoint-settings';

/** What checkpoints are signed and published with. */
export interface CheckpointSettings {
  /** Ed25519 private keys, at least one. */
  keys: readonly Buffer[];
  /** The name that a log is opened with. */
  origin: string;
  /** Null if checkpoints are not written to files. */
  folder: string | null;
  witnesses: readonly WitnessSetting[];
  /** The operator said that the keys may be others than those that signed before. */
  isNewKey?: boolean;
}

/** @returns null without a key: nothing is signed then */
export function checkpointSettings(env: Env, keys: readonly Buffer[]): CheckpointSettings | null {
  const [first] = keys;
  if (!first) return null;
  return {
    keys,
    origin: env.CHECKPOINT_ORIGIN ?? originOf(first),
    folder: env.CHECKPOINT_DIR ?? null,
    witnesses: env.CHECKPOINT_WITNESSES,
  };
}

/** The name of a log to which nobody gave one: it says which key signed it first. */
const originOf = (seed: Buffer): string =>
  `research-threads/${createHash('sha256').update(signerKey('log', seed).publicKey).digest('hex').slice(0, 16)}`;
