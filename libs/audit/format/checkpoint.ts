import { HASH_BYTES } from './merkle';
import { isKeyName } from './signed-note';

/** The part of a checkpoint that identifies the log's content at some size. */
export interface Head {
  origin: string;
  size: number;
  root: Buffer;
}

/** The content of a checkpoint: the text of its note, as the C2SP specification "tlog-checkpoint" defines it. */
export interface Checkpoint extends Head {
  /** When the checkpoint was signed. */
  time: string | null;
  /** After a restore that lost the end of the previous log: the newest head of that log, which this one continues; null if there was no other log. */
  predecessor: Head | null;
}

const TIME = /^time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
const PREDECESSOR = /^predecessor (\S+) (\S+) (\S+)$/;

export function textOfCheckpoint({ origin, size, root, time, predecessor }: Checkpoint): string {
  const lines = [origin, String(size), root.toString('base64')];
  if (time !== null) lines.push(`time ${time}`);
  if (predecessor) lines.push(`predecessor ${predecessor.origin} ${predecessor.size} ${predecessor.root.toString('base64')}`);
  return `${lines.join('\n')}\n`;
}

/** @throws Error if the text is no checkpoint */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...extensions] = text.replace(/\n$/, '').split('\n');
  if (!text.endsWith('\n') || extensions.some((line) => line === '')) throw new Error('is not a checkpoint');
  const [, time = null] = extensions.map((line) => TIME.exec(line)).find((match) => match !== null) ?? [];
  const told = extensions.map((line) => PREDECESSOR.exec(line)).find((match) => match !== null);
  const predecessor = told ? headOf(told[1] ?? '', told[2] ?? '', told[3] ?? '') : null;
  return { ...headOf(origin, size, root), time, predecessor };
}

function headOf(origin: string, size: string, root: string): Head {
  const hash = Buffer.from(root, 'base64');
  if (!isKeyName(origin) || !/^(0|[1-9]\d{0,14})$/.test(size)) throw new Error('is not a checkpoint');
  if (hash.length !== HASH_BYTES || hash.toString('base64') !== root) throw new Error('is not a checkpoint: its root is no hash');
  return { origin, size: Number(size), root: hash };
}
