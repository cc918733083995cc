import { parseCheckpoint } from '@lib/audit/format/checkpoint';
import { parseNote } from '@lib/audit/format/signed-note';
import { firstSignedAt, latestCheckpoint } from '@lib/store/log/checkpoints';
import { databaseTime } from '@lib/store/postgres/database-time';
import type { Pool } from '@lib/store/postgres/pool';
import { checkpointAge } from '@lib/store/views/work-counts';
import { CheckpointPublisher } from './checkpoint-publisher';
import type { CheckpointSettings } from './checkpoint-settings';

/**
 * The age in seconds of the newest checkpoint that is signed and, where a folder is set, lies there; 0 while it has the newest event. Null if
 * nothing was ever signed.
 * @param settings null where nothing is signed: what others signed counts
 * @throws Error if the folder cannot be read
 */
export async function publishedAge(pool: Pool, settings: CheckpointSettings | null): Promise<number | null> {
  const [age, latest] = await Promise.all([checkpointAge(pool), latestCheckpoint(pool)]);
  if (age === null || latest === null || settings === null) return age;
  // It only looks.
  const publisher = new CheckpointPublisher(pool, settings, { warn: () => undefined });
  if (await publisher.isPublished(latest)) return age;
  const published = await publisher.inFolder();
  const time = published === null ? null : parseCheckpoint(parseNote(published.note).text).time;
  const since = time === null ? await firstSignedAt(pool) : new Date(time);
  const now = await databaseTime(pool);
  return Math.max(age, (now.getTime() - (since ?? latest.signedAt).getTime()) / 1000);
}
