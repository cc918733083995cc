import { accessSync, constants } from 'node:fs';

/** The query parameters that a `DATABASE_URL` may have, each with the libpq variable that is used if the URL lacks it. */
const PARAMETERS: Readonly<Record<string, string | null>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslpassword: null,
  sslnegotiation: 'PGSSLNEGOTIATION',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
};
/** Security parameters. Unsupported ones are refused, since users would rely on them. */
const PROTECTIONS = /^(ssl|gss|krb|channel_binding|require_auth|target_session_attrs|service)/;
const WITHOUT_EFFECT = ['disable', 'allow', 'prefer', 'any'];
const PROTECTING_VARIABLES = [
  'PGSSLCRL',
  'PGSSLCRLDIR',
  'PGSSLMINPROTOCOLVERSION',
  'PGREQUIREAUTH',
  'PGCHANNELBINDING',
  'PGTARGETSESSIONATTRS',
  'PGSERVICE',
];
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/**
 * The database's URL, with missing parts filled in from libpq's variables. All code that connects gets this one text, so that all connections are
 * made alike.
 * @throws Error whose message is the remedy
 */
export function parseDatabaseUrl(text: string, environment: NodeJS.ProcessEnv): string {
  const url = URL.parse(withHost(text));
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) throw new Error('must be a URL that starts with postgres:// or postgresql://');
  const filled = fillIn(url, environment);
  const host = decodeURIComponent(url.hostname) || url.searchParams.get('host');
  if (!host)
    throw new Error(
      'must name a host, as in postgres://db/research, or the folder of a socket, as in postgres:///research?host=/run/postgresql',
    );
  if (host.includes(',')) throw new Error('must name one host: put a name or an address before several servers that follows the primary');
  if (url.pathname.slice(1).includes('/')) throw new Error('must name one database, as in postgres://db/research');
  requireHonoured(url, environment);
  requireTls(url.searchParams);
  return filled || text !== withHost(text) ? url.href : text;
}

/** Moves the login of `postgres://user:password@/name`, a URL only to libpq, to the query. */
function withHost(text: string): string {
  const [whole, scheme, user, password] = /^(postgres(?:ql)?:\/\/)([^/?#@:]*)(?::([^/?#@]*))?@(?=[/?#]|$)/.exec(text) ?? [];
  if (whole === undefined) return text;
  const rest = text.slice(whole.length);
  const login = [user && `user=${user}`, password && `password=${password}`].filter(Boolean).join('&');
  return `${scheme}${rest.startsWith('/') ? '' : '/'}${rest}${rest.includes('?') ? '&' : '?'}${login}`;
}

/** @returns whether anything was filled in */
function fillIn(url: URL, environment: NodeJS.ProcessEnv): boolean {
  const own: Record<string, string> = { host: url.hostname, port: url.port, user: url.username, password: url.password };
  let filled = false;
  for (const [name, variable] of Object.entries(PARAMETERS)) {
    const value = variable === null ? undefined : environment[variable]?.trim();
    if (!value || own[name] || url.searchParams.has(name)) continue;
    url.searchParams.set(name, value);
    filled = true;
  }
  const database = environment.PGDATABASE?.trim();
  if (!database || url.pathname.length > 1) return filled;
  url.pathname = `/${encodeURIComponent(database)}`;
  return true;
}

function requireHonoured(url: URL, environment: NodeJS.ProcessEnv): void {
  const variable = PROTECTING_VARIABLES.find((name) => !WITHOUT_EFFECT.includes(environment[name]?.trim() || 'any'));
  if (variable) throw new Error(`cannot honour ${variable}: unset it`);
  const [parameter] =
    [...url.searchParams].find(([name, value]) => PROTECTIONS.test(name) && !(name in PARAMETERS) && !WITHOUT_EFFECT.includes(value)) ?? [];
  if (parameter === 'ssl') throw new Error(`must say sslmode=${SSL_MODES.slice(1).join('|')} in place of ssl`);
  if (parameter) throw new Error(`cannot honour its parameter ${JSON.stringify(parameter)}: leave it out`);
}

function requireTls(parameters: URLSearchParams): void {
  const of = (name: string): string => parameters.get(name) ?? '';
  const mode = of('sslmode');
  if (mode !== '' && !SSL_MODES.includes(mode))
    throw new Error(`must have an sslmode (or PGSSLMODE) out of ${SSL_MODES.join(', ')}; what may or may not encrypt is none`);
  const roots = of('sslrootcert');
  if (roots === 'system' && mode !== '' && mode !== 'verify-full') throw new Error('must have sslmode=verify-full with sslrootcert=system');
  if (mode === 'verify-ca' && roots === '') throw new Error('must have an sslrootcert (or PGSSLROOTCERT) with sslmode=verify-ca');
  if ((of('sslcert') === '') !== (of('sslkey') === ''))
    throw new Error('must have both sslcert and sslkey (or PGSSLCERT and PGSSLKEY), or neither');
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = of(name);
    if (file === '' || file === 'system') continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      throw new Error(`must have an ${name} (or ${PARAMETERS[name]}) that is a readable file (${(error as Error).message})`, {
        cause: error,
      });
    }
  }
  const negotiation = of('sslnegotiation');
  if (negotiation !== '' && negotiation !== 'postgres' && negotiation !== 'direct')
    throw new Error('must have an sslnegotiation (or PGSSLNEGOTIATION) out of postgres, direct');
}
