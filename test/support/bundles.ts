import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { FILES, SUMS } from '@lib/audit/format/bundle/files';
import { parseNote, signedNote, signerKey, textOfKey, type VerifierKey } from '@lib/audit/format/signed-note';
import type { Pool } from '@lib/store/postgres/pool';
import type { Store } from '@lib/store/store';
import { Checkpointer } from '../../src/audit/checkpointer';
import { exportBundle, type Exported } from '../../src/audit/bundle/export-bundle';
import type { Anchor } from '../../src/audit/anchor';
import { sequence } from '../../src/audit/sequencer';
import { complete, report, start, success } from './job-history';
import { createJob } from './store';
import { addMessage, deleteThread, onJob, pursue } from './streams';

export const ORIGIN = 'audit.example.org/log';
export const OURS = Buffer.alloc(32, 7);
export const CANARY = 'quetzalcoatlus';
export const verifierKey: VerifierKey = signerKey(ORIGIN, OURS);

const silent = { warn: () => undefined, info: () => undefined } as never;

/** Brings the log up to date and signs it. @returns the note */
export async function signed(pool: Pool, seed = OURS): Promise<string> {
  await sequence(pool, 'the beginning');
  return (await new Checkpointer(pool, { keys: [seed], origin: ORIGIN, folder: null, witnesses: [], isNewKey: true }, silent).sign()).note;
}

/** A thread with a finished job, a pursued one and messages; its texts have a word that stands nowhere else. */
export async function finishedThread(store: Store): Promise<{ threadId: string; jobId: string; pursued: string }> {
  const { threadId, jobId, stepIds } = await createJob(store, { query: `What is a ${CANARY}?` });
  for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success(20_000)));
  await onJob(store, jobId, complete);
  await addMessage(store, threadId, `And the ${CANARY}?`);
  const pursued = await pursue(store, threadId, jobId, `More of the ${CANARY}`);
  return { threadId, jobId, pursued };
}

/** Two threads, one of them deleted, and two checkpoints. */
export async function exampleHistories(store: Store): Promise<{ kept: string; threadId: string; jobId: string; deletedId: string }> {
  const deleted = await finishedThread(store);
  const kept = await signed(store.pool);
  const { threadId, jobId } = await finishedThread(store);
  await deleteThread(store, deleted.threadId);
  await signed(store.pool);
  return { kept, threadId, jobId, deletedId: deleted.threadId };
}

/** Folders of a test file, which go with it. */
export class Bundles {
  readonly root = mkdtempSync(join(tmpdir(), 'research-bundles-'));

  folder = (): string => join(this.root, randomUUID());
  remove = (): void => rmSync(this.root, { recursive: true, force: true });

  async export(
    pool: Pool,
    scope: { jobId?: string; threadId?: string; tenantId?: string; since?: Date },
    held: readonly Anchor[] = [],
    priceTables: ReadonlyMap<string, object> = new Map(),
  ): Promise<{ folder: string; exported: Exported }> {
    const folder = this.folder();
    const whole = { jobId: null, threadId: null, tenantId: null, since: null, ...scope };
    return { folder, exported: await exportBundle(pool, { scope: whole, folder, held, priceTables }, () => undefined) };
  }

  /** A copy of a bundle in which something is another thing; with the digests made anew, as whoever changes it on purpose does. */
  changed(bundle: string, change: (folder: string) => void): string {
    const folder = this.folder();
    cpSync(bundle, folder, { recursive: true });
    change(folder);
    resum(folder);
    return folder;
  }
}

export function resum(folder: string): void {
  const lines = Object.values(FILES).map((name) => {
    const path = join(folder, name);
    const digest = createHash('sha256')
      .update(existsSync(path) ? readFileSync(path) : '')
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(folder, SUMS), lines.join(''));
}

/** A line of events, or of checkpoints: those have a proof alone. */
export interface Line {
  [name: string]: unknown;
  streamId: string;
  version: unknown;
  index: number;
  facts: Record<string, unknown>;
  meta: Record<string, unknown>;
  sealedSha256: string | null;
  proof: unknown[];
}

export const linesIn = (folder: string, name: string): Line[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** Writes the lines of a file anew. */
export const onLines =
  (name: string, change: (lines: Line[]) => unknown) =>
  (folder: string): void => {
    const lines = linesIn(folder, name);
    const told = change(lines);
    const changed = Array.isArray(told) ? (told as Line[]) : lines;
    writeFileSync(join(folder, name), changed.map((line) => `${canonicalize(line) ?? ''}\n`).join(''));
  };

/** Takes all receipts out and counts them anew, as whoever has something to hide would. */
export function withoutReceipts(folder: string): void {
  writeFileSync(join(folder, FILES.deletions), '');
  const head = readFileSync(join(folder, FILES.head), 'utf8');
  writeFileSync(join(folder, FILES.head), head.replace(/"deletions": \d+/, '"deletions": 0'));
}

/** Puts a stranger's signature under a genuine older checkpoint, and signs the newest one with the stranger's key alone. */
export function forgeByCosigning(folder: string, seed: Buffer): void {
  const stranger = signerKey(ORIGIN, seed);
  const mine = (note: string) => signedNote(parseNote(note).text, [stranger]);
  onLines(FILES.consistency, (lines) => {
    for (const line of lines) {
      const genuine = String(line.checkpoint);
      line.checkpoint = genuine + mine(genuine).slice(parseNote(genuine).text.length + 1);
    }
  })(folder);
  writeFileSync(join(folder, FILES.checkpoint), mine(readFileSync(join(folder, FILES.checkpoint), 'utf8')));
  appendFileSync(join(folder, FILES.keys), `${textOfKey(stranger)}\n`);
}

/** Makes the chain of a stream right again. */
export function rechain(lines: Line[], streamId: string): void {
  let previous = '00'.repeat(32);
  for (const line of lines.filter((one) => one.streamId === streamId)) {
    const { id, version, type, schemaVersion, facts, meta, sealedSha256 } = line;
    line.prevHash = previous;
    previous = createHash('sha256')
      .update(Buffer.from(previous, 'hex'))
      .update(canonicalize({ id, streamId, version, type, schemaVersion, facts, meta }) ?? '')
      .update(Buffer.from(sealedSha256 ?? '', 'hex'))
      .digest('hex');
    line.hash = previous;
  }
}
