import { readFile } from 'node:fs/promises';
import { readEnv } from '@lib/settings/read-env';
import { createLogger, standardError } from '../api/logging';
import { checkpointNow, Checkpointer } from '../audit/checkpointer';
import { checkpointSettings } from '../audit/checkpoint-settings';
import { otherKeys } from '../audit/signing-keys';
import { openOperatorPool, requireSchema } from '../database';
import { readCheckpointKeys } from '../embedded/data-folder';
import { readNamed } from '../folders';
import { readRoles } from '../roles';
import { MAX_STATEMENT_MS } from './operator-pool';

export interface CheckpointOptions {
  /** A file with a checkpoint that the database was restored behind. */
  behind?: string;
  /** Sign although another key signed before. */
  newKey?: boolean;
}

const NOT_PUBLISHED = 1;
const CONNECTIONS = 2;

/** Brings the log up to date, signs it, publishes the checkpoint as the saga does, and prints it. Exit code 1 if the folder does not have it then. */
export async function checkpointCommand({ behind, newKey = false }: CheckpointOptions): Promise<void> {
  const env = readEnv(process.env);
  const settings = checkpointSettings(env, readCheckpointKeys(env, readRoles('all')));
  if (settings === null) throw new Error('CHECKPOINT_KEY is not set, or CHECKPOINT_MS is 0: set the key that the sagas sign with');
  const note = behind === undefined ? null : await readNamed('--behind', behind, () => readFile(behind, 'utf8'));
  await using closing = new AsyncDisposableStack();
  const { pool } = await openOperatorPool(env, closing, CONNECTIONS, MAX_STATEMENT_MS);
  await requireSchema(pool);
  const logger = createLogger('info', standardError());
  const checkpointer = new Checkpointer(pool, { ...settings, isNewKey: newKey }, logger);
  const checkpoint = await checkpointNow(pool, checkpointer, note);
  if ((await otherKeys(pool, settings.keys)) !== null)
    throw new Error(
      'this key signed earlier, and since the last checkpoint there is nothing to sign: repeat this once something was recorded',
    );
  process.stdout.write(checkpoint.note);
  if (await checkpointer.isPublished(checkpoint)) return;
  process.exitCode = NOT_PUBLISHED;
  process.stderr.write(
    `The checkpoint is signed and kept in the database, but could not be written to CHECKPOINT_DIR ${settings.folder}: let this user write there, or set another folder, and repeat this.\n`,
  );
}
