import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ADAPTERS, createProviders, KEY_VARIABLES } from '@lib/providers/registry';
import { readProvidersFile } from '@lib/settings/providers-file';
import type { ProviderId } from '@lib/domain/vocabulary';

import { withOptions } from '../../../emulators/providers-file';
import type { Wire } from '../../../emulators/wire';
import { WIRES, type EmulatedApi } from '../../../emulators/wires';
import { silent } from '../silent';
import type { AdapterUnderTest } from './stand';

const POLL_MS = 15;
const SHIPPED = readFileSync(resolve(__dirname, '../../../providers.yaml'), 'utf8');

/** The adapter of a provider as the shipped providers file configures it for somebody with a key. */
export function shippedAdapter(api: EmulatedApi, provider: ProviderId, { limitable = true } = {}): AdapterUnderTest {
  const wire: Wire = WIRES[api];
  const configured = (baseUrl: string, key: string) => {
    const keys = Object.fromEntries(KEY_VARIABLES.map((name) => [name, key]));
    const yaml = withOptions(SHIPPED, (_, name) => (name === provider ? { baseUrl, ...(wire.poll && { pollMs: POLL_MS }) } : undefined));
    const file = join(mkdtempSync(join(tmpdir(), 'adapters-')), 'providers.yaml');
    writeFileSync(file, yaml);
    return { keys, settings: readProvidersFile(file, ADAPTERS, keys).providers[provider] };
  };
  const { model } = configured('http://127.0.0.1:1', 'nobody-s-key').settings;
  if (model === null) throw new Error(`The shipped providers file has no model for ${provider}`);
  return {
    api,
    model,
    limitable,
    create: async (baseUrl, key) => {
      const { keys, settings } = configured(baseUrl, key);
      const surroundings = { corpusDir: undefined, cacheFolder: null, log: silent };
      const created = (await createProviders({ [provider]: settings }, keys, surroundings)).get(provider);
      if (!created || settings.adapter !== api) throw new Error(`${provider} is served by ${settings.adapter}, not by ${api}`);
      return created;
    },
  };
}
