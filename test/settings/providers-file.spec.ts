import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from '../support/properties';
import { stringify } from 'yaml';

import { BUDGET_TIERS, PROVIDERS } from '@lib/domain/vocabulary';
import { ADAPTERS, KEY_VARIABLES } from '@lib/providers/registry';
import { requireKeys } from '@lib/settings/provider-keys';
import { readProvidersFile, resolveProvider } from '@lib/settings/providers-file';
import { SettingsError } from '@lib/settings/settings-error';

type Plain = Record<string, unknown>;

const entry = (changes: Plain = {}): Plain => ({ adapter: 'simulated', minReserveCents: 0, maxReserveCents: 5, ...changes });

function content(changes: { defaults?: Plain; count?: Plain; providers?: Plain } = {}): Plain {
  const count = { XXS: 1, XS: 1, S: 1, M: 2, L: 3, XL: 8, ...changes.count };
  const providers = Object.fromEntries(PROVIDERS.map((provider) => [provider, entry()]));
  return { defaults: { preference: [...PROVIDERS], count, ...changes.defaults }, providers: { ...providers, ...changes.providers } };
}

function written(text: string | Buffer): string {
  const file = join(mkdtempSync(join(tmpdir(), 'providers-')), 'providers.yaml');
  writeFileSync(file, text);
  return file;
}

const read = (plain: unknown) => readProvidersFile(written(stringify(plain)), ADAPTERS, null);

function refused(text: string | Buffer): SettingsError {
  const file = written(text);
  try {
    readProvidersFile(file, ADAPTERS, null);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    expect(error.message).toContain(file);
    return error;
  }
  throw new Error('the file was accepted');
}

const namesOf = (plain: unknown): string[] => refused(stringify(plain)).problems.map(({ name }) => name);

const API = {
  adapter: 'openai',
  model: 'gpt-5.5',
  priceDate: '2026-11-21',
  options: {
    maxOutputTokens: 1000,
    maxSearches: 5,
    inputTokensPerSearch: 1000,
    prices: {
      inputMicrosPerMillionTokens: 5,
      cachedInputMicrosPerMillionTokens: 1,
      outputMicrosPerMillionTokens: 30,
      perSearchMicros: 10,
    },
  },
};
const api = (changes: Plain = {}, options: Plain = {}): Plain =>
  entry({ ...API, options: { ...structuredClone(API.options), ...options }, ...changes });
const auto = (changes: Plain = {}): Plain => ({ adapter: 'auto', aliases: ['a'], withKey: api(), withoutKey: entry(), ...changes });

