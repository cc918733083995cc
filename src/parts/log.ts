import { checkpointSettings } from '../audit/checkpoint-settings';
import { Checkpointer } from '../audit/checkpointer';
import { LogKeeper } from '../audit/log-keeper';
import { dataFiles, makesCheckpointKey, readCheckpointKeys } from '../embedded/data-folder';
import type { Data } from './data';
import type { Process } from './process';

/** Keeps the log of all events, and signs it if this process has a key. */
export function startLog({ env, roles, logger, intakes }: Process, { store }: Data): void {
  if (env.CHECKPOINT_MS === 0) return;
  const settings = checkpointSettings(env, readCheckpointKeys(env, roles));
  if (settings === null) {
    const isLost = makesCheckpointKey(env, roles);
    logger[isLost ? 'error' : 'warn'](
      { reason: 'no_checkpoints' },
      isLost
        ? `${dataFiles(env.DATA_DIR).checkpointKey} is not there, and a key has signed the log already: nothing signs it until that file is restored; if it is lost, run \`research checkpoint --new-key\` and start again`
        : 'CHECKPOINT_KEY is not set: the log of events is kept, and nothing signs it; set it to 32 bytes in base64, the same for every saga',
    );
  }
  const checkpointer = settings === null ? null : new Checkpointer(store.pool, settings, logger);
  const keeper = new LogKeeper(store.pool, checkpointer, env.CHECKPOINT_MS, logger);
  keeper.start();
  intakes.add('log', () => keeper.stop());
}
