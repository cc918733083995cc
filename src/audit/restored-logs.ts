import { parseCheckpoint, type Checkpoint } from '@lib/audit/format/checkpoint';
import { parseNote } from '@lib/audit/format/signed-note';
import type { LogOrigin } from '@lib/store/log/checkpoints';
import type { Anchor } from './anchor';

/** The newest checkpoint of the previous log, as recorded when this log was opened; null if there is none that can be read. */
export function predecessorOf({ predecessor }: LogOrigin): Checkpoint | null {
  try {
    return predecessor === null ? null : parseCheckpoint(parseNote(predecessor).text);
  } catch {
    return null;
  }
}

/** The logs that were opened after that one, even if a restore has lost its name. The one that lost most comes first. */
export function successorsOf(logs: readonly LogOrigin[], origin: string): LogOrigin[] {
  const place = logs.findIndex((log) => log.origin === origin);
  return logs
    .filter((log, at) => (place < 0 ? predecessorOf(log)?.origin === origin : at > place))
    .toSorted((one, other) => one.size - other.size);
}

/** @param agreed up to this entry the database has what the log had; new entries may stand in the places of lost ones, so it may have more */
export const lostEntries = ({ file, checkpoint: { origin, size } }: Anchor, agreed: number, successor: LogOrigin): string =>
  `entries ${agreed} to ${size - 1} of the log ${origin}, which the checkpoint ${file} has, or the last of them, are lost: ` +
  `the log ${successor.origin} goes on from an older database, and names the log before it`;
