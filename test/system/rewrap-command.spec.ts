import { randomBytes } from 'node:crypto';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { openStore } from '@lib/store/store';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { research } from './support/command';

/** Programs are started and waited for, on a machine that may have more to do. */
jest.setTimeout(120_000);

const NEW = randomBytes(32);
let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
  await test.store.enterMasterKeys();
  await createJob(test.store);
});
afterAll(() => test.close());

const told = async (masterKeys: Buffer[], ...parameters: string[]): Promise<string> => {
  const MASTER_KEYS = masterKeys.map((key) => key.toString('base64')).join(',');
  const { code, stdout, stderr } = await research(['rewrap', ...parameters], { DATABASE_URL: test.databaseUrl, MASTER_KEYS });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const line = (key: Buffer, threads: number, state: string): string =>
  `${new KeyRing([key]).kekId}\tthreads ${threads}\twebhooks 0\truns 0\t${state}\n`;

it('tells nobody to destroy a new key that is not in use yet, and names the old one once it let go of it', async () => {
  const old = test.masterKey;
  const unused =
    'not in use yet if it is a new key: keep it; retired if it is an old one: take it out of MASTER_KEYS everywhere, then destroy it';
  const begun = line(old, 1, 'the newest') + line(NEW, 0, unused);
  expect(await told([old, NEW], '--status')).toBe(begun);
  expect(await told([old, NEW])).toBe(`0 keys and texts were brought under the newest master key.\n${begun}`);

  const sealer = openStore({
    databaseUrl: test.databaseUrl,
    connections: 2,
    masterKeys: [NEW, old],
    leaseMs: 30_000,
    redispatchFirstMs: 1000,
  });
  await sealer.enterMasterKeys().finally(() => sealer.close());
  expect(await told([NEW, old], '--status')).toBe(line(NEW, 0, 'the newest') + line(old, 1, 'in use: run `research rewrap`'));
  const retired = 'retired: take it out of MASTER_KEYS everywhere, then destroy it';
  expect(await told([NEW, old])).toBe(
    `1 keys and texts were brought under the newest master key.\n${line(NEW, 1, 'the newest')}${line(old, 0, retired)}`,
  );
  expect(await told([NEW, old], '--status')).toBe(line(NEW, 1, 'the newest') + line(old, 0, unused));
});
