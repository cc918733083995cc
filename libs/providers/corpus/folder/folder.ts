import { existsSync, readdir, type Dirent, type Stats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';

import { glob, type FileSystemAdapter } from 'tinyglobby';

import { DOCUMENTS, whyUnread } from '../formats/document-formats';
import { isBelow, withInnerLinks } from './inner-links';
import { packedFormatOf } from '../formats/packed-file';

/**
 * Whose lack it is that a file cannot be read. The document's is the same for every worker; of a worker's own (rights, time, memory, a reader that
 * fails) another one may be free.
 */
export type Lack = 'document' | 'worker';

export interface DocumentFolder {
  /** Absolute path. */
  path: string;
  /** The folder holds installed packages: only their documentation counts. */
  packages: boolean;
}

/** A file that is left out, and why. */
export interface SkippedFile {
  path: string;
  reason: string;
  lack: Lack;
}

/** A file that may be a document, as listed in its folder. */
export interface ListedFile {
  /** Relative to the folder, with `/` between its parts. */
  path: string;
  /** In bytes. */
  size: number;
  /** When its content or permissions last changed, in milliseconds since 1970. */
  modifiedAt: number;
}

export interface Listing {
  files: ListedFile[];
  skipped: SkippedFile[];
}

const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
/** Larger than other documents, since most of a PDF or of a Word document is fonts and pictures. */
const MAX_PACKED_BYTES = 64 * 1024 * 1024;
const MAX_DOCUMENTS = 100_000;
/** How many files are examined at the same time. */
const LOOKS = 32;
const PACKAGE_DOCUMENTATION = ['**/*.md'];
/** What Word and Excel write beside a document while somebody has it open. */
const OPENED_BY_OFFICE = ['**/~$*'];
const NOT_DOCUMENTATION = [
  '**/{changelog,changes,history,licen[cs]e,license-*,notice,third-party*,contributing,contributors,code_of_conduct,code-of-conduct}*.md',
  '**/{security,authors,maintainers,governance,releases,release-notes,publish,publishing,sponsors,agents,claude}*.md',
  '**/{test,tests,__tests__,fixtures,benchmark,benchmarks,bench,.github}/**',
];

/**
 * The configured folder, or else the installed packages, which always have documentation: `node_modules` beside a package.json, not in the build
 * output.
 */
export function documentFolder(configured: string | undefined): DocumentFolder {
  if (configured !== undefined) return { path: configured, packages: false };
  for (let folder = __dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules');
    if (existsSync(packages) && existsSync(join(folder, 'package.json'))) return { path: packages, packages: true };
  }
  throw new Error('No installed packages were found; name a folder of documents in CORPUS_DIR');
}

/** The largest document of a format, in bytes. */
export const largestOf = (path: string): number => (packedFormatOf(extname(path).toLowerCase()) ? MAX_PACKED_BYTES : MAX_DOCUMENT_BYTES);

/** The documents below a folder in a fixed order. Links out of it are not followed; files too large to be documents are skipped. */
export async function listDocuments({ path: folder, packages }: DocumentFolder): Promise<Listing> {
  const root = await realpath(folder);
  const folders = new WatchedFolders(root, !packages);
  const found = await glob(packages ? PACKAGE_DOCUMENTATION : DOCUMENTS, {
    cwd: root,
    ignore: packages ? NOT_DOCUMENTATION : OPENED_BY_OFFICE,
    followSymbolicLinks: false,
    caseSensitiveMatch: false,
    expandDirectories: false,
    fs: folders.watched,
  });
  if (folders.ofRoot) throw folders.ofRoot;
  const paths = (packages ? withoutCopies(found) : found).sort(byPath);
  const looks: (ListedFile | SkippedFile)[] = paths
    .slice(MAX_DOCUMENTS)
    .map((path) => ({ path, reason: `there are more than ${MAX_DOCUMENTS} documents`, lack: 'document' }));
  const wanted = paths.slice(0, MAX_DOCUMENTS);
  for (let from = 0; from < wanted.length; from += LOOKS) {
    looks.push(...(await Promise.all(wanted.slice(from, from + LOOKS).map((path) => lookAt(root, path)))));
  }
  return { files: looks.filter((look) => 'size' in look), skipped: [...folders.skipped, ...looks.filter((look) => 'reason' in look)] };
}

const NESTED = '/node_modules/';

/** Leaves out the nested copies that packages bring along: a question about a package means the version installed at the top. */
function withoutCopies(paths: readonly string[]): string[] {
  const own = new Set(paths.filter((path) => !path.includes(NESTED)).map(packageOf));
  return paths.filter((path) => {
    const at = path.lastIndexOf(NESTED);
    return at < 0 || !own.has(packageOf(path.slice(at + NESTED.length)));
  });
}

/** "glob" of "glob/README.md", "@lib/a" of "@lib/a/docs/use.md". */
const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

/** Notes the folders that cannot be listed, because the search for files passes over them in silence. */
class WatchedFolders {
  readonly skipped: SkippedFile[] = [];
  /** Why the root itself cannot be listed. */
  ofRoot: Error | undefined;
  readonly watched = {
    readdir: (path: string, options: { withFileTypes: true }, done: (error: Error | null, entries: Dirent[]) => void): void =>
      readdir(path, options, (error, entries) => {
        if (error) this.note(path, error);
        if (error || !this.followsInner) done(error, entries);
        else void withInnerLinks(this.root, path, entries).then((followed) => done(null, followed));
      }),
  } as FileSystemAdapter;

  /** @param followsInner whether to follow links into hidden folders; in installed packages such links lead to parts of other packages */
  constructor(
    private readonly root: string,
    private readonly followsInner: boolean,
  ) {}

  private note(folder: string, error: Error): void {
    const path = relative(this.root, folder);
    if (path === '') this.ofRoot = error;
    else this.skipped.push({ path: `${path}/`, reason: `the folder cannot be read (${errorCode(error)})`, lack: 'worker' });
  }
}

async function lookAt(root: string, path: string): Promise<ListedFile | SkippedFile> {
  try {
    const own = await lstat(join(root, path));
    const found = own.isSymbolicLink() ? await behind(root, path) : own;
    if (!found?.isFile()) return { path, reason: 'it is no file', lack: 'document' };
    const unread = whyUnread(path);
    if (unread !== undefined) return { path, reason: unread, lack: 'document' };
    const { size } = found;
    const modifiedAt = Math.max(own.mtimeMs, own.ctimeMs, found.mtimeMs, found.ctimeMs);
    const largest = largestOf(path);
    return size > largest ? { path, reason: `it is larger than ${largest} bytes`, lack: 'document' } : { path, size, modifiedAt };
  } catch (error) {
    return { path, reason: `it cannot be read (${errorCode(error)})`, lack: 'worker' };
  }
}

/** The target of a link; null if it now leads out of the folder. */
async function behind(root: string, path: string): Promise<Stats | null> {
  const real = await realpath(join(root, path));
  return isBelow(root, real) ? stat(real) : null;
}

/** Files near the root come first, so that of identical documents the one with the shortest path is kept. The order is the same on every machine. */
function byPath(left: string, right: string): number {
  const depth = left.split('/').length - right.split('/').length;
  if (depth !== 0) return depth;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Gives the error's code, since its message would reveal paths of this machine. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
}
