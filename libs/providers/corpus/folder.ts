import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

import { glob } from 'tinyglobby';

/** Where documents are taken from. */
export interface DocumentFolder {
  /** Absolute path. */
  path: string;
  /** Take documentation only: the folder holds installed packages, with much that is no answer to anything. */
  packages: boolean;
}

/** A file that is left out, and why. */
export interface SkippedFile {
  path: string;
  reason: string;
}

/** Paths are relative to the folder, with `/` between their parts. */
export interface Listing {
  paths: string[];
  skipped: SkippedFile[];
}

const LARGEST_DOCUMENT = 2 * 1024 * 1024;
const MOST_DOCUMENTS = 20_000;
const DOCUMENTS = ['**/*.{md,markdown,txt,html,htm}'];
const PACKAGE_DOCUMENTATION = ['**/*.md'];
const NOT_DOCUMENTATION = [
  '**/{changelog,changes,history,licen[cs]e,license-*,notice,third-party*,contributing,contributors,code_of_conduct,code-of-conduct}*.md',
  '**/{security,authors,maintainers,governance,releases,release-notes,publish,publishing,sponsors,agents,claude}*.md',
  '**/{test,tests,__tests__,fixtures,benchmark,benchmarks,bench,.github}/**',
];

/** The folder that was configured, or the packages installed beside this one: their documentation is always there. */
export function documentFolder(configured: string | undefined): DocumentFolder {
  if (configured !== undefined) return { path: configured, packages: false };
  for (let folder = __dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules');
    if (existsSync(packages)) return { path: packages, packages: true };
  }
  throw new Error('No installed packages were found; name a folder of documents in CORPUS_DIR');
}

/** The documents below a folder in a fixed order. Links that lead out of it and files too large to be documents are skipped. */
export async function listDocuments({ path: folder, packages }: DocumentFolder): Promise<Listing> {
  const root = await realpath(folder);
  const found = await glob(packages ? PACKAGE_DOCUMENTATION : DOCUMENTS, {
    cwd: root,
    ignore: packages ? NOT_DOCUMENTATION : [],
    followSymbolicLinks: false,
    caseSensitiveMatch: false,
    expandDirectories: false,
  });
  const listing: Listing = { paths: [], skipped: [] };
  for (const path of found.sort(byPath)) {
    const reason =
      listing.paths.length >= MOST_DOCUMENTS ? `there are more than ${MOST_DOCUMENTS} documents` : await reasonToSkip(root, path);
    if (reason) listing.skipped.push({ path, reason });
    else listing.paths.push(path);
  }
  return listing;
}

async function reasonToSkip(root: string, path: string): Promise<string | undefined> {
  try {
    const real = await realpath(join(root, path));
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return 'it leads out of the folder';
    const { size } = await stat(real);
    return size > LARGEST_DOCUMENT ? `it is larger than ${LARGEST_DOCUMENT} bytes` : undefined;
  } catch (error) {
    return `it cannot be read (${errorCode(error)})`;
  }
}

/** Files near the root first, so that of equal documents the one with the shortest path stays. The same on every machine. */
function byPath(left: string, right: string): number {
  const depth = left.split('/').length - right.split('/').length;
  if (depth !== 0) return depth;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Error codes, as messages would tell the machine's own paths. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
}
