/** The name that a process gives its sessions, so that the server shows the process and build they belong to. */
export interface NamedProcess {
  /** The first eight characters of the process's own name. */
  instance: string;
  build: string;
  roles: string[];
}

/** A terminating process keeps a session whose name has a `-` in place of the space. */
export const SESSION_PREFIX = 'research';
/** PostgreSQL truncates longer names. */
const MAX_LENGTH = 63;
const INSTANCE = 8;

/** The URL with a name for its sessions, unless it has one. */
export function withSessionName(databaseUrl: string, { instance, build, roles }: NamedProcess, isLeaving = false): string {
  const url = new URL(databaseUrl);
  if (url.searchParams.has('application_name')) return databaseUrl;
  const name = `${SESSION_PREFIX}${isLeaving ? '-' : ' '}${instance.slice(0, INSTANCE)} ${build} ${roles.join()}`;
  url.searchParams.set('application_name', name.slice(0, MAX_LENGTH));
  return url.href;
}

/** Null for any other name. The last role may be cut off. */
export function readSessionName(name: string): (NamedProcess & { isLeaving: boolean }) | null {
  const [, mark, instance, build, roles] = /^research([ -])([0-9a-f]{8}) (\S{1,40}) ([a-z,]+)$/.exec(name) ?? [];
  if (instance === undefined || build === undefined || roles === undefined) return null;
  return { instance, build, roles: roles.split(','), isLeaving: mark === '-' };
}
