import { readFileSync } from 'node:fs';
import { credsAuthenticator, nkeyAuthenticator, type ConnectionOptions } from 'nats';

/** How a client logs in, and whom it trusts. Of user, token, nkey and credentials at most one is set. */
export interface NatsLogin {
  user?: string;
  password?: string;
  token?: string;
  nkey?: string;
  credentialsFile?: string;
  certificateFile?: string;
  certificateKeyFile?: string;
  caFile?: string;
}

/** What the client needs to be told of that. Files are read for each connection, so that a renewed one is taken without a restart. */
export function loginOptions(login: NatsLogin): ConnectionOptions {
  const { user, password, token, nkey, credentialsFile, certificateFile, certificateKeyFile, caFile } = login;
  const tls = { certFile: certificateFile, keyFile: certificateKeyFile, caFile };
  return {
    ...(user === undefined ? {} : { user, pass: password }),
    ...(token === undefined ? {} : { token }),
    ...(nkey === undefined ? {} : { authenticator: nkeyAuthenticator(Buffer.from(nkey)) }),
    ...(credentialsFile === undefined ? {} : { authenticator: credsAuthenticator(() => readFileSync(credentialsFile)) }),
    // Whoever names a certificate wants TLS, whatever the server offers first.
    ...(Object.values(tls).some((file) => file !== undefined) ? { tls: definedOf(tls) } : {}),
  };
}

const definedOf = (files: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])));
