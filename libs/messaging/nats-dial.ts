import { once } from 'node:events';
import { createConnection } from 'node:net';
import { connect, type ConnectionOptions, type NatsConnection } from 'nats';
import { codeOf } from './nats-failures';
import { closeSilentSockets } from './nats-silent-server';

closeSilentSockets();

const LOOK_MS = 1_000;
const HUNG_UP = ['TIMEOUT', 'ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED', 'DISCONNECT'];

/**
 * With TLS 1.3 a server refuses a client's certificate only after the client considers the handshake complete: the client then gets no answer, or the
 * connection closes.
 */
class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
  readonly code = 'CERT_REFUSED_BY_SERVER';
}

/**
 * Connects once.
 * @throws CertificateRefused where a server wants another certificate, or one at all
 */
export async function dialNats(options: ConnectionOptions): Promise<NatsConnection> {
  try {
    return await connect(options);
  } catch (error) {
    const [server] = [options.servers ?? []].flat();
    if (HUNG_UP.includes(codeOf(error)) && server && (await wantsCertificate(server))) throw new CertificateRefused('', { cause: error });
    throw error;
  }
}

/** Reads the greeting that the server sends to every client before anything is encrypted. */
async function wantsCertificate(server: string): Promise<boolean> {
  const { hostname, port } = new URL(`nats://${server}`);
  const socket = createConnection(Number(port || 4222), hostname.replace(/^\[|\]$/g, ''));
  try {
    const [said] = (await once(socket, 'data', { signal: AbortSignal.timeout(LOOK_MS) })) as [Buffer];
    return /^INFO .*"tls_verify":true/.test(said.toString());
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
