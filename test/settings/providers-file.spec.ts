import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { stringify } from 'yaml';

import { BUDGET_TIERS, PROVIDERS } from '@lib/domain/vocabulary';
import { ProviderKeys } from '@lib/settings/provider-keys';
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

const read = (plain: unknown) => readProvidersFile(written(stringify(plain)), null);

function refused(text: string | Buffer): SettingsError {
  const file = written(text);
  try {
    readProvidersFile(file, null);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    expect(error.message).toContain(file);
    return error;
  }
  throw new Error('the file was accepted');
}

const namesOf = (plain: unknown): string[] => refused(stringify(plain)).problems.map(({ name }) => name);

describe('the shipped providers file', () => {
  const shipped = readProvidersFile(undefined, new ProviderKeys());

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
    expect(new Set(strategies).size).toBe(3);
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

  it.each([
    ['an unknown top-level key', { ...content(), extras: 1 }, 'extras'],
    ['a missing section', { providers: content().providers }, 'defaults'],
    ['an unknown provider', content({ providers: { 'provider-z': entry() } }), 'providers."provider-z"'],
    ['a missing provider', content({ providers: { 'provider-e': undefined } }), 'providers.provider-e'],
    ['a provider that is a list', content({ providers: { 'provider-e': [] } }), 'providers.provider-e'],
    ['an unknown adapter', content({ providers: { 'provider-a': entry({ adapter: 'perplexity' }) } }), 'providers.provider-a.adapter'],
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
          providers: { 'provider-a': entry({ adapter: 'perplexity' }), 'provider-b': entry({ adapter: 'corpus' }) },
        }),
      ),
    );
    expect(problems).toHaveLength(4);
    expect(message).toContain('providers.provider-a.adapter must be one of corpus, simulated; it is "perplexity"');
    expect(message).toContain('providers.provider-b.options.strategy must be one of ranked, structural, expansion; it is missing');
    expect(message).toContain('defaults.count.M must be at most 8; it is 99');
  });

  it('refuses an alias that two providers share', () => {
    const providers = { 'provider-a': entry({ aliases: ['same'] }), 'provider-b': entry({ aliases: ['same'] }) };
    expect(namesOf(content({ providers }))).toEqual(['providers.provider-b.aliases']);
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
    expect(() => readProvidersFile(path(), null)).toThrow(new RegExp(`${path().replaceAll('/', '\\/')} cannot be used`));
  });
});