describe('the shipped providers file', () => {
  const shipped = readProvidersFile(undefined, ADAPTERS, {});
  const keys = Object.fromEntries(KEY_VARIABLES.map((name) => [name, 'key-for-tests']));
  const real = readProvidersFile(undefined, ADAPTERS, keys);

  it('serves each identifier by its own API where the key is set, at dated prices', () => {
    expect(PROVIDERS.map((provider) => real.providers[provider].adapter)).toEqual([
      'perplexity',
      'gemini',
      'gemini-grounded',
      'openai',
      'openai',
      'xai',
      'xai',
      'anthropic',
    ]);
    for (const provider of PROVIDERS) {
      const { model, priceDate, minReserveCents, aliases } = real.providers[provider];
      expect(model).not.toBeNull();
      expect(priceDate).toMatch(/^2026-11-\d\d$/);
      expect(minReserveCents).toBeGreaterThan(0);
      expect(aliases).toEqual(shipped.providers[provider].aliases);
    }
  });

  it('decides for each API by its own key', () => {
    const { providers } = readProvidersFile(undefined, ADAPTERS, { XAI_API_KEY: 'key-for-tests' });
    const served = PROVIDERS.filter((provider) => providers[provider].adapter !== 'corpus');
    expect(served).toEqual(['provider-d', 'provider-d-premium']);
  });

  it('needs somebody who holds the keys', () => {
    expect(() => readProvidersFile(undefined, ADAPTERS, null)).toThrow(
      /providers must each name an adapter: `auto` is for role all alone.*; it is auto for provider-a, .*provider-e$/,
    );
  });

  it('serves all eight identifiers from local documents, at no charge', () => {
    for (const provider of PROVIDERS) {
      expect(shipped.providers[provider]).toMatchObject({ adapter: 'corpus', model: null, minReserveCents: 0, maxReserveCents: 0 });
    }
    expect(new Set(shipped.defaults.preference)).toEqual(new Set(PROVIDERS));
    expect(BUDGET_TIERS.map((tier) => shipped.defaults.count[tier])).toEqual([1, 1, 1, 2, 3, 8]);
  });

  it('has different ways of looking, lite and mini narrower, premium wider', () => {
    const breadth = (provider: (typeof PROVIDERS)[number]) => (shipped.providers[provider].options as { breadth: number }).breadth;
    const strategies = PROVIDERS.map((provider) => (shipped.providers[provider].options as { strategy: string }).strategy);
    expect(new Set(strategies).size).toBe(5);
    expect(breadth('provider-b-lite')).toBeLessThan(breadth('provider-b'));
    expect(breadth('provider-c-mini')).toBeLessThan(breadth('provider-c'));
    expect(breadth('provider-d-premium')).toBeGreaterThan(breadth('provider-d'));
  });

  it.each([
    ['provider-a', 'provider-a'],
    ['perplexity', 'provider-a'],
    ['gemini', 'provider-b'],
    ['gemini-lite', 'provider-b-lite'],
    ['openai', 'provider-c'],
    ['openai-mini', 'provider-c-mini'],
    ['grok', 'provider-d'],
    ['xai', 'provider-d'],
    ['grok-premium', 'provider-d-premium'],
    ['anthropic', 'provider-e'],
    ['claude', 'provider-e'],
    ['constructor', undefined],
    ['Perplexity', undefined],
    ['', undefined],
  ])('resolves %j to %j', (name, provider) => {
    expect(resolveProvider(shipped, name)).toBe(provider);
  });
});

