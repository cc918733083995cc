import { isStopWord } from '@lib/language/tokens';

import type { IndexedFile } from './index-content';

/** The names of folders that hold documents of their own, such as packages: those at the top, and those with a readme. */
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

/** Words with a lower frequency rank than this are ordinary words of the language. */
const ORDINARY = 5_000;
const ENDS = ['js', '.js', '-js'];
const NAME = /[\p{L}\p{N}_$]+(?:[-._/]+[\p{L}\p{N}_$]+)*/gu;

export interface NamedFolders {
  names: string[];
  /** Whether none of the names is an ordinary word, which may mean something else: "open", "error". */
  surely: boolean;
}

/** If several folders are named, an ordinary word counts as one only if it is hardly more frequent than the rarest of the names, ... */
const ABOUT_AS_RARE = 0.5;
/** ... or if it is at least this rare and not a word of the trade: `chalk`, `jest`, `ora`. */
const RARE = 15_000;
/** Words that developers use without having the package of that name in mind. */
const OF_THE_TRADE = new Set(
  `ansi api braces cli console cookie debug diff forwarded generator helpers inflate ini inherits input migrations node onetime parser password prompts retry
schema schemas spec specs sql template token traverse validate watcher`.split(/\s+/),
);
const CAMEL_CASE = /(?<![\p{L}\p{N}_$.])\p{Ll}[\p{Ll}\p{N}]*(?:\p{Lu}[\p{Ll}\p{N}]+)+(?![\p{L}\p{N}_$])/gu;
/** Called a package in the question, or written in back quotes. */
const CALLED_A_PACKAGE = /`([^`\s]{2,80})`|\b(?:package|module|library)\s+([\w.-]+)|([\w.-]+)\s+(?:package|module|library)\b/gi;

/**
 * Finds the folders that a question names. `Nest` names `nestjs`. Very frequent words, such as `open`, name a folder only if nothing else in the
 * question does. There are packages called `retry` and `input`: such a word names its package only if no clearer name stands beside it, or if the
 * question calls it a package.
 *
 * @param rankOf how many words of the language are more frequent; undefined for an unknown word
 */
export function foldersNamed(question: string, folders: ReadonlySet<string>, rankOf: (word: string) => number | undefined): NamedFolders {
  const words = Array.from(question.toLowerCase().matchAll(NAME), ([word]) => word);
  const parts = new Set(words.flatMap((word) => [word, ...word.split('/'), word.replace(/\..*/, '')]).filter((word) => !isStopWord(word)));
  const called = new Set([...parts].flatMap((part) => ['', ...ENDS].map((end) => part + end)));
  const imported = importsIn(question, folders);
  const names = [...folders].filter((folder) => called.has(folder) || imported.includes(folder));
  const rank = (name: string): number => rankOf(name) ?? rankOf(withoutEnd(name)) ?? Infinity;
  const rarest = Math.max(...names.map(rank));
  const packages = new Set(Array.from(question.toLowerCase().matchAll(CALLED_A_PACKAGE), (match) => match.slice(1).find(Boolean)));
  const isClear = (name: string): boolean =>
    rank(name) >= ABOUT_AS_RARE * rarest || packages.has(name) || (rank(name) >= RARE && !OF_THE_TRADE.has(withoutEnd(name)));
  const sure = names.filter((name) => rank(name) >= ORDINARY && isClear(name));
  return sure.length > 0 ? { names: sure, surely: true } : { names, surely: false };
}

/** The name under which code imports a package: `writeFileAtomic` for `write-file-atomic`. Ordinary words are not written like that. */
function importsIn(question: string, folders: ReadonlySet<string>): string[] {
  const called = Array.from(question.matchAll(CAMEL_CASE), ([word]) => word.replace(/\p{Lu}/gu, (letter) => `-${letter.toLowerCase()}`));
  return called.filter((name) => folders.has(name));
}

const withoutEnd = (folder: string): string => folder.replace(/[.-]?js$/, '');

/** Whether a document lies in one of the folders, or in one whose name extends theirs: `@fastify/cors` is within `fastify`. */
export function isWithin(path: string, folders: readonly string[]): boolean {
  const parts = path
    .toLowerCase()
    .split('/')
    .slice(0, -1)
    .map((part) => part.replace(/^@/, ''));
  return parts.some((part) => folders.some((folder) => part === folder || part.startsWith(`${folder}-`)));
}
