import { readFileSync } from 'node:fs';
import { credsAuthenticator, nkeyAuthenticator, type ConnectionOptions } from 'nats';

import type { NatsLogin } from '@lib/domain/nats-login';

/** The login as options of the client. Files are read for each connection, so that a renewed file is used without a restart. */
export function loginOptions(login: NatsLogin): ConnectionOptions {
  const { user, password, token, nkey, credentialsFile, certificateFile, certificateKeyFile, caFile } = login;
  const tls = { certFile: certificateFile, keyFile: certificateKeyFile, caFile };
  return {
    ...(user === undefined ? {} : { user, pass: password }),
    ...(token === undefined ? {} : { token }),
    ...(nkey === undefined ? {} : { authenticator: nkeyAuthenticator(Buffer.from(nkey)) }),
    ...(credentialsFile === undefined ? {} : { authenticator: credsAuthenticator(() => readFileSync(credentialsFile)) }),
    // A configured certificate means that TLS is required, whatever the server offers first.
    ...(Object.values(tls).some((file) => file !== undefined) ? { tls: definedOf(tls) } : {}),
  };
}

const definedOf = (files: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])));
