import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnv } from '@lib/settings/read-env';
import { SettingsError } from '@lib/settings/settings-error';

const SECRET = 'hidden-0123456789';
const NKEY = `SU${'A'.repeat(56)}`;
const folder = mkdtempSync(join(tmpdir(), 'nats-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const CREDENTIALS = file('user.creds', '-----BEGIN NATS USER JWT-----\n…');
const CERTIFICATE = file('cert.pem', '-----BEGIN CERTIFICATE-----\n…');
const KEY = file('key.pem', '-----BEGIN PRIVATE KEY-----\n…');

function messageOf(settings: Record<string, string>): string {
  try {
    readEnv({ NATS_URL: 'nats://127.0.0.1', ...settings });
    return 'taken';
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message;
  }
}

it('reads each login', () => {
  const login = (settings: Record<string, string>) => readEnv({ NATS_URL: 'nats://127.0.0.1', ...settings }).natsLogin;
  expect(login({})).toEqual({});
  expect(login({ NATS_USER: 'worker', NATS_PASSWORD_FILE: file('password', `${SECRET}\n`) })).toEqual({ user: 'worker', password: SECRET });
  expect(login({ NATS_TOKEN: SECRET, NATS_CA_FILE: CERTIFICATE })).toEqual({ token: SECRET, caFile: CERTIFICATE });
  expect(login({ NATS_NKEY_FILE: file('nkey', NKEY) })).toEqual({ nkey: NKEY });
  const pair = { NATS_CERTIFICATE_FILE: CERTIFICATE, NATS_CERTIFICATE_KEY_FILE: KEY };
  expect(login({ NATS_CREDENTIALS_FILE: CREDENTIALS, ...pair })).toEqual({
    ...{ credentialsFile: CREDENTIALS, certificateFile: CERTIFICATE, certificateKeyFile: KEY },
  });
});

const PAIR = { NATS_USER: 'worker', NATS_PASSWORD: SECRET };
it.each<[Record<string, string>, RegExp]>([
  [{ ...PAIR, NATS_TOKEN: SECRET }, /NATS_TOKEN and NATS_USER are both set; set one of them/],
  [{ ...PAIR, NATS_NKEY: NKEY }, /NATS_NKEY and NATS_USER are both set; set one of them/],
  [{ NATS_NKEY: NKEY, NATS_CREDENTIALS_FILE: CREDENTIALS }, /NATS_CREDENTIALS_FILE and NATS_NKEY are both set/],
  [{ ...PAIR, NATS_URL: `nats://api:${SECRET}@127.0.0.1` }, /NATS_USER and a login in NATS_URL are both set; set one of them/],
  [{ NATS_TOKEN: SECRET, NATS_URL: `nats://${SECRET}@127.0.0.1` }, /NATS_TOKEN and a login in NATS_URL are both set/],
  [{ NATS_TOKEN: SECRET, NATS_TOKEN_FILE: KEY }, /NATS_TOKEN and NATS_TOKEN_FILE are both set/],
  [{ NATS_USER: 'worker' }, /NATS_PASSWORD must be set, since NATS_USER is/],
  [{ NATS_PASSWORD: SECRET }, /NATS_USER must be set, since NATS_PASSWORD is/],
  [{ NATS_CERTIFICATE_FILE: CERTIFICATE }, /NATS_CERTIFICATE_KEY_FILE must be set, since NATS_CERTIFICATE_FILE is/],
  [{ NATS_CERTIFICATE_KEY_FILE: KEY }, /NATS_CERTIFICATE_FILE must be set, since NATS_CERTIFICATE_KEY_FILE is/],
  [{ NATS_NKEY: SECRET }, /NATS_NKEY must be the seed of a user/],
  [{ NATS_NKEY: NKEY.replace('SU', 'SA') }, /NATS_NKEY must be the seed of a user/],
  [{ NATS_CA_FILE: '/no/such/ca.pem' }, /NATS_CA_FILE must name a readable file.*it is "\/no\/such\/ca\.pem"/],
  [{ NATS_CA_FILE: KEY }, /NATS_CA_FILE.*must name a file with -----BEGIN CERTIFICATE----- in it/],
  [{ NATS_CREDENTIALS_FILE: CERTIFICATE }, /NATS_CREDENTIALS_FILE.*must name a file with -----BEGIN NATS USER JWT----- in it/],
  [{ NATS_CREDENTIALS_FILE: folder }, /NATS_CREDENTIALS_FILE.*must name a readable file/],
  [{ NATS_TOKEN: SECRET, NATS_URL: '' }, /NATS_TOKEN is set, and NATS_URL is not: set NATS_URL, or take this away/],
])('refuses %j', (settings, remedy) => {
  const message = messageOf(settings);
  expect(message).toMatch(remedy);
  expect(message).not.toContain(SECRET);
});