describe('a providers file', () => {
  it('gives each adapter its options, with their defaults', () => {
    const { providers } = read(
      content({
        providers: {
          'provider-a': entry({ adapter: 'corpus', options: { strategy: 'structural', breadth: 3 } }),
          'provider-b': entry({ options: { latencyMs: 20, background: true }, model: 'sim-1', priceDate: '2026-11-21' }),
        },
      }),
    );
    expect(providers['provider-a']).toMatchObject({ adapter: 'corpus', options: { strategy: 'structural', breadth: 3 } });
    expect(providers['provider-b']).toMatchObject({ model: 'sim-1', priceDate: '2026-11-21' });
    expect(providers['provider-b'].options).toMatchObject({ latencyMs: 20, background: true, reportBytes: 2000, ledgerFile: null });
  });

  it('may limit what a worker asks of a provider; the shipped one leaves that to the operator, who knows the account', () => {
    const limits = { concurrency: 3, requestsPerMinute: 50 };
    const keys = { OPENAI_API_KEY: 'key-for-tests' };
    const file = written(stringify(content({ providers: { 'provider-b': entry(limits), 'provider-c': auto({ withKey: api(limits) }) } })));
    const { providers } = readProvidersFile(file, ADAPTERS, keys);
    expect([providers['provider-b'], providers['provider-c']]).toMatchObject([limits, limits]);
    for (const { concurrency, requestsPerMinute } of [
      providers['provider-a'],
      ...Object.values(readProvidersFile(undefined, ADAPTERS, keys).providers),
    ])
      expect([concurrency, requestsPerMinute]).toEqual([null, null]);
  });

  it.each(['concurrency', 'requestsPerMinute', 'typicalSeconds'])('refuses a %s that is no limit, with what would do', (name) => {
    for (const value of [0, -1, 1.5, Number.NaN, Infinity, 1e9, '3', '3/min', true, [3], { a: 1 }]) {
      const { problems } = refused(stringify(content({ providers: { 'provider-e': entry({ [name]: value }) } })));
      expect(problems).toMatchObject([
        { name: `providers.provider-e.${name}`, remedy: expect.stringMatching(/at least 1|at most \d+|between 1 and/) },
      ]);
    }
  });

  it('may say how long a run takes, where it does not the adapter does, and an adapter without an API takes no time', () => {
    const { providers } = read(content({ providers: { 'provider-b': entry({ typicalSeconds: 7 }), 'provider-c': api() } }));
    expect(providers['provider-a'].typicalSeconds).toEqual({ fast: 0, methodical: 0 });
    expect(providers['provider-b'].typicalSeconds).toEqual({ fast: 7, methodical: 7 });
    expect(providers['provider-c'].typicalSeconds).toEqual(ADAPTERS.find(({ name }) => name === 'openai')?.typicalSeconds);
  });

  it('gives the adapters of real APIs their addresses and prices', () => {
    const { providers } = read(
      content({ providers: { 'provider-c': api(), 'provider-d': api({}, { baseUrl: 'http://127.0.0.1:4100/v1' }) } }),
    );
    expect(providers['provider-c'].options).toMatchObject({
      baseUrl: 'https://api.openai.com/v1',
      webSearchTool: 'web_search',
      pollMs: 5000,
    });
    expect(providers['provider-c'].options).toMatchObject({ prices: API.options.prices });
    expect(providers['provider-d'].options).toMatchObject({ baseUrl: 'http://127.0.0.1:4100/v1' });
  });

  it.each(['http://llm_server:8000/v1', 'http://ollama.default.svc.cluster.local.:80/v1'])(
    'may have an address as in a network of its own: %s',
    (baseUrl) => {
      const { providers } = read(content({ providers: { 'provider-c': api({}, { baseUrl }) } }));
      expect(providers['provider-c'].options).toMatchObject({ baseUrl });
    },
  );

  it('may leave it to the keys who serves a provider', () => {
    const file = written(stringify(content({ providers: { 'provider-c': auto() } })));
    const keys = { OPENAI_API_KEY: 'key-for-tests' };
    expect(readProvidersFile(file, ADAPTERS, keys).providers['provider-c']).toMatchObject({
      adapter: 'openai',
      model: 'gpt-5.5',
      aliases: ['a'],
    });
    expect(readProvidersFile(file, ADAPTERS, {}).providers['provider-c']).toMatchObject({ adapter: 'simulated', aliases: ['a'] });
  });

  it.each([
    ['without a side', auto({ withoutKey: undefined }), 'withoutKey'],
    ['with itself inside', auto({ withKey: auto() }), 'withKey.adapter'],
    ['with another setting', auto({ maxReserveCents: 5 }), 'maxReserveCents'],
    ['with a fault on the side that is not used', auto({ withKey: api({ model: null }) }), 'withKey.model'],
    ['with a fault on the side that is used', auto({ withoutKey: entry({ options: { speed: 9 } }) }), 'withoutKey.options.speed'],
  ])('refuses auto %s by name', (_, plain, name) => {
    const file = written(stringify(content({ providers: { 'provider-c': plain } })));
    expect(() => readProvidersFile(file, ADAPTERS, {})).toThrow(`providers.provider-c.${name} `);
  });

  it.each(['concurrency', 'requestsPerMinute', 'typicalSeconds'])(
    'says where a %s beside auto belongs, and what is unknown there',
    (name) => {
      const { problems } = refused(stringify(content({ providers: { 'provider-c': auto({ [name]: 4, speed: 9 }) } })));
      const remedies = problems.filter(({ name }) => name !== 'providers').map(({ name, remedy, value }) => [name, value, remedy]);
      expect(remedies).toEqual([
        [`providers.provider-c.${name}`, '4', 'must stand under withKey or withoutKey, because adapter is auto'],
        ['providers.provider-c.speed', '9', 'is not a known setting; remove it'],
      ]);
    },
  );

  it.each([
    ['no model', api({ model: null }), 'model'],
    ['no prices', api({}, { prices: undefined }), 'options.prices'],
    ['prices that are a list', api({}, { prices: [] }), 'options.prices'],
    [
      'a price that is missing',
      api({}, { prices: { ...API.options.prices, perSearchMicros: undefined } }),
      'options.prices.perSearchMicros',
    ],
    ['a price below nothing', api({}, { prices: { ...API.options.prices, perSearchMicros: -1 } }), 'options.prices.perSearchMicros'],
    ['a price that is a fraction', api({}, { prices: { ...API.options.prices, perSearchMicros: 0.5 } }), 'options.prices.perSearchMicros'],
    ['an unknown price', api({}, { prices: { ...API.options.prices, perPage: 1 } }), 'options.prices.perPage'],
    ['no limit', api({}, { maxOutputTokens: undefined }), 'options.maxOutputTokens'],
    ['an address that is none', api({}, { baseUrl: 'api.openai.com' }), 'options.baseUrl'],
    ['an address of another kind', api({}, { baseUrl: 'file:///etc/passwd' }), 'options.baseUrl'],
    ['an address with a key', api({}, { baseUrl: 'https://api.example/v1?key=x' }), 'options.baseUrl'],
    ['an address with a user', api({}, { baseUrl: 'https://user:word@api.example/v1' }), 'options.baseUrl'],
    ['a tool that is no name', api({}, { webSearchTool: 'web search' }), 'options.webSearchTool'],
    ['no pause between polls', api({}, { pollMs: 0 }), 'options.pollMs'],
  ])('with an API that has %s is refused by name', (_, plain, name) => {
    expect(namesOf(content({ providers: { 'provider-c': plain } }))).toEqual([`providers.provider-c.${name}`]);
  });

  it.each([
    ['in its address', { baseUrl: 'https://user:hidden-0123456789@api.example/v1' }],
    ['in the query of its address', { baseUrl: 'https://api.example/v1?key=hidden-0123456789' }],
    ['beside it', { apiKey: 'hidden-0123456789' }],
    ['in an unknown part of it', { headers: { Authorization: 'hidden-0123456789', others: [{ 'x-api-key': ['hidden-0123456789'] }] } }],
  ])('with a key %s is refused and does not show it', (_, options) => {
    const file = written(stringify(content({ providers: { 'provider-c': api({}, options) } })));
    expect(() => readProvidersFile(file, ADAPTERS, {})).toThrow(/^(?:(?!hidden).)*$/s);
  });

  it.each([
    ['an unknown top-level key', { ...content(), extras: 1 }, 'extras'],
    ['a missing section', { providers: content().providers }, 'defaults'],
    ['an unknown provider', content({ providers: { 'provider-z': entry() } }), 'providers."provider-z"'],
    ['a missing provider', content({ providers: { 'provider-e': undefined } }), 'providers.provider-e'],
    ['a provider that is a list', content({ providers: { 'provider-e': [] } }), 'providers.provider-e'],
    ['an unknown adapter', content({ providers: { 'provider-a': entry({ adapter: 'oracle' }) } }), 'providers.provider-a.adapter'],
    [
      'an adapter named as no adapter is',
      content({ providers: { 'provider-a': entry({ adapter: 'toString' }) } }),
      'providers.provider-a.adapter',
    ],
    ['an unknown setting', content({ providers: { 'provider-a': entry({ adaptor: 'corpus' }) } }), 'providers.provider-a.adaptor'],
    [
      'money that is not whole',
      content({ providers: { 'provider-a': entry({ maxReserveCents: 0.5 }) } }),
      'providers.provider-a.maxReserveCents',
    ],
    ['money as text', content({ providers: { 'provider-a': entry({ minReserveCents: '1' }) } }), 'providers.provider-a.minReserveCents'],
    ['less than nothing', content({ providers: { 'provider-a': entry({ minReserveCents: -1 }) } }), 'providers.provider-a.minReserveCents'],
    [
      'a minimum above the maximum',
      content({ providers: { 'provider-a': entry({ minReserveCents: 6 }) } }),
      'providers.provider-a.minReserveCents',
    ],
    ['a day that is none', content({ providers: { 'provider-a': entry({ priceDate: 'yesterday' }) } }), 'providers.provider-a.priceDate'],
    [
      'an alias that is no name',
      content({ providers: { 'provider-a': entry({ aliases: ['Two Words'] }) } }),
      'providers.provider-a.aliases',
    ],
    [
      'an alias that is an identifier',
      content({ providers: { 'provider-a': entry({ aliases: ['provider-b'] }) } }),
      'providers.provider-a.aliases',
    ],
    ['an unknown option', content({ providers: { 'provider-a': entry({ options: { speed: 9 } }) } }), 'providers.provider-a.options.speed'],
    [
      'an option out of range',
      content({ providers: { 'provider-a': entry({ options: { failureRate: 2 } }) } }),
      'providers.provider-a.options.failureRate',
    ],
    [
      'an option that is null',
      content({ providers: { 'provider-a': entry({ options: { latencyMs: null } }) } }),
      'providers.provider-a.options.latencyMs',
    ],
    ['a preference for nobody', content({ defaults: { preference: [] } }), 'defaults.preference'],
    ['a preference given twice', content({ defaults: { preference: ['provider-a', 'provider-a'] } }), 'defaults.preference'],
    ['a preference for a stranger', content({ defaults: { preference: ['openai'] } }), 'defaults.preference'],
    ['more default providers than preferred ones', content({ defaults: { preference: PROVIDERS.slice(0, 7) } }), 'defaults.count.XL'],
    ['no default provider', content({ count: { XXS: 0 } }), 'defaults.count.XXS'],
    ['an unknown tier', content({ count: { XXXL: 1 } }), 'defaults.count.XXXL'],
  ])('with %s is refused by name', (_, plain, name) => {
    expect(namesOf(plain)).toContain(name);
  });

  it('names every problem with its value and what would do', () => {
    const { message, problems } = refused(
      stringify(
        content({
          count: { M: 99 },
          providers: { 'provider-a': entry({ adapter: 'oracle' }), 'provider-b': entry({ adapter: 'corpus' }) },
        }),
      ),
    );
    expect(problems).toHaveLength(4);
    expect(message).toContain('; it is "oracle"');
    expect(message).toContain(
      'providers.provider-b.options.strategy must be one of lexical, dense, structural, feedback, fused; it is missing',
    );
    expect(message).toContain('defaults.count.M must be at most 8; it is 99');
  });

  it('refuses an alias that two providers share', () => {
    const providers = { 'provider-a': entry({ aliases: ['same'] }), 'provider-b': entry({ aliases: ['same'] }) };
    expect(namesOf(content({ providers }))).toEqual(['providers.provider-b.aliases']);
  });
});

