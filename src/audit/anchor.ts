import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCheckpoint, type Checkpoint } from '@lib/audit/format/checkpoint';
import { parseNote, type Note } from '@lib/audit/format/signed-note';
import { messageOfError } from '@lib/domain/message-of-error';
import { readNamed } from '../folders';
import { DRAFT } from './checkpoint-folder';

/** A checkpoint that somebody kept elsewhere. */
export interface Anchor {
  /** Where it was read. */
  file: string;
  note: Note;
  checkpoint: Checkpoint;
}

/** Reads checkpoints from files, and from the files of folders. @throws Error that names the file which is none */
export async function readAnchors(paths: readonly string[]): Promise<Anchor[]> {
  const anchors: Anchor[] = [];
  for (const path of paths) anchors.push(...(await readNamed('--against', path, () => anchorsAt(path))));
  return anchors;
}

async function anchorsAt(path: string): Promise<Anchor[]> {
  const anchors: Anchor[] = [];
  for (const file of (await stat(path)).isDirectory() ? await filesIn(path) : [path])
    anchors.push(anchorOf(file, await readFile(file, 'utf8')));
  return anchors;
}

/** Without folders, such as `lost+found`, and without drafts. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.endsWith(DRAFT));
  return files.map(({ name }) => join(folder, name)).sort();
}

function anchorOf(file: string, text: string): Anchor {
  try {
    const note = parseNote(text);
    return { file, note, checkpoint: parseCheckpoint(note.text) };
  } catch (error) {
    throw new Error(`${file} ${messageOfError(error)}`, { cause: error });
  }
}
