import type { NatsConnection, NatsError } from 'nats';
import { isTlsCode } from '@lib/domain/tls-codes';
import { nameOf } from './transport';

/** Why a NATS server cannot be used, for an operator: never with an address or a secret. */
export interface NatsFailure {
  reason: 'nats_unreachable' | 'nats_login_refused' | 'nats_tls_refused' | 'nats_no_jetstream';
  what: string;
  remedy: string;
}

export const NO_JETSTREAM: NatsFailure = {
  reason: 'nats_no_jetstream',
  what: 'NATS answers, but JetStream is not enabled',
  remedy: 'Start nats-server with -js, or with jetstream {} in its configuration, and enable it for the account.',
};

const LOGIN_CODES = [
  'AUTHORIZATION_VIOLATION',
  'AUTHENTICATION_EXPIRED',
  'ACCOUNT_AUTHENTICATION_EXPIRED',
  'AUTHENTICATION_TIMEOUT',
  'BAD_AUTHENTICATION',
  'BAD_CREDS',
];
/** Error codes of the client when only one side wants TLS. */
const ONE_SIDED_TLS = ['TLS', 'SERVER_OPT_NA'];

export function failureOf(error: unknown): NatsFailure {
  const code = causes(error).map(codeOf);
  const of = (isOne: (code: string) => boolean) => code.find(isOne);
  const login = of((each) => LOGIN_CODES.includes(each));
  if (login) {
    const remedy = 'Check the user and password, token, nkey or credentials of this process, and the users of the server.';
    return { reason: 'nats_login_refused', what: `NATS refuses the login (${login})`, remedy };
  }
  const tls = of((each) => isTlsCode(each) || ONE_SIDED_TLS.includes(each));
  if (tls) {
    const remedy = 'Check NATS_CA_FILE, NATS_CERTIFICATE_FILE and its key, and that the server offers TLS under the name in NATS_URL.';
    return { reason: 'nats_tls_refused', what: `NATS and this process do not agree on TLS (${tls})`, remedy };
  }
  const remedy = 'Check NATS_URL, and that its server runs.';
  return { reason: 'nats_unreachable', what: `NATS does not answer (${code[0] ?? 'unknown'})`, remedy };
}

function causes(error: unknown): unknown[] {
  const chained = error instanceof Error ? ((error as { chainedError?: unknown }).chainedError ?? error.cause) : undefined;
  return chained === undefined ? [error] : [error, ...causes(chained)];
}

/** For log lines: the client's or the server's code, never a message. */
export const codeOf = (error: unknown): string => (error as Partial<NatsError>).code ?? nameOf(error);

/** The server's error codes if JetStream is off, for the server or for the account. Other failures do not show that it is off. */
const JETSTREAM_OFF: readonly unknown[] = [10039, 10076];
const LOOK_MS = 1_000;
const WITHOUT_RESPONDER = ['503', 'JETSTREAM_NOT_ENABLED'];

export async function lacksJetStream(connection: NatsConnection): Promise<boolean> {
  try {
    await (await connection.jetstreamManager({ checkAPI: false, timeout: LOOK_MS })).getAccountInfo();
    return false;
  } catch (error) {
    const { code, api_error: apiError } = error as Partial<NatsError>;
    return WITHOUT_RESPONDER.includes(code ?? '') || JETSTREAM_OFF.includes(apiError?.err_code);
  }
}
