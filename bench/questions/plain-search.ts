import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import MiniSearch from 'minisearch';

import { listDocuments, type DocumentFolder } from '@lib/providers/corpus/folder/folder';
import { NotADocument, type Passage } from '@lib/providers/corpus/formats/passages';
import { readDocument } from '@lib/providers/corpus/formats/read-document';

const SHOWN = 5;

/** What a plain search shows: the texts of the first five sections by BM25 as the library gives it, under their headings. */
export async function plainSearch(folder: DocumentFolder): Promise<(question: string) => string> {
  const seen = new Set<string>();
  const sections: { path: string; headings: readonly string[]; texts: string[] }[] = [];
  for (const { path } of (await listDocuments(folder)).files) {
    const content = await readFile(join(folder.path, path));
    if (seen.has(content.toString('base64'))) continue;
    seen.add(content.toString('base64'));
    for (const { headings, chunks } of await passagesOf(path, content)) {
      const last = sections.at(-1);
      const texts = chunks.map(({ text }) => text);
      if (last?.path === path && last.headings.join('\n') === headings.join('\n')) last.texts.push(...texts);
      else sections.push({ path, headings, texts });
    }
  }
  const entries = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] });
  const textOf = (id: number): string => [...(sections[id]?.headings ?? []), ...(sections[id]?.texts ?? [])].join('\n\n');
  entries.addAll(sections.map(({ path }, id) => ({ id, text: `${path}\n${textOf(id)}` })));
  return (question) =>
    entries
      .search(question)
      .slice(0, SHOWN)
      .map(({ id }) => textOf(Number(id)))
      .join('\n\n');
}

async function passagesOf(path: string, content: Buffer): Promise<Passage[]> {
  try {
    return (await readDocument(path, content)).passages;
  } catch (error) {
    if (error instanceof NotADocument) return [];
    throw error;
  }
}
