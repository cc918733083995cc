import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { batch } from '@lib/batching/batch';
import type { TellAlert } from '../alert';
import { ANSWER_WITHIN_MS } from '../postgres/answer-within';
import { StoreUnavailable } from '../postgres/store-unavailable';

/** A deletion must be in the list before it is done, and the list cannot be written. The database itself is well. */
export class DeletionNotListed extends StoreUnavailable {
  override readonly name = 'DeletionNotListed';

  constructor(folder: string, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(cause, `The deletion list ${folder} cannot be written (${code ?? message}): make room there, and let this user write to it.`);
  }
}

/**
 * One line of the list: ids and a time, never content. Each has its own id, so that a refused deletion can be taken back without any other
 * of its thread.
 */
export type Line = { v: 1; entry: string; at: string } & ({ deleted: string } | { refused: string });

export interface ListedDeletion {
  threadId: string;
  /** When it was asked for. */
  at: Date;
}

/** A line of the list for a deletion that only the database knows. */
export const deletionLine = ({ threadId, at }: ListedDeletion): string =>
  JSON.stringify({ v: 1, entry: threadId, at: at.toISOString(), deleted: threadId } satisfies Line);

/** Of the files in the folder of a list. */
export const ENDING = '.jsonl';
const FOLDER_REMEDY = 'Set DELETION_LIST to a folder that exists and that this user can write to.';

/** @throws Error that names the folder and the setting */
export async function requireDeletionFolder(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error('it is no folder');
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`The deletion list ${folder} cannot be used: ${(cause as Error).message}. ${FOLDER_REMEDY}`, { cause });
  }
}

/**
 * A record of deletions beside the database, so that restoring a backup does not bring deleted threads back. Each deletion is on the disk
 * before it is committed. If the process dies in between, a restored database loses a thread that somebody asked to delete, but it never
 * keeps one that was deleted. Every process appends to its own file, so that any number can share the folder.
 */
export class DeletionList {
  private file: Promise<OpenFile> | null = null;
  private readonly write = batch((lines: Line[]) => this.append(lines), {
    maxItems: 1_000,
    mixesTenants: true,
    name: 'deletions to be listed',
    // A network file system never answers if its server is gone.
    answerBy: () => performance.now() + ANSWER_WITHIN_MS,
    refuse: () => new DeletionNotListed(this.folder, new Error('the folder of the deletion list did not answer in time')),
  });

  constructor(
    private readonly folder: string,
    private readonly tell: TellAlert = () => undefined,
  ) {}

  /**
   * @returns takes it back; for a deletion that was refused
   * @throws DeletionNotListed
   */
  async add(threadId: string, at: Date): Promise<() => Promise<void>> {
    const line = { v: 1, entry: randomUUID(), at: at.toISOString() } as const;
    await this.put(threadId, { ...line, deleted: threadId });
    return () => this.put(threadId, { ...line, refused: threadId });
  }

  async close(): Promise<void> {
    await (await this.file)?.handle.close();
  }

  private async put(threadId: string, line: Line): Promise<void> {
    try {
      await this.write(line);
    } catch (error) {
      this.tell({ reason: 'deletion_not_listed', of: threadId, error });
      throw error;
    }
  }

  private async append(lines: readonly Line[]): Promise<void[]> {
    try {
      // An operator who cleared the folder may have removed this file too; then nobody would ever find what is written to it.
      if (this.file && !(await isInPlace(await this.file))) await this.abandon();
      const file = await (this.file ??= this.create());
      await file.handle.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await file.handle.datasync();
      if (!(await isInPlace(file))) throw new Error(`${file.path} was taken away while it was written to`);
      return lines.map(() => undefined);
    } catch (error) {
      // The file may end in the middle of a line now, so nothing may be written behind it.
      await this.abandon();
      throw new DeletionNotListed(this.folder, error);
    }
  }

  private async abandon(): Promise<void> {
    const file = await this.file?.catch(() => null);
    this.file = null;
    if (file) await discard(file);
  }

  /** Its name is on the disk before anything is written to it. */
  private async create(): Promise<OpenFile> {
    const path = join(this.folder, `${hostname()}-${process.pid}-${randomUUID()}${ENDING}`);
    const file = { path, handle: await open(path, 'ax', 0o600) };
    try {
      await syncFolder(this.folder);
    } catch (error) {
      await discard(file);
      throw error;
    }
    return file;
  }
}

interface OpenFile {
  path: string;
  handle: FileHandle;
}

/** Whether the file is still the one of its name. */
async function isInPlace({ path, handle }: OpenFile): Promise<boolean> {
  const [named, own] = await Promise.all([stat(path).catch(() => null), handle.stat()]);
  return named?.ino === own.ino && named.dev === own.dev;
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

/** Otherwise each deletion refused while the disk is full would leave a file, and every start reads them all. */
async function discard(file: OpenFile): Promise<void> {
  await removeEmpty(file).catch(() => undefined);
  await file.handle.close().catch(() => undefined);
}

async function removeEmpty(file: OpenFile): Promise<void> {
  if ((await file.handle.stat()).size === 0 && (await isInPlace(file))) await rm(file.path);
}
