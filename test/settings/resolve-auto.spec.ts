import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PROVIDERS } from '@lib/domain/vocabulary';
import { ADAPTERS, KEY_VARIABLES } from '@lib/providers/registry';
import type { ProviderKeys } from '@lib/settings/provider-keys';
import { readProvidersFile } from '@lib/settings/providers-file';
import { resolveAuto } from '@lib/settings/resolve-auto';

const KEY = 'key-for-tests';
const keysOf = (names: readonly string[]): ProviderKeys => Object.fromEntries(names.map((name) => [name, KEY]));

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'resolve-auto-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const file = join(folder, 'providers.yaml');
  writeFileSync(file, text);
  return file;
}

describe('a providers file that is resolved', () => {
  it.each([[[]], [['OPENAI_API_KEY', 'GEMINI_API_KEY']], [KEY_VARIABLES]] as const)(
    'by the keys %j means what it meant with them',
    (names) => {
      const keys = keysOf(names);
      const text = resolveAuto(undefined, ADAPTERS, keys);
      expect(readProvidersFile(written(text), ADAPTERS, null)).toEqual(readProvidersFile(undefined, ADAPTERS, keys));
      expect(text).not.toContain(KEY);
    },
  );

  it('keeps what no key decides, and its comments', () => {
    const text = resolveAuto(undefined, ADAPTERS, keysOf(KEY_VARIABLES));
    expect(text).toContain('# The API takes no limits');
    expect(resolveAuto(written(text), ADAPTERS, {})).toBe(text);
    for (const provider of PROVIDERS) expect(text).toContain(`\n  ${provider}:\n`);
  });

  it('is refused where the file cannot be used', () => {
    expect(() => resolveAuto(written('providers: {}'), ADAPTERS, {})).toThrow(/cannot be used:\n- defaults must be a mapping/);
  });
});
