import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions, PeerCertificate } from 'node:tls';
import { connectionOf } from '@lib/store/postgres/connection';

const folder = mkdtempSync(join(tmpdir(), 'connection-'));
const fileOf = (name: string): string => join(folder, name);
const [ROOTS, CERTIFICATE, KEY] = ['roots.pem', 'certificate.pem', 'key.pem'].map(fileOf) as [string, string, string];
beforeEach(() => [ROOTS, CERTIFICATE, KEY].forEach((path) => writeFileSync(path, `content of ${path}`)));
afterAll(() => rmSync(folder, { recursive: true }));

const connection = (parameters: Record<string, string> = {}, host = 'db') =>
  connectionOf(`postgres://${host}/x?${new URLSearchParams(parameters).toString()}`);
const tls = (parameters: Record<string, string>, host?: string) => connection(parameters, host).ssl as ConnectionOptions;
const contentOf = (path: string): string => `content of ${path}`;
/** What is checked of a server that answers with a certificate for this name: nothing, by the client, or by the mode itself. */
const named = (options: ConnectionOptions, name: string): 'refused' | 'taken' | 'left to the client' => {
  const certificate = { subject: { CN: name }, subjectaltname: `DNS:${name}` } as unknown as PeerCertificate;
  if (!options.checkServerIdentity) return 'left to the client';
  return options.checkServerIdentity('what the client knows', certificate) ? 'refused' : 'taken';
};

it.each<[string, Record<string, string>, object | false]>([
  ['nothing', {}, false],
  ['disable', { sslmode: 'disable', sslrootcert: ROOTS, sslcert: CERTIFICATE, sslkey: KEY }, false],
  ['require alone', { sslmode: 'require' }, { trusts: 'anybody', ca: undefined, name: 'left to the client' }],
  ['require with the roots of the system', { sslmode: 'require', sslrootcert: 'system' }, { trusts: 'anybody', ca: undefined }],
  ['require with roots', { sslmode: 'require', sslrootcert: ROOTS }, { trusts: 'roots', ca: contentOf(ROOTS), name: 'taken' }],
  ['verify-ca', { sslmode: 'verify-ca', sslrootcert: ROOTS }, { trusts: 'roots', ca: contentOf(ROOTS), name: 'taken' }],
  ['verify-full', { sslmode: 'verify-full' }, { trusts: 'roots', ca: undefined, name: 'refused' }],
  ['roots alone', { sslrootcert: ROOTS }, { trusts: 'roots', ca: contentOf(ROOTS), name: 'refused' }],
  ['the roots of the system', { sslrootcert: 'system' }, { trusts: 'roots', ca: undefined, name: 'refused' }],
  ['a certificate without its key', { sslcert: CERTIFICATE }, { trusts: 'roots', cert: undefined, key: undefined, name: 'refused' }],
  ['a key without its certificate', { sslkey: KEY }, false],
  ['a certificate', { sslcert: CERTIFICATE, sslkey: KEY }, { cert: contentOf(CERTIFICATE), key: contentOf(KEY), name: 'refused' }],
  ['a key alone beside a mode', { sslmode: 'require', sslkey: KEY }, { trusts: 'anybody', cert: undefined, key: undefined }],
  ['a password of the key', { sslmode: 'require', sslpassword: 'word' }, { passphrase: 'word' }],
  ['no password', { sslmode: 'require' }, { passphrase: undefined }],
])('TLS with %s', (_, parameters, expected) => {
  const { ssl } = connection(parameters);
  if (ssl === false || ssl === undefined || ssl === true) return expect(ssl).toBe(expected);
  const { ca, cert, key, passphrase, rejectUnauthorized } = ssl;
  const trusts = rejectUnauthorized === false ? 'anybody' : 'roots';
  return expect({ ca, cert, key, passphrase, trusts, name: named(ssl, 'another') }).toMatchObject(expected);
});

it('a mode that nobody knows is refused', () => {
  expect(() => connection({ sslmode: 'prefer' })).toThrow('sslmode "prefer" of the database is unknown');
});

it('the name in the certificate is held against the host of the URL', () => {
  const options = tls({ sslmode: 'verify-full' }, 'db.example');
  expect([named(options, 'db.example'), named(options, 'other.example')]).toEqual(['taken', 'refused']);
});

it('a certificate that is renewed under way counts, and one that is missing for a moment is the one from before', () => {
  const options = tls({ sslrootcert: ROOTS, sslcert: CERTIFICATE, sslkey: KEY });
  for (const path of [ROOTS, CERTIFICATE, KEY]) writeFileSync(path, 'renewed');
  expect([options.ca, options.cert, options.key]).toEqual(['renewed', 'renewed', 'renewed']);
  rmSync(ROOTS);
  expect(options.ca).toBe('renewed');
  expect(() => connection({ sslrootcert: ROOTS })).toThrow('ENOENT');
  writeFileSync(ROOTS, 'once more');
  expect(options.ca).toBe('once more');
});

it('nothing is said that the URL does not say, but who connects', () => {
  expect(connectionOf('postgres:///')).toEqual({
    ...{ user: undefined, password: undefined, host: '', port: undefined, database: undefined, ssl: false },
    ...{ options: undefined, application_name: 'research-threads' },
  });
  expect(connectionOf('postgres://me:word@db:5433/x?application_name=ours&options=-c%20jit%3Doff')).toEqual({
    ...{ user: 'me', password: 'word', host: 'db', port: 5433, database: 'x', ssl: false },
    ...{ options: '-c jit=off', application_name: 'ours' },
  });
});

it.each([
  [{ sslnegotiation: 'direct', sslmode: 'require' }, 'direct'],
  [{ sslnegotiation: 'direct' }, undefined],
  [{ sslnegotiation: 'postgres', sslmode: 'require' }, undefined],
])('TLS begins at once only where it is asked for: %j', (parameters, expected) => {
  expect((connection(parameters) as { sslnegotiation?: string }).sslnegotiation).toBe(expected);
});

it('nobody stands between us and a socket of this machine', () => {
  expect(connectionOf('postgres:///x?host=/run/postgresql&sslmode=verify-full').ssl).toBe(false);
});
