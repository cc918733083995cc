import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAlone } from '@lib/store/postgres/pool';
import { Authority, type Certificate } from './certificates';
import { startTestPostgres } from './postgres';

/** Users of the server: one without a password, one who must show a certificate with that name, and one with a password. */
const OWNER = 'owner';
export const CERTIFIED = 'certified';
export const SECRETIVE = 'secretive';
export const PASSWORD = 'the password of a test';

/** A PostgreSQL that takes connections over TLS alone, by the name `localhost`, and beside that through a socket. */
export interface TlsPostgres {
  /** The user's empty database, without a word about TLS. */
  database(user?: string): Promise<URL>;
  /** The folder of its socket. */
  socketFolder: string;
  port: number;
  /** Who signed its certificate, and somebody else. */
  roots: string;
  otherRoots: string;
  /** Of the user who must have one, and the same name signed by somebody else. */
  client: Certificate;
  forged: Certificate;
  /** What a superuser asks. */
  query<Row extends object>(statement: string): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function startTlsPostgres(): Promise<TlsPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'research-tls-'));
  const [authority, other] = [new Authority(folder, 'authority'), new Authority(folder, 'other')];
  const server = authority.sign('server', ['DNS:localhost']);
  const socketFolder = join(folder, 'socket');
  mkdirSync(socketFolder);
  const rules = [
    'local all all trust',
    `hostssl all ${CERTIFIED} all cert`,
    `hostssl all ${SECRETIVE} all scram-sha-256`,
    'hostssl all all all trust',
    'hostnossl all all all reject',
  ];
  writeFileSync(join(folder, 'hba.conf'), `${rules.join('\n')}\n`);
  const postgres = await startTestPostgres({
    settings: {
      ssl: 'on',
      ssl_cert_file: server.certificate,
      ssl_key_file: server.key,
      ssl_ca_file: authority.certificate,
      hba_file: join(folder, 'hba.conf'),
      unix_socket_directories: socketFolder,
    },
  });
  const admin = await connectAlone(`${postgres.url}?sslmode=require`);
  for (const user of [OWNER, CERTIFIED, SECRETIVE]) await admin.query(`create role ${user} login password '${PASSWORD}'`);
  let databases = 0;
  return {
    port: postgres.port,
    socketFolder,
    roots: authority.certificate,
    otherRoots: other.certificate,
    client: authority.sign(CERTIFIED),
    forged: other.sign(CERTIFIED),
    database: async (user = OWNER) => {
      databases += 1;
      await admin.query(`create database tls_${databases} owner ${user}`);
      return new URL(`postgres://${user}@localhost:${postgres.port}/tls_${databases}`);
    },
    query: async <Row extends object>(statement: string) => (await admin.query<Row>(statement)).rows,
    stop: async () => {
      await admin.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
