import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PROVIDERS } from '@lib/domain/vocabulary';
import { PROVIDER_KEY_NAMES, ProviderKeys } from '@lib/settings/provider-keys';
import { readProvidersFile } from '@lib/settings/providers-file';
import { resolveAuto } from '@lib/settings/resolve-auto';

const KEY = 'key-for-tests';
const keysOf = (names: readonly string[]): ProviderKeys =>
  Object.assign(new ProviderKeys(), Object.fromEntries(names.map((name) => [name, KEY])));

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'resolve-auto-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const file = join(folder, 'providers.yaml');
  writeFileSync(file, text);
  return file;
}

describe('a providers file that is resolved', () => {
  it.each([[[]], [['OPENAI_API_KEY', 'GEMINI_API_KEY']], [PROVIDER_KEY_NAMES]] as const)(
    'by the keys %j means what it meant with them',
    (names) => {
      const keys = keysOf(names);
      const text = resolveAuto(undefined, keys);
      expect(readProvidersFile(written(text), null)).toEqual(readProvidersFile(undefined, keys));
      expect(text).not.toContain(KEY);
    },
  );

  it('keeps what no key decides, and its comments', () => {
    const text = resolveAuto(undefined, keysOf(PROVIDER_KEY_NAMES));
    expect(text).toContain('# The API takes no limits');
    expect(resolveAuto(written(text), new ProviderKeys())).toBe(text);
    for (const provider of PROVIDERS) expect(text).toContain(`\n  ${provider}:\n`);
  });

  it('is refused where the file cannot be used', () => {
    expect(() => resolveAuto(written('providers: {}'), new ProviderKeys())).toThrow(/cannot be used:\n- defaults must be a mapping/);
  });
});
