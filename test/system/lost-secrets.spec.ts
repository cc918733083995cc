import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMasterKeys, makePepper } from '../../src/embedded/data-folder';
import { readEnv } from '@lib/settings/read-env';
import { failureIn, research, start, type Running } from './support/command';
import { writeProvidersFile } from './support/providers-file';

jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'research-lost-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the embedded default that has lost a secret', () => {
  const DATA_DIR = join(folder, 'data');
  const fileOf = (name: string) => join(DATA_DIR, name);
  let environment: Record<string, string>;
  const operate = (...parameters: string[]) => research(parameters, environment);
  const started = async (): Promise<Running> => {
    const service = start('main.js', ['all'], environment);
    await service.until('Ctrl-C stops it.');
    return service;
  };
  const stop = async (service: Running) => {
    service.kill('SIGTERM');
    await service.ended;
  };

  beforeAll(async () => {
    environment = { HOST: '127.0.0.1', PORT: '0', DATA_DIR, PROVIDERS_FILE: writeProvidersFile(folder, {}) };
    const service = await started();
    expect(await operate('keys', 'create', '--tenant', 'acme')).toMatchObject({ code: 0 });
    expect(await operate('checkpoint')).toMatchObject({ code: 0 });
    await stop(service);
  });

  it('signs nothing without the key that signed before and says so, until an operator has another one made', async () => {
    const file = fileOf('checkpoint-key');
    rmSync(file);
    const service = await started();
    await service.until(`${file} is not there, and a key has signed the log already`);
    expect(await operate('checkpoint')).toMatchObject({ code: 3, stderr: expect.stringContaining('add --new-key') });
    expect(await operate('checkpoint', '--new-key', '--behind', join(folder, 'none'))).toMatchObject({ code: 3 });
    expect(existsSync(file)).toBe(false);
    expect(await operate('keys', 'create', '--tenant', 'acme')).toMatchObject({ code: 0 });
    expect(await operate('checkpoint', '--new-key')).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(true);
    await stop(service);
  });

  it('starts no more without its master key, makes no other one, and nor does a command', async () => {
    const file = fileOf('master-key');
    const key = readFileSync(file);
    rmSync(file);
    const lost = /master-key is not there, and the database is sealed under a key already/;
    expect(failureIn(await start('main.js', ['all'], environment).ended)).toMatch(lost);
    expect(await operate('rewrap', '--status')).toMatchObject({ code: 3, stderr: expect.stringMatching(lost) });
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, key);
  });
});

it('what another process has made in the meantime is taken', () => {
  const env = readEnv({ DATA_DIR: mkdtempSync(join(folder, 'shared-')) });
  const [pepper, keys] = [makePepper(env, false), makeMasterKeys(env, false)];
  expect([makePepper(env, true), makeMasterKeys(env, true)]).toEqual([pepper, keys]);
});
