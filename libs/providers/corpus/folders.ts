import { isStopWord } from '@lib/language/tokens';

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

/** The most frequent words of the language. */
const ORDINARY = 5_000;
const ENDS = ['js', '.js', '-js'];
const NAME = /[\p{L}\p{N}_$]+(?:[-._/]+[\p{L}\p{N}_$]+)*/gu;

/** Folders that a question names. */
export interface NamedFolders {
  names: string[];
  /** No ordinary words, which may mean something else: "open", "error". */
  surely: boolean;
}

/** A word of the language names a folder beside others only if it is hardly more frequent than the rarest of them. */
const ABOUT_AS_RARE = 0.5;

/**
 * `Nest` is `nestjs`. Ordinary words name a folder only if no other word does, and words of the language only if no made-up name does: there
 * is a package for `retry` and for `input`.
 *
 * @param rankOf how many words of the language are more frequent; undefined for what is none
 */
export function foldersNamed(question: string, folders: ReadonlySet<string>, rankOf: (word: string) => number | undefined): NamedFolders {
  const words = Array.from(question.toLowerCase().matchAll(NAME), ([word]) => word);
  const parts = new Set(words.flatMap((word) => [word, ...word.split('/'), word.replace(/\..*/, '')]).filter((word) => !isStopWord(word)));
  const called = new Set([...parts].flatMap((part) => ['', ...ENDS].map((end) => part + end)));
  const names = [...folders].filter((folder) => called.has(folder));
  const rank = (name: string): number => rankOf(name) ?? rankOf(withoutEnd(name)) ?? Infinity;
  const rarest = Math.max(...names.map(rank));
  const sure = names.filter((name) => rank(name) >= ORDINARY && rank(name) >= ABOUT_AS_RARE * rarest);
  return sure.length > 0 ? { names: sure, surely: true } : { names, surely: false };
}

const withoutEnd = (folder: string): string => folder.replace(/[.-]?js$/, '');

/** Whether a document lies in one of some folders, or in one whose name begins with theirs: `@fastify/cors` is within `fastify`. */
export function isWithin(path: string, folders: readonly string[]): boolean {
  const parts = path
    .toLowerCase()
    .split('/')
    .slice(0, -1)
    .map((part) => part.replace(/^@/, ''));
  return parts.some((part) => folders.some((folder) => part === folder || part.startsWith(`${folder}-`)));
}
