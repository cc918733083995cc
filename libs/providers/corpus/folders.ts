import type { IndexedFile } from './index-content';

/** The names of folders that hold documents of their own, such as packages: those at the top, and those that have a readme. */
export function foldersOf(files: readonly Pick<IndexedFile, 'path' | 'skipped'>[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path, skipped } of files) {
    if (skipped !== null) continue;
    const parts = path.toLowerCase().split('/');
    const name = parts.pop() ?? '';
    const top = parts[0]?.startsWith('@') ? [parts[0].slice(1), parts[1]] : [parts[0]];
    for (const folder of [...top, name.startsWith('readme') ? parts.at(-1) : undefined]) if (folder) folders.add(folder);
  }
  return folders;
}

const NAME = /[\p{L}\p{N}_$]+(?:[-._/]+[\p{L}\p{N}_$]+)*/gu;

/** Those that a question names; `Nest` is `nestjs`. */
export function foldersNamed(question: string, folders: ReadonlySet<string>): string[] {
  const words = Array.from(question.toLowerCase().matchAll(NAME), ([word]) => word);
  const parts = new Set(words.flatMap((word) => [word, ...word.split('/'), word.replace(/\..*/, '')]));
  return [...folders].filter((folder) => parts.has(folder) || parts.has(folder.replace(/[.-]?js$/, '')));
}