describe('the keys that a worker needs', () => {
  const served = (adapter: 'openai' | 'openai-compatible' | 'corpus') => ({
    'provider-c': { adapter, key: ADAPTERS.find(({ name }) => name === adapter)?.key ?? null },
  });

  it('are asked for by name, with the provider that needs them', () => {
    expect(() => requireKeys(served('openai'), {})).toThrow(/OPENAI_API_KEY must be set, for provider-c is served by openai/);
  });

  it.each(['openai-compatible', 'corpus'] as const)('do not include one for %s', (adapter) => {
    expect(() => requireKeys(served(adapter), {})).not.toThrow();
  });
});

describe('a file that is no providers file', () => {
  const bomb = [
    'a: &a [x, x]',
    ...'bcdefghij'.split('').map((name, at) => `${name}: &${name} [*${'abcdefghi'[at]}, *${'abcdefghi'[at]}]`),
  ].join('\n');

  it.each([
    ['empty', ''],
    ['a list', '- a\n- b\n'],
    ['text', 'hello'],
    ['broken', 'defaults: [unclosed'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['duplicate keys', 'defaults: {}\ndefaults: {}\n'],
    ['an unknown tag', 'defaults: !!js/function "alert(1)"\n'],
    ['an alias', 'defaults: &x {}\nproviders: *x\n'],
    ['an alias bomb', bomb],
    ['a prototype', '__proto__: { polluted: true }\n'],
    ['a key that is no word', '? [a, b]\n: 1\n'],
    ['binary', Buffer.from([0xff, 0xfe, 0, 1, 2])],
    ['deep', '['.repeat(50_000)],
    ['huge', `# ${'x'.repeat(300_000)}`],
  ])('because it is or has %s is refused', (_, text) => {
    expect(refused(text).problems.length).toBeGreaterThan(0);
    expect(({} as Plain).polluted).toBeUndefined();
  });

  it('is refused whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.jsonValue().map((value) => stringify(value)),
        ),
        (text) => {
          expect(refused(text).message).toContain('cannot be used');
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['does not exist', () => join(tmpdir(), 'no', 'such', 'providers.yaml')],
    ['is a folder', () => tmpdir()],
  ])('because it %s is refused by name', (_, path) => {
    expect(() => readProvidersFile(path(), ADAPTERS, null)).toThrow(new RegExp(`${path().replaceAll('/', '\\/')} cannot be used`));
  });
});
