import { readFileSync } from 'node:fs';

import { messageOfError } from '@lib/domain/message-of-error';
import type { NatsLogin } from '@lib/domain/nats-login';

import { readSecret } from './secrets';
import { printable, type SettingsProblem } from './settings-error';

type Field = keyof NatsLogin;

const SECRETS: readonly [Field, string][] = [
  ['user', 'NATS_USER'],
  ['password', 'NATS_PASSWORD'],
  ['token', 'NATS_TOKEN'],
  ['nkey', 'NATS_NKEY'],
];
/** Settings that name a file, each with the text that the file must contain. */
const FILES: readonly [Field, string, string][] = [
  ['credentialsFile', 'NATS_CREDENTIALS_FILE', '-----BEGIN NATS USER JWT-----'],
  ['certificateFile', 'NATS_CERTIFICATE_FILE', '-----BEGIN CERTIFICATE-----'],
  ['certificateKeyFile', 'NATS_CERTIFICATE_KEY_FILE', 'PRIVATE KEY-----'],
  ['caFile', 'NATS_CA_FILE', '-----BEGIN CERTIFICATE-----'],
];
const NAMES = Object.fromEntries([...SECRETS, ...FILES].map(([field, name]) => [field, name])) as Record<Field, string>;

/** All these variables, for error messages. */
export const NATS_LOGIN_VARIABLES: readonly string[] = Object.values(NAMES);

const USER_SEED = /^SU[A-Z2-7]{56}$/;
const MAX_FILE_BYTES = 1024 * 1024;

/** @param url the value of NATS_URL @param problems problems that are found are added here */
export function readNatsLogin(environment: NodeJS.ProcessEnv, url: string | undefined, problems: SettingsProblem[]): NatsLogin {
  const found: SettingsProblem[] = [];
  const login: NatsLogin = {};
  for (const [field, name] of SECRETS) {
    const text = readSecret(name, environment, found);
    if (text !== undefined) login[field] = text;
  }
  for (const [field, name, mark] of FILES) {
    const path = environment[name]?.trim() || undefined;
    if (path === undefined) continue;
    login[field] = path;
    found.push(...unusableFile(name, path, mark));
  }
  problems.push(...(found.length > 0 ? found : contradictions(login, url)));
  return login;
}

function unusableFile(name: string, path: string, mark: string): SettingsProblem[] {
  const problem = (remedy: string) => [{ name, value: printable(path), remedy }];
  try {
    const text = readFileSync(path, 'utf8').slice(0, MAX_FILE_BYTES);
    return text.includes(mark) ? [] : problem(`must name a file with ${mark} in it`);
  } catch (error) {
    return problem(`must name a readable file (${messageOfError(error)})`);
  }
}

function contradictions(login: NatsLogin, url: string | undefined): SettingsProblem[] {
  const shown = (field: Field) => (field.endsWith('File') && login[field] !== undefined ? printable(login[field]) : null);
  const problem = (field: Field, remedy: string): SettingsProblem => ({ name: NAMES[field], value: shown(field), remedy });
  const set = (Object.keys(NAMES) as Field[]).filter((field) => login[field] !== undefined);
  const [first] = set;
  if (!first) return [];
  if (url === undefined) return [problem(first, 'is set, and NATS_URL is not: set NATS_URL, or take this away')];
  const ways: [string, Field | null][] = [
    ['a login in NATS_URL', hasLogin(url) ? null : 'user'],
    [NAMES.user, 'user'],
    [NAMES.token, 'token'],
    [NAMES.nkey, 'nkey'],
    [NAMES.credentialsFile, 'credentialsFile'],
  ];
  const taken = ways.filter(([, field], place) => (place === 0 ? field === null : field !== null && login[field] !== undefined));
  const [one, other] = taken;
  if (one && other?.[1]) return [problem(other[1], `and ${one[0]} are both set; set one of them`)];
  const pairs: [Field, Field][] = [
    ['user', 'password'],
    ['certificateFile', 'certificateKeyFile'],
  ];
  const halves = pairs.flatMap(([left, right]) => {
    if ((login[left] === undefined) === (login[right] === undefined)) return [];
    const [missing, present] = login[left] === undefined ? [left, right] : [right, left];
    return [problem(missing, `must be set, since ${NAMES[present]} is`)];
  });
  if (login.nkey !== undefined && !USER_SEED.test(login.nkey)) {
    halves.push(problem('nkey', 'must be the seed of a user, which starts with SU and has 58 characters, as `nk -gen user` prints it'));
  }
  return halves;
}

const hasLogin = (url: string): boolean => url.split(',').some((server) => URL.parse(server)?.username);
