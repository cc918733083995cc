import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

import { isJsonObject } from '@lib/domain/json-object';

/** What this machine itself lacks, by the error's code. No connection was opened, so nothing can have reached the other side. */
const LACKS: Readonly<Record<string, string>> = {
  EMFILE: 'it has as many files and connections open as it may: raise its limit (ulimit -n), or of a worker lower WORKER_SLOTS',
  ENFILE: 'its machine has as many files open as it may: raise fs.file-max, or run fewer processes there',
  EADDRNOTAVAIL: 'its machine has no address or port left to connect from: widen net.ipv4.ip_local_port_range, or look at its addresses',
  ENOMEM: 'its machine has no memory left for a connection',
  ENOBUFS: 'its machine has no memory left for a connection',
};
/** The resolver answers with these also if it could not open its own files. */
const LOOKED_UP_IN_VAIN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN']);
/** Look-ups by Node's own resolver, such as `queryA`, which then answers that its name server refused. */
const QUERY = /^query/;

/** What this process lacks for a connection, if that is why there is none; null if the cause lies elsewhere. */
export function lackOf(error: unknown): string | null {
  for (let cause = error; isJsonObject(cause); cause = cause.cause) {
    // Of several addresses one may be unusable from here while the provider refused at another.
    const tries = Array.isArray(cause.errors) ? cause.errors : [cause];
    const lacks = tries.map(lackOfTry);
    if (lacks.every((lack) => lack !== null)) return lacks[0] ?? null;
  }
  return null;
}

function lackOfTry(error: unknown): string | null {
  const { code, syscall } = isJsonObject(error) ? error : {};
  if (LOOKED_UP_IN_VAIN.has(code) || QUERY.test(String(syscall))) return lackOfFiles();
  return syscall === 'connect' && typeof code === 'string' ? (LACKS[code] ?? null) : null;
}

function lackOfFiles(): string | null {
  try {
    closeSync(openSync(devNull, 'r'));
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EMFILE' || code === 'ENFILE' ? (LACKS[code] ?? null) : null;
  }
}
