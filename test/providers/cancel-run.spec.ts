import { GeminiProvider } from '@lib/providers/gemini/adapter';
import { OpenAiProvider } from '@lib/providers/openai/adapter';
import type { ResearchProvider } from '@lib/providers/research-provider';

import { cannedServer, type Canned } from './canned-server';

const prices = {
  inputMicrosPerMillionTokens: 1,
  cachedInputMicrosPerMillionTokens: 1,
  outputMicrosPerMillionTokens: 1,
  perSearchMicros: 1,
};
const openAiOptions = { prices, maxOutputTokens: 1000, maxSearches: 1, inputTokensPerSearch: 1000, webSearchTool: 'web_search', pollMs: 5 };

const APIS: [string, (baseUrl: string) => ResearchProvider][] = [
  ['a Responses API', (baseUrl) => new OpenAiProvider({ baseUrl, ...openAiOptions }, 'key-for-tests')],
  ['the Interactions API', (baseUrl) => new GeminiProvider({ baseUrl, prices, pollMs: 5 }, 'key-for-tests')],
];
const refused = (status: number): Canned => ({ status, body: { error: { message: 'Not that' } } });

describe.each(APIS)('the cancellation of a run of %s', (_, create) => {
  const cancelling = async (answers: Canned[]) => create((await cannedServer(answers)).url).cancel('run-1');

  it('is one call where it is granted', async () => {
    const { url, asked } = await cannedServer([{ body: { id: 'run-1', status: 'cancelled' } }]);
    await create(url).cancel('run-1');
    expect(asked).toEqual([expect.stringMatching(/^POST .*\/run-1\/cancel$/)]);
  });

  const page: Canned = { headers: { 'content-type': 'text/html' }, body: '<html><title>Sign in</title></html>' };
  const taken: Canned[] = [
    page,
    { body: { error: { code: 'server_error', message: 'upstream unavailable' } } },
    { body: { id: 'run-1', status: 'in_progress' } },
    { status: 202, body: '' },
  ];

  it('whose answer does not say that the run is over is done only once the run says so', async () => {
    const over = { body: { id: 'run-1', status: 'cancelled' } };
    const going = { body: { id: 'run-1', status: 'in_progress' } };
    const ends = await Promise.allSettled(taken.flatMap((answer) => [cancelling([answer, over]), cancelling([answer, going, over])]));
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('whose answer does not say that the run is over can be asked for again while the run goes on, and tells nothing of its cost', async () => {
    const going = { body: { id: 'run-1', status: 'in_progress' } };
    const ends = await Promise.allSettled([...taken.map((answer) => cancelling([answer, going])), cancelling([page])]);
    const failure = (said: string) => ({
      status: 'rejected',
      reason: expect.objectContaining({ errorClass: 'unavailable', message: expect.stringContaining(said), details: {} }),
    });
    expect(ends).toEqual([...taken.map(() => failure('in_progress')), failure('Sign in')]);
  });

  it.each([400, 404, 405, 409, 422])('that is refused with %d is a failure if the run goes on', async (status) => {
    const going = { body: { id: 'run-1', status: 'in_progress' } };
    await expect(cancelling([refused(status), going])).rejects.toThrow(`The provider answered ${status}: Not that`);
  });

  it.each<[string, Canned]>([
    ['Sign in', page],
    ['upstream unavailable', { body: { error: { code: 'server_error', message: 'upstream unavailable' } } }],
    ['is empty', { status: 202, body: '' }],
  ])('that is refused can be asked for again where the look at the run was not answered by the API: %s', async (said, look) => {
    await expect(cancelling([refused(409), look])).rejects.toMatchObject({
      errorClass: 'unavailable',
      message: expect.stringMatching(new RegExp(`answered 409: Not that; .*${said}`)) as string,
      details: {},
    });
  });

  it.each([400, 409])('that is refused with %d is done if the run is over', async (status) => {
    await expect(cancelling([refused(status), { body: { id: 'run-1', status: 'completed' } }])).resolves.toBeUndefined();
  });

  it.each([404, 410])('of which the provider knows nothing, %d, is done', async (status) => {
    await expect(cancelling([refused(status)])).resolves.toBeUndefined();
  });

  it.each([
    [401, 'auth'],
    [402, 'quota'],
    [429, 'rate_limited'],
    [503, 'overloaded'],
  ])('that is answered with %d says nothing of the run', async (status, errorClass) => {
    await expect(cancelling([refused(status)])).rejects.toMatchObject({ errorClass });
  });

  it.each([400, 401, 402, 403, 409])('that is refused with %d does not tell what the run cost', async (status) => {
    const failure: unknown = await cancelling([refused(status), { body: { id: 'run-1', status: 'in_progress' } }]).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ details: expect.not.objectContaining({ charge: expect.anything() }) });
  });

  it('can be asked for again where the run could not be looked at', async () => {
    await expect(cancelling([refused(409), refused(503)])).rejects.toMatchObject({ errorClass: 'overloaded' });
  });
});
