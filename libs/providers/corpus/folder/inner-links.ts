import type { Dirent } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/**
 * The entries of a folder. A link to a place within the root below a name that begins with a dot counts as its target: Kubernetes mounts a ConfigMap
 * that way, as `guide.md -> ..data/guide.md`. Other links are not followed, since their target is found directly or does not belong to the folder.
 * Within a followed link no further links are followed, so there are no cycles.
 * @param root its real path
 */
export async function withInnerLinks(root: string, folder: string, entries: readonly Dirent[]): Promise<Dirent[]> {
  if (!entries.some((entry) => entry.isSymbolicLink())) return [...entries];
  const isReal = await realpath(folder).then(
    (real) => relative(real, folder) === '',
    () => false,
  );
  if (!isReal) return [...entries];
  return Promise.all(entries.map(async (entry) => (entry.isSymbolicLink() ? followed(root, folder, entry) : entry)));
}

async function followed(root: string, folder: string, entry: Dirent): Promise<Dirent> {
  try {
    const target = await realpath(join(folder, entry.name));
    const parts = isBelow(root, target) ? relative(root, target).split(sep) : [];
    if (!parts.some((part) => part.startsWith('.'))) return entry;
    const found = await stat(target);
    const is = (value: boolean) => ({ value: () => value });
    const kind = { isFile: is(found.isFile()), isDirectory: is(found.isDirectory()), isSymbolicLink: is(false) };
    return Object.create(entry, kind) as Dirent;
  } catch {
    return entry;
  }
}

/** Whether a path is below a root; both must be real paths. */
export const isBelow = (root: string, path: string): boolean => path.startsWith(root.endsWith(sep) ? root : root + sep);
