import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnv } from '@lib/settings/read-env';
import { SettingsError } from '@lib/settings/settings-error';
import { connectionOf } from '@lib/store/postgres/connection';

const folder = mkdtempSync(join(tmpdir(), 'database-url-'));
const pem = join(folder, 'some.pem');
writeFileSync(pem, 'a certificate');
afterAll(() => rmSync(folder, { recursive: true }));

const WORD = 'hunter2';
const connection = (environment: Record<string, string>) => connectionOf(readEnv(environment).DATABASE_URL ?? '');

function messageOf(environment: Record<string, string>): string {
  try {
    readEnv(environment);
    return 'not refused';
  } catch (error) {
    return error instanceof SettingsError ? error.message : String(error);
  }
}

describe('DATABASE_URL', () => {
  it.each([
    ['postgresql:///research?host=/run/postgresql', { host: '/run/postgresql', database: 'research', ssl: false }],
    ['postgres://%2Frun%2Fpostgresql/research?sslmode=require', { host: '/run/postgresql', database: 'research', ssl: false }],
    [`postgres://me:${WORD}@/research?host=/run`, { host: '/run', user: 'me', password: WORD, database: 'research' }],
    ['postgres://db', { host: 'db', database: undefined, ssl: false }],
    ['postgres://me:p%40ss@[::1]:5433/a%20b', { host: '::1', port: 5433, user: 'me', password: 'p@ss', database: 'a b', ssl: false }],
    ['postgres://db/x?options=-c%20search_path%3Da', { options: '-c search_path=a', application_name: 'research-threads' }],
    ['postgres://db/x?sslmode=require', { ssl: { rejectUnauthorized: false } }],
    ['postgres://db/x?sslmode=require&sslnegotiation=direct', { sslnegotiation: 'direct' }],
  ])('%s', (DATABASE_URL, expected) => {
    expect(connection({ DATABASE_URL })).toMatchObject(expected);
  });

  it.each<[string, Record<string, string>, object]>([
    [
      'what it leaves out',
      { PGHOST: 'other', PGPORT: '5433', PGUSER: 'me', PGDATABASE: 'a b', PGPASSWORD: WORD },
      {
        host: 'other',
        port: 5433,
        user: 'me',
        database: 'a b',
        password: WORD,
      },
    ],
    ['nothing that is empty', { PGHOST: 'h', PGUSER: ' ' }, { host: 'h', user: undefined }],
    [
      'options',
      { PGHOST: 'h', PGOPTIONS: '-c lock_timeout=1s', PGAPPNAME: 'ours' },
      { options: '-c lock_timeout=1s', application_name: 'ours' },
    ],
  ])('takes from the variables of libpq %s', (_, environment, expected) => {
    expect(connection({ DATABASE_URL: 'postgres:///', ...environment })).toMatchObject(expected);
  });

  it('is not changed by them where it speaks for itself, nor brought about', () => {
    const environment = { PGHOST: 'other', PGPORT: '1', PGUSER: 'x', PGPASSWORD: WORD, PGDATABASE: 'y', PGSSLMODE: 'require' };
    const DATABASE_URL = 'postgres://me:own@db:5432/research?sslmode=disable';
    expect(readEnv({ ...environment, DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
    expect(readEnv(environment).DATABASE_URL).toBeUndefined();
  });

  it.each([
    ['sslmode=prefer', 'sslmode (or PGSSLMODE) out of disable, require, verify-ca, verify-full'],
    ['sslmode=allow', 'out of disable'],
    ['sslmode=no-verify', 'out of disable'],
    ['sslmode=VERIFY-FULL', 'out of disable'],
    ['sslmode=verify-ca', 'sslrootcert'],
    ['sslmode=verify-ca&sslrootcert=system', 'verify-full'],
    ['sslmode=verify-full&sslrootcert=/no/such/file', 'PGSSLROOTCERT'],
    [`sslcert=${pem}`, 'both sslcert and sslkey'],
    [`sslkey=${pem}`, 'both sslcert and sslkey'],
    [`sslcert=${pem}&sslkey=/no/such/file`, 'PGSSLKEY'],
    ['ssl=true', 'sslmode=require|verify-ca|verify-full in place of ssl'],
    ['sslcrl=x.pem', 'cannot honour its parameter "sslcrl"'],
    ['channel_binding=require', 'channel_binding'],
    ['target_session_attrs=read-write', 'target_session_attrs'],
    ['sslmode=require&sslnegotiation=both', 'sslnegotiation'],
  ])('is refused with %s', (parameters, remedy) => {
    const message = messageOf({ DATABASE_URL: `postgres://me:${WORD}@db/x?${parameters}` });
    expect(message).toContain('DATABASE_URL');
    expect(message).toContain(remedy);
    expect(message).not.toContain(WORD);
  });

  it.each([
    [{ PGSSLMODE: 'prefer' }, 'PGSSLMODE'],
    [{ PGSSLROOTCERT: '/no/such/file' }, 'PGSSLROOTCERT'],
    [{ PGSSLCRL: '/some/file' }, 'cannot honour PGSSLCRL: unset it'],
    [{ PGTARGETSESSIONATTRS: 'primary' }, 'PGTARGETSESSIONATTRS'],
  ])('is refused beside %j', (environment, remedy) => {
    expect(messageOf({ DATABASE_URL: 'postgres://db/x', ...environment })).toContain(remedy);
  });

  it('is taken with what changes nothing', () => {
    const DATABASE_URL = 'postgres://db/x?gssencmode=disable&channel_binding=prefer';
    expect(readEnv({ DATABASE_URL, PGTARGETSESSIONATTRS: 'any' }).DATABASE_URL).toBe(DATABASE_URL);
  });

  it.each([
    'postgres://',
    'postgres:///x',
    'postgres://a,b/x',
    'postgres://a/x/y',
    'postgres://a/x,postgres://b/y',
    'postgres://a:99999999/x',
    '/run/db',
  ])('is refused as %s', (DATABASE_URL) => {
    expect(messageOf({ DATABASE_URL })).toMatch(/DATABASE_URL must/);
  });
});
