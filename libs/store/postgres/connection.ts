import { readFileSync } from 'node:fs';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { parse } from 'pg-connection-string';

const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword'] as const;
type TlsParameters = Partial<Record<(typeof TLS_PARAMETERS)[number], string>>;

/**
 * What a database's URL says, for every connection alike. Nothing of it is left to the client's own reading, which takes the modes of TLS otherwise
 * than everybody else, and reads the environment.
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

/** How the connection is protected. `local`: it does not leave the machine. `encrypted`: it is not verified who answers. */
export function protectionOf(databaseUrl: string): 'local' | 'none' | 'encrypted' | 'verified' {
  const { host = '', ssl } = connectionOf(databaseUrl);
  if (typeof ssl === 'object') return ssl.rejectUnauthorized === false ? 'encrypted' : 'verified';
  return host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host) ? 'local' : 'none';
}

/** Each mode means what it means to libpq. If none is set, a certificate that is named is checked. */
function tlsOf({ sslmode, sslrootcert, sslcert, sslkey, sslpassword }: TlsParameters, host: string): ConnectionOptions | false {
  const roots = sslrootcert && sslrootcert !== 'system' ? new CertificateFile(sslrootcert) : null;
  const mode = sslmode ?? (sslrootcert || sslcert ? 'verify-full' : 'disable');
  const login = sslcert && sslkey ? { certificate: new CertificateFile(sslcert), key: new CertificateFile(sslkey) } : null;
  // Read anew for each connection, which is when they matter: certificates are renewed under way.
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
      // What was read before is still the best that there is.
    }
    return this.last;
  }
}
