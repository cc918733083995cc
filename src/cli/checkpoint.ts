import { readFile } from 'node:fs/promises';
import { readEnv } from '@lib/settings/read-env';
import { createLogger, standardError } from '../api/logging';
import { checkpointNow, Checkpointer } from '../audit/checkpointer';
import { checkpointSettings } from '../audit/checkpoint-settings';
import { keysYetToSign, otherKeys } from '../audit/signing-keys';
import { openOperatorPool, requireSchema } from '../database';
import { dataFiles, makeCheckpointKey, makesCheckpointKey, readCheckpointKeys } from '../embedded/data-folder';
import { readNamed } from '../folders';
import { readRoles } from '../roles';
import { MAX_STATEMENT_MS } from './operator-pool';

export interface CheckpointOptions {
  /** A file with a checkpoint that the database was restored behind. */
  behind?: string;
  /** Sign although another key signed before. */
  newKey?: boolean;
}

const NOT_AS_WANTED = 1;
const CONNECTIONS = 2;

/**
 * Brings the log up to date, signs it, publishes the checkpoint as the saga does, and prints it. Exit code 1 if the folder does not have it then, or a
 * new key has not signed it, because nothing was recorded since.
 */
export async function checkpointCommand({ behind, newKey = false }: CheckpointOptions): Promise<void> {
  const env = readEnv(process.env);
  const kept = readCheckpointKeys(env, readRoles('all'));
  const isLost = kept.length === 0 && makesCheckpointKey(env, readRoles('all'));
  const missing = new Error(
    isLost
      ? `${dataFiles(env.DATA_DIR).checkpointKey} is not there: restore it, or start the service, which makes it for a log that nobody has signed yet. If it is lost, add --new-key`
      : 'CHECKPOINT_KEY is not set, or CHECKPOINT_MS is 0: set the key that the sagas sign with',
  );
  if (kept.length === 0 && !(isLost && newKey)) throw missing;
  const note = behind === undefined ? null : await readNamed('--behind', behind, () => readFile(behind, 'utf8'));
  await using closing = new AsyncDisposableStack();
  const { pool } = await openOperatorPool(env, closing, CONNECTIONS, MAX_STATEMENT_MS);
  await requireSchema(pool);
  // Made last, since a key that is there is no longer said to be lost.
  const settings = checkpointSettings(env, isLost ? [makeCheckpointKey(env)] : kept);
  if (settings === null) throw missing;
  const logger = createLogger('info', standardError());
  const checkpointer = new Checkpointer(pool, { ...settings, isNewKey: newKey }, logger);
  const checkpoint = await checkpointNow(pool, checkpointer, note);
  if ((await otherKeys(pool, settings.keys)) !== null)
    throw new Error(
      'this key signed earlier, and since the last checkpoint there is nothing to sign: repeat this once something was recorded',
    );
  process.stdout.write(checkpoint.note);
  const waiting = keysYetToSign(checkpoint, settings.keys);
  if (waiting.length > 0) {
    process.exitCode = NOT_AS_WANTED;
    process.stderr.write(
      `The key ${waiting.join(' and ')} has not signed yet, because nothing was recorded since this checkpoint: keep all keys, and repeat this once something was.\n`,
    );
  }
  if (await checkpointer.isPublished(checkpoint)) return;
  process.exitCode = NOT_AS_WANTED;
  process.stderr.write(
    `The checkpoint is signed and kept in the database, but could not be written to CHECKPOINT_DIR ${settings.folder}: let this user write there, or set another folder, and repeat this.\n`,
  );
}
