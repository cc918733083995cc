/** What cannot listen, and the variable that names its port. */
interface Listener {
  what: string;
  variable: 'PORT' | 'ADMIN_PORT';
  host: string;
  port: number;
}

/** The error of a server that cannot listen, with the variable that has to be changed. */
export function cannotListen({ what, variable, host, port }: Listener, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = code === 'EADDRINUSE' ? 'another program listens there' : message;
  const isHost = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  const remedy = isHost ? 'Set HOST to an address of this machine.' : `Set ${variable} to a free port (0 for any).`;
  return new Error(`${what} cannot listen on port ${port} of ${host}: ${reason}. ${remedy}`, { cause });
}
