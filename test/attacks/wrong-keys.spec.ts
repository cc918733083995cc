import { generateKey } from '@lib/store/access/key-format';
import { createKeyVerifier } from '@lib/store/access/verify-key';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { Logins } from '../../src/access/logins';
import { Problem } from '../../src/api/problems';
import { createMigratedDatabase, type TestDatabase } from '../servers/database';
import { createKey } from '../support/keys';

const PEPPER = 'the pepper of a test';
const FAILURES = 50;
const FLOOD = 5_000;
const ATTACKER = '192.0.2.1';

let database: TestDatabase;
let pool: Pool;
let statements: jest.SpyInstance;
beforeAll(async () => {
  database = await createMigratedDatabase();
  pool = createPool(database.url, 4);
});
beforeEach(() => {
  statements = jest.spyOn(pool, 'query');
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const newLogins = (failures = FAILURES) => new Logins(createKeyVerifier({ pool, pepper: PEPPER }), failures);

/** A key that nobody made, with a right checksum: only the database knows that it is none. */
const wrongKey = (): string => generateKey().keyText;

const codeOf = async (logins: Logins, keyText: string | undefined, address: string): Promise<string> => {
  try {
    return (await logins.login(keyText, address)).tenantId;
  } catch (error) {
    return (error as Problem).code;
  }
};

const many = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make);

it('wrong keys cost a statement for hundreds of them, and are refused as too many beyond the limit of their address', async () => {
  const begunAt = performance.now();
  const logins = newLogins();
  const codes = await Promise.all(many(FLOOD, () => codeOf(logins, wrongKey(), ATTACKER)));
  const allowedMeanwhile = (FAILURES * (performance.now() - begunAt)) / 60_000;
  const byCode = Map.groupBy(codes, (code) => code);
  const refusedKeys = byCode.get('invalid_api_key')?.length ?? 0;
  expect(refusedKeys).toBeGreaterThanOrEqual(FAILURES);
  expect(refusedKeys).toBeLessThanOrEqual(FAILURES + allowedMeanwhile);
  expect(byCode.get('rate_limited')).toHaveLength(FLOOD - refusedKeys);
  // It was one for each.
  expect(statements.mock.calls.length).toBeLessThan(FLOOD / 500);
});

it('a valid key gets in from an address whose logins are throttled, while they go on', async () => {
  const logins = newLogins();
  const key = await createKey({ pool, pepper: PEPPER }, 'acme', null);
  const before = Promise.all(many(FLOOD, () => codeOf(logins, wrongKey(), ATTACKER)));
  const valid = codeOf(logins, key, ATTACKER);
  const after = Promise.all(many(FLOOD, () => codeOf(logins, wrongKey(), ATTACKER)));
  expect(await valid).toBe('acme');
  expect(new Set([...(await before), ...(await after)])).toEqual(new Set(['invalid_api_key', 'rate_limited']));
  statements.mockClear();
  expect(await codeOf(logins, key, ATTACKER)).toBe('acme');
  expect(statements.mock.calls).toEqual([]);
});

it('a valid key costs nothing of the limit, however many clients begin with it at once', async () => {
  const logins = newLogins(1);
  const keys = await Promise.all(many(20, () => createKey({ pool, pepper: PEPPER }, 'acme', null)));
  statements.mockClear();
  for (const key of keys) expect(await Promise.all(many(50, () => codeOf(logins, key, ATTACKER)))).toEqual(many(50, () => 'acme'));
  expect(statements.mock.calls.length).toBe(keys.length);
  expect(await codeOf(logins, wrongKey(), ATTACKER)).toBe('invalid_api_key');
  expect(await codeOf(logins, wrongKey(), ATTACKER)).toBe('rate_limited');
});

it.each([
  ['no key', undefined],
  ['no key at all', 'x'],
  ['a wrong checksum', `${wrongKey().slice(0, -1)}!`],
])('%s counts, and never reaches the database', async (_, keyText) => {
  const logins = newLogins(3);
  const codes = [];
  for (let place = 0; place < 5; place += 1) codes.push(await codeOf(logins, keyText, ATTACKER));
  expect(codes).toEqual([...many(3, () => 'invalid_api_key'), ...many(2, () => 'rate_limited')]);
  expect(statements.mock.calls).toEqual([]);
});

it('each address has its own limit; of version 6 it is that of its network', async () => {
  const logins = newLogins(1);
  const codes = async (...addresses: string[]) => {
    const found = [];
    for (const address of addresses) found.push(await codeOf(logins, undefined, address));
    return found;
  };
  expect(await codes('192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1')).toEqual(['invalid_api_key', 'invalid_api_key', 'rate_limited']);
  expect(await codes('2001:db8::1', '2001:db8::2', '2001:db8:0:1::1')).toEqual(['invalid_api_key', 'rate_limited', 'invalid_api_key']);
});

it('a proxy that writes the port behind the address gives nobody a limit for each connection', async () => {
  const logins = newLogins(1);
  const codes = [];
  for (const address of ['192.0.2.9:1024', '192.0.2.9:1025', '192.0.2.9', '[2001:db8::9]:1', '[2001:db8::9]:2'])
    codes.push(await codeOf(logins, undefined, address));
  expect(codes).toEqual(['invalid_api_key', 'rate_limited', 'rate_limited', 'invalid_api_key', 'rate_limited']);
});

it('a key that could not be looked up is no failed login', async () => {
  const logins = newLogins(2);
  statements.mockImplementation(() => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' })));
  for (let place = 0; place < 5; place += 1) await expect(logins.login(wrongKey(), ATTACKER)).rejects.toThrow('cannot be reached');
  statements.mockRestore();
  const codes = [];
  for (let place = 0; place < 3; place += 1) codes.push(await codeOf(logins, wrongKey(), ATTACKER));
  expect(codes).toEqual(['invalid_api_key', 'invalid_api_key', 'rate_limited']);
});

it('without a limit every wrong key gets the same answer, and the database is asked for many at a time all the same', async () => {
  const logins = newLogins(0);
  const codes = await Promise.all(many(FLOOD, () => codeOf(logins, wrongKey(), ATTACKER)));
  expect(new Set(codes)).toEqual(new Set(['invalid_api_key']));
  expect(statements.mock.calls.length).toBeLessThan(FLOOD / 100);
});
