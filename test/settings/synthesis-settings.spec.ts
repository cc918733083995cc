import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { stringify } from 'yaml';

import { PROVIDERS } from '@lib/domain/vocabulary';
import { ADAPTERS } from '@lib/providers/registry';
import type { ProviderKeys } from '@lib/settings/provider-keys';
import { readProvidersFile, readReportModel } from '@lib/settings/providers-file';
import { SettingsError } from '@lib/settings/settings-error';
import { synthesisKey } from '@lib/settings/synthesis-settings';

const PRICES = { inputMicrosPerMillionTokens: 5, cachedInputMicrosPerMillionTokens: 1, outputMicrosPerMillionTokens: 30 };
const SECTION = {
  adapter: 'openai',
  model: 'gpt-5.4-mini',
  priceDate: '2026-11-21',
  reserveCents: 10,
  maxOutputTokens: 8000,
  prices: PRICES,
};

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'synthesis-')), 'providers.yaml');
  writeFileSync(file, text);
  return file;
}

function fileWith(synthesis: unknown, adapter = 'simulated'): string {
  const count = { XXS: 1, XS: 1, S: 1, M: 2, L: 3, XL: 8 };
  const providers = Object.fromEntries(PROVIDERS.map((provider) => [provider, { adapter, minReserveCents: 0, maxReserveCents: 5 }]));
  return fileOf(stringify({ defaults: { preference: [...PROVIDERS], count }, providers, ...(synthesis !== undefined && { synthesis }) }));
}

function refused(section: unknown): SettingsError {
  try {
    readProvidersFile(fileWith(section), ADAPTERS, null);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error('the section was accepted');
}

describe('the section synthesis', () => {
  it('is no part of the shipped file, and without it no model writes', () => {
    expect(readReportModel(undefined, ADAPTERS)).toBeNull();
    expect(readProvidersFile(fileWith(undefined), ADAPTERS, null).synthesis).toBeNull();
  });

  it('is read as the shipped file shows it in its comment', () => {
    const shipped = readFileSync(resolve(__dirname, '../../providers.yaml'), 'utf8');
    const [, example = ''] = /^(# synthesis:\n(?:# {2,}.*\n)+)/m.exec(shipped) ?? [];
    const shown = fileOf(shipped.replace(example, example.replace(/^# /gm, '')));
    expect(readReportModel(shown, ADAPTERS)).toMatchObject({
      adapter: 'openai',
      reserveCents: 10,
      options: { baseUrl: 'https://api.openai.com/v1' },
    });
  });

  it.each([
    ['openai', 'https://api.openai.com/v1'],
    ['anthropic', 'https://api.anthropic.com/v1'],
    ['gemini', 'https://generativelanguage.googleapis.com/v1beta'],
    ['openai-compatible', 'http://127.0.0.1:11434/v1'],
  ])('knows where %s lies unless it says otherwise', (adapter, baseUrl) => {
    expect(readReportModel(fileWith({ ...SECTION, adapter }), ADAPTERS)).toMatchObject({ adapter, options: { baseUrl } });
    const own = 'https://gateway.example/v1';
    expect(readProvidersFile(fileWith({ ...SECTION, adapter, baseUrl: own }), ADAPTERS, null).synthesis).toMatchObject({
      adapter,
      model: SECTION.model,
      reserveCents: SECTION.reserveCents,
      options: { maxOutputTokens: SECTION.maxOutputTokens, prices: SECTION.prices, baseUrl: own },
    });
  });

  it('is all that a process without providers reads of the file', () => {
    expect(readReportModel(fileWith(SECTION, 'auto'), ADAPTERS)).toMatchObject({ model: 'gpt-5.4-mini' });
  });

  it.each([
    ['synthesis', null, 'mapping'],
    ['synthesis', 'openai', 'mapping'],
    ['synthesis.adapter', { ...SECTION, adapter: 'perplexity' }, 'openai, anthropic, gemini, openai-compatible'],
    ['synthesis.model', { ...SECTION, model: 'two words' }, 'name'],
    ['synthesis.model', { ...SECTION, model: undefined }, 'name'],
    ['synthesis.priceDate', { ...SECTION, priceDate: 'today' }, '2026-11-21'],
    ['synthesis.reserveCents', { ...SECTION, reserveCents: 0 }, 'at least 1'],
    ['synthesis.reserveCents', { ...SECTION, reserveCents: 1.5 }, 'whole number'],
    ['synthesis.maxOutputTokens', { ...SECTION, maxOutputTokens: 0 }, 'at least 1'],
    ['synthesis.baseUrl', { ...SECTION, baseUrl: 'https://user:password@api.example/v1' }, 'without a user'],
    ['synthesis.baseUrl', { ...SECTION, baseUrl: 'file:///etc/passwd' }, 'http'],
    ['synthesis.prices', { ...SECTION, prices: undefined }, 'mapping'],
    [
      'synthesis.prices.outputMicrosPerMillionTokens',
      { ...SECTION, prices: { ...PRICES, outputMicrosPerMillionTokens: -1 } },
      'at least 0',
    ],
    ['synthesis.prices.perSearchMicros', { ...SECTION, prices: { ...PRICES, perSearchMicros: 1 } }, 'not a known setting'],
    ['synthesis.key', { ...SECTION, key: 'sk-1' }, 'not a known setting'],
  ])('says what is wrong with %s', (name, section, remedy) => {
    const { problems } = refused(section);
    expect(problems).toEqual([expect.objectContaining({ name, remedy: expect.stringContaining(remedy) as string })]);
  });
});

describe('the key of the model', () => {
  const settingsOf = (adapter: string) => readReportModel(fileWith({ ...SECTION, adapter }), ADAPTERS);
  const keyFor = (adapter: string, keys: ProviderKeys) => {
    const settings = settingsOf(adapter);
    return settings && synthesisKey(settings, keys);
  };

  it('is the one of the provider’s API', () => {
    expect(keyFor('openai', { OPENAI_API_KEY: 'key-of-openai' })).toBe('key-of-openai');
    expect(keyFor('anthropic', { ANTHROPIC_API_KEY: 'key-of-anthropic' })).toBe('key-of-anthropic');
    expect(keyFor('gemini', { GEMINI_API_KEY: 'key-of-gemini' })).toBe('key-of-gemini');
    expect(keyFor('openai-compatible', {})).toBeNull();
  });

  it('is missed by its name, with the remedy', () => {
    expect(() => keyFor('gemini', { OPENAI_API_KEY: 'key-of-openai' })).toThrow(/GEMINI_API_KEY must be set.*gemini.*section synthesis/s);
  });
});
