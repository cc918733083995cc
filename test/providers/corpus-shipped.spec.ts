import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { documentFolder } from '@lib/providers/corpus/folder/folder';
import { ADAPTERS, createProviders } from '@lib/providers/registry';
import { research } from '@lib/providers/research';
import type { ResearchRequest } from '@lib/providers/research-provider';
import { readProvidersFile } from '@lib/settings/providers-file';
import { words } from '@lib/language/tokens';

import { newRun, requestOf, withDeadline } from './request';
import { silent } from './silent';

const providers = createProviders(
  readProvidersFile(undefined, ADAPTERS, {}).providers,
  {},
  {
    corpusDir: undefined,
    cacheFolder: null,
    log: silent,
  },
);
const ERRORS_IN_FASTIFY = 'How does Fastify handle an error thrown in a hook or a handler?';

async function ask(provider: ProviderId, query: string, request: Partial<ResearchRequest> = {}) {
  const adapter = (await providers).get(provider);
  if (!adapter) throw new Error(`${provider} has no adapter`);
  return (await research(adapter, requestOf({ provider, query, ...request }), newRun)).report;
}

/** Of a build that takes a quarter of it; a machine with much else to do takes longer by the clock. */
const MAX_PROCESSOR_MS = 30_000;

describe('the shipped documentation, asked through the shipped providers', () => {
  let processorMs = 0;

  beforeAll(async () => {
    const before = process.cpuUsage();
    await ask('provider-a', ERRORS_IN_FASTIFY, withDeadline(280_000));
    const { user, system } = process.cpuUsage(before);
    processorMs = (user + system) / 1000;
  }, 300_000);

  it('is read and indexed in seconds of processor time', () => {
    expect(processorMs).toBeLessThan(MAX_PROCESSOR_MS);
  });

  it.each(PROVIDERS)('answers from the reference of Fastify as %s', async (provider) => {
    const { markdown, citations } = await ask(provider, ERRORS_IN_FASTIFY);
    const paths = citations.map(({ url }) => url.replace(/#.*/, ''));
    expect(paths.filter((path) => path.startsWith('corpus:/fastify/docs/')).length).toBeGreaterThan(paths.length / 2);
    expect(paths).toContain('corpus:/fastify/docs/Reference/Errors.md');
    expect(markdown).toContain('`setErrorHandler`');
  });

  it('cites lines in which the quoted words stand', async () => {
    const { citations } = await ask('provider-d-premium', ERRORS_IN_FASTIFY, { mode: 'methodical' });
    expect(citations.length).toBeGreaterThan(10);
    for (const { url, snippet } of citations) {
      const [, path, first, last] = /^corpus:\/(.+)#L(\d+)-L(\d+)$/.exec(url) ?? [];
      const file = readFileSync(join(documentFolder(undefined).path, decodeURIComponent(path ?? '')), 'utf8').split('\n');
      const cited = file
        .slice(Number(first) - 1, Number(last))
        .join('\n')
        .normalize('NFKC')
        .replaceAll('’', "'")
        .replace(/[*_]/g, '');
      for (const word of words(snippet ?? '').slice(0, 20)) expect(cited.toLowerCase()).toContain(word.split(/[_*]/)[0]);
    }
  });

  it('gives the lite and mini identifiers less and the premium one more', async () => {
    const count = async (provider: ProviderId) => (await ask(provider, ERRORS_IN_FASTIFY)).citations.length;
    expect(await count('provider-b-lite')).toBeLessThan(await count('provider-b'));
    expect(await count('provider-c-mini')).toBeLessThan(await count('provider-c'));
    expect(await count('provider-d-premium')).toBeGreaterThan(await count('provider-d'));
  });

  it('differs between the three ways of looking', async () => {
    const reports = await Promise.all(
      (['provider-a', 'provider-b', 'provider-c'] as const).map((provider) => ask(provider, ERRORS_IN_FASTIFY)),
    );
    expect(new Set(reports.map(({ markdown }) => markdown)).size).toBe(3);
  });

  it.each([
    ['How can pino redact sensitive fields in logs?', /corpus:\/(pino|fastify)\/.*#/],
    ['How does commander declare variadic options?', /corpus:\/commander\/Readme\.md#/],
    ['What is onRequestAbort in Fastify for?', /corpus:\/fastify\/docs\/Reference\/Hooks\.md#/],
  ])('answers %j from the right place', async (question, url) => {
    expect((await ask('provider-a', question)).citations.map((citation) => citation.url)).toContainEqual(expect.stringMatching(url));
  });

  it.each(['What is the capital of the planet Zorgon?', 'What is the capital of France?', 'Who won the football world cup in 2014?'])(
    'has no answer to %j and says so',
    async (question) => {
      for (const provider of PROVIDERS) {
        const { markdown, citations } = await ask(provider, question);
        expect(citations).toEqual([]);
        expect(markdown).toContain('do not answer the question');
      }
    },
  );
});
