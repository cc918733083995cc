import { readFileSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { microsFromCents } from '@lib/domain/money';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { ADAPTERS, createProviders, KEY_VARIABLES } from '@lib/providers/registry';
import { readProvidersFile } from '@lib/settings/providers-file';

import { withOptions } from '../../emulators/providers-file';
import { newRun, requestOf } from './request';
import { silent } from './silent';

const KEYS = Object.fromEntries(KEY_VARIABLES.map((name) => [name, 'key-for-tests']));

/** The shipped file for somebody who has every key, with all APIs at an address where nobody listens. */
function shippedNowhere() {
  const shipped = readFileSync(resolve(__dirname, '../../providers.yaml'), 'utf8');
  const file = join(mkdtempSync(join(tmpdir(), 'reserves-')), 'providers.yaml');
  writeFileSync(
    file,
    withOptions(shipped, (adapter) => (adapter === 'corpus' ? undefined : { baseUrl: 'http://127.0.0.1:1' })),
  );
  return readProvidersFile(file, ADAPTERS, KEYS).providers;
}

describe('the shipped minimum of what is reserved', () => {
  const settings = shippedNowhere();
  const providers = createProviders(settings, KEYS, { corpusDir: undefined, cacheFolder: null, log: silent });

  it.each(PROVIDERS)('lets %s try to answer also a question of many pages', async (provider) => {
    const { model, minReserveCents } = settings[provider];
    const limits = { reservedMicros: microsFromCents(minReserveCents), deadlineMs: 5000, maxResponseBytes: 4_000_000 };
    const request = requestOf({ provider, model, query: 'Why? '.repeat(2000), limits });
    await expect((await providers).get(provider)?.submit(request, newRun.started)).rejects.toMatchObject({ errorClass: 'unavailable' });
  });
});
