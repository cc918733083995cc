import { readFileSync } from 'node:fs';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { parse } from 'pg-connection-string';

const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword'] as const;
type TlsParameters = Partial<Record<(typeof TLS_PARAMETERS)[number], string>>;

/**
 * The settings in a database URL, for every connection alike. The client must not interpret the URL itself, since it treats TLS modes differently
 * from other clients and reads the environment.
 */
export function connectionOf(databaseUrl: string): ClientConfig {
  const url = new URL(databaseUrl);
  const tls: TlsParameters = {};
  for (const name of TLS_PARAMETERS) {
    const value = url.searchParams.get(name);
    if (value) tls[name] = value;
    url.searchParams.delete(name);
  }
  const { user, password, host, port, database, options, application_name, sslnegotiation } = parse(url.href);
  const ssl = host?.startsWith('/') ? false : tlsOf(tls, host ?? '');
  return {
    user: user || undefined,
    password: password || undefined,
    host: host ?? undefined,
    port: port ? Number(port) : undefined,
    database: database ?? undefined,
    ssl,
    ...(ssl && sslnegotiation === 'direct' ? { sslnegotiation } : {}),
    options,
    application_name: application_name ?? 'research-threads',
  };
}

/** How the connection is protected. `local`: it does not leave the machine. `encrypted`: the server's identity is not verified. */
export function protectionOf(databaseUrl: string): 'local' | 'none' | 'encrypted' | 'verified' {
  const { host = '', ssl } = connectionOf(databaseUrl);
  if (typeof ssl === 'object') return ssl.rejectUnauthorized === false ? 'encrypted' : 'verified';
  return host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host) ? 'local' : 'none';
}

/** Each mode has the meaning it has in libpq. Without a mode, a named certificate is checked. */
function tlsOf({ sslmode, sslrootcert, sslcert, sslkey, sslpassword }: TlsParameters, host: string): ConnectionOptions | false {
  const roots = sslrootcert && sslrootcert !== 'system' ? new CertificateFile(sslrootcert) : null;
  const mode = sslmode ?? (sslrootcert || sslcert ? 'verify-full' : 'disable');
  const login = sslcert && sslkey ? { certificate: new CertificateFile(sslcert), key: new CertificateFile(sslkey) } : null;
  // Read again for each connection, because certificates are renewed while the service runs.
  const files: ConnectionOptions = {
    ...(sslpassword ? { passphrase: sslpassword } : {}),
    get ca() {
      return roots?.content();
    },
    get cert() {
      return login?.certificate.content();
    },
    get key() {
      return login?.key.content();
    },
  };
  switch (mode) {
    case 'disable':
      return false;
    case 'require':
      return Object.assign(files, roots ? { checkServerIdentity: () => undefined } : { rejectUnauthorized: false });
    case 'verify-ca':
      return Object.assign(files, { checkServerIdentity: () => undefined });
    case 'verify-full':
      // The client knows the name of a host and not an address.
      return Object.assign(files, {
        checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) => checkServerIdentity(host, certificate),
      });
    default:
      throw new Error(`sslmode ${JSON.stringify(mode)} of the database is unknown`);
  }
}

/** A file that may be replaced while the process runs, and be missing for a moment. */
class CertificateFile {
  private last: string;

  constructor(private readonly path: string) {
    this.last = readFileSync(path, 'utf8');
  }

  content(): string {
    try {
      this.last = readFileSync(this.path, 'utf8');
    } catch {
      // The previously read file is still the best available.
    }
    return this.last;
  }
}
