import { consistencyRanges } from '@lib/audit/format/merkle';
import { keyOfText, parseNote, parseSignatures, signersOf, type VerifierKey } from '@lib/audit/format/signed-note';
import type { WitnessSetting } from '@lib/settings/checkpoint-settings';
import { newestCosigned, saveCosignature, type StoredCheckpoint } from '@lib/store/log/checkpoints';
import type { Pool } from '@lib/store/postgres/pool';
import { hashesOf } from './stored-tree';

const PATIENCE_MS = 10_000;
const MAX_ANSWER_LENGTH = 16_384;

/** What came of asking a witness; `ahead`: it has cosigned a larger checkpoint of this log than there is. */
export type Witnessed = 'cosigned' | 'ahead' | { refused: string };

/** A witness as the C2SP specification "tlog-witness" defines it. */
export class WitnessClient {
  readonly key: VerifierKey;

  /** @throws Error if its key is none */
  constructor(private readonly setting: WitnessSetting) {
    this.key = keyOfText(setting.key);
  }

  /** Asks it to cosign a checkpoint, unless it did, and keeps the cosignature. */
  async cosign(pool: Pool, checkpoint: StoredCheckpoint, signal?: AbortSignal): Promise<Witnessed> {
    const known = await newestCosigned(pool, checkpoint.origin, this.key.name);
    if (known >= checkpoint.size) return 'cosigned';
    const first = await this.ask(pool, checkpoint, known, signal);
    // It knows better which checkpoint it saw last.
    const size = first.status === 409 && /^\d{1,15}\n?$/.test(first.text) ? Number(first.text) : null;
    if (size !== null && size > checkpoint.size) return 'ahead';
    const { status, text } = size === null || size === known ? first : await this.ask(pool, checkpoint, size, signal);
    if (status !== 200) return { refused: `it answered ${status}` };
    const line = this.lineIn(checkpoint.note, text);
    if (line === null) return { refused: 'its answer has no cosignature of its key' };
    await saveCosignature(pool, checkpoint, this.key.name, line);
    return 'cosigned';
  }

  private async ask(
    pool: Pool,
    { note, size }: StoredCheckpoint,
    old: number,
    signal?: AbortSignal,
  ): Promise<{ status: number; text: string }> {
    const proof = await hashesOf(pool, consistencyRanges(old, size));
    const lines = [`old ${old}`, ...proof.map((hash) => hash.toString('base64'))];
    const over = new AbortController();
    const end = (): void => over.abort(new Error('the wait for the witness is over'));
    const patience = setTimeout(end, PATIENCE_MS);
    signal?.addEventListener('abort', end);
    try {
      signal?.throwIfAborted();
      const answer = await fetch(`${this.setting.url}/add-checkpoint`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: `${lines.join('\n')}\n\n${note}`,
        redirect: 'error',
        signal: over.signal,
      });
      return { status: answer.status, text: await startOf(answer) };
    } finally {
      clearTimeout(patience);
      signal?.removeEventListener('abort', end);
    }
  }

  private lineIn(note: string, answer: string): string | null {
    try {
      const { text } = parseNote(note);
      const signature = parseSignatures(answer).find((one) => signersOf({ text, signatures: [one] }, [this.key])?.length === 1);
      return signature?.line ?? null;
    } catch {
      return null;
    }
  }
}

/** Reads only the beginning: an answer of a witness is short, so a longer one is no valid answer. */
async function startOf(answer: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (text.length > MAX_ANSWER_LENGTH) break;
  }
  return text;
}
