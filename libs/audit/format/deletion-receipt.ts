import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { Head } from './checkpoint';

/** An event by its place in a stream, and its hash. */
export interface PlacedHash {
  version: number;
  hash: string;
}

/** A stream of a deleted thread: the event that records its erasure, and the last event before it. */
export interface ErasedStream {
  streamId: string;
  head: PlacedHash;
  erased: PlacedHash;
}

/** The signed statement about a deletion. */
export interface DeletionReceipt {
  threadId: string;
  tenantId: string;
  /** Who deleted the thread and when, according to its event. */
  actor: string;
  deletedAt: string;
  signedAt: string;
  /** The thread's own stream and those of its jobs, in the order in which the thread named them. The digest is over `linesOfStreams`. */
  streams: { count: number; sha256: string };
  /** What is left: the number of events, without their content and without the key that could open it. */
  remains: { events: number; content: false; key: false };
  /** The log that contains all of these events. */
  checkpoint: { origin: string; size: number; root: string };
}

const TITLE = 'research-threads deletion receipt 1';

export const linesOfStreams = (streams: readonly ErasedStream[]): string =>
  streams.map((stream) => `${canonicalize(stream) ?? ''}\n`).join('');

export const digestOfStreams = (streams: readonly ErasedStream[]): DeletionReceipt['streams'] => ({
  count: streams.length,
  sha256: createHash('sha256').update(linesOfStreams(streams)).digest('hex'),
});

/** The last event of a history. */
export interface StreamHead {
  streamId: string;
  version: number;
  /** In hexadecimal digits. */
  hash: string;
}

/** SHA-256 over one line for each history of a thread, in the order of the receipt. */
export const digestOfHeads = (heads: readonly StreamHead[]): string =>
  createHash('sha256')
    .update(heads.map(({ streamId, version, hash }) => `${canonicalize({ hash, streamId, version }) ?? ''}\n`).join(''))
    .digest('hex');

/** The text of the note. It can never be the text of a checkpoint, whose second line is a number. */
export const textOfReceipt = (receipt: DeletionReceipt): string => `${TITLE}\n${canonicalize(receipt) ?? ''}\n`;

/** @throws Error that tells the problem with the text */
export function readReceipt(text: string): DeletionReceipt {
  const [title, line = '', ...rest] = text.split('\n');
  if (title !== TITLE || rest.length !== 1 || rest[0] !== '') throw new Error('is no receipt of a deletion');
  let told: Partial<DeletionReceipt>;
  try {
    told = JSON.parse(line) as Partial<DeletionReceipt>;
  } catch {
    throw new Error('is no receipt of a deletion: its second line is not JSON');
  }
  const { threadId, streams, checkpoint, remains } = told;
  const isWhole = typeof threadId === 'string' && typeof streams?.sha256 === 'string' && Number.isSafeInteger(checkpoint?.size) && remains;
  if (!isWhole || canonicalize(told) !== line) throw new Error('is no receipt of a deletion: something is missing in it');
  return told as DeletionReceipt;
}

/** What the events of a deleted thread say about its deletion. */
export interface RecordedDeletion {
  threadId: string;
  actor: unknown;
  deletedAt: unknown;
  /** By stream id. */
  erased: ReadonlyMap<string, Pick<ErasedStream, 'head' | 'erased'>>;
}

/**
 * @param isWhole whether the events of all streams of the thread are at hand
 * @returns how the receipt differs from the events, or null
 */
export function receiptFault(
  receipt: DeletionReceipt,
  streams: readonly ErasedStream[],
  recorded: RecordedDeletion,
  isWhole: boolean,
): string | null {
  const { count, sha256 } = digestOfStreams(streams);
  if (receipt.streams.sha256 !== sha256 || receipt.streams.count !== count) return 'lists other streams than those that were signed';
  if (receipt.threadId !== recorded.threadId) return `is of the thread ${receipt.threadId}`;
  if (receipt.actor !== recorded.actor || receipt.deletedAt !== recorded.deletedAt)
    return 'says another actor or time than the event ThreadDeleted';
  const listed = new Map(streams.map((stream) => [stream.streamId, stream]));
  for (const [streamId, { head, erased }] of recorded.erased) {
    if (canonicalize(listed.get(streamId)) !== canonicalize({ streamId, head, erased }))
      return `says something else of ${streamId} than its events`;
  }
  if (isWhole && listed.size !== recorded.erased.size) return 'lists streams that were not erased';
  return null;
}

/** A head in the form that receipts use. */
export const textHead = ({ origin, size, root }: Head): DeletionReceipt['checkpoint'] => ({ origin, size, root: root.toString('base64') });
