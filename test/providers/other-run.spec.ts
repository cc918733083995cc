import { GeminiProvider } from '@lib/providers/gemini/adapter';
import { OpenAiProvider } from '@lib/providers/openai/adapter';
import { PerplexityProvider } from '@lib/providers/perplexity/adapter';
import type { ResearchProvider } from '@lib/providers/research-provider';
import { XaiProvider } from '@lib/providers/xai/adapter';

import { cannedServer } from './canned-server';
import { requestOf } from './request';

const prices = {
  inputMicrosPerMillionTokens: 1,
  cachedInputMicrosPerMillionTokens: 1,
  outputMicrosPerMillionTokens: 1,
  perSearchMicros: 1,
};
const limits = { prices, pollMs: 5, maxOutputTokens: 1000, maxSearches: 1, inputTokensPerSearch: 1000 };
const KEY = 'key-for-tests';
const APIS: [string, (baseUrl: string) => ResearchProvider][] = [
  ['OpenAI', (baseUrl) => new OpenAiProvider({ baseUrl, ...limits, webSearchTool: 'web_search' }, KEY)],
  ['Perplexity', (baseUrl) => new PerplexityProvider({ baseUrl, ...limits, maxSteps: 1, searchesPerStep: 1 }, KEY)],
  ['xAI', (baseUrl) => new XaiProvider({ baseUrl, ...limits, searchesX: false, violationMicros: 0 }, KEY)],
  ['Gemini', (baseUrl) => new GeminiProvider({ baseUrl, prices, pollMs: 5 }, KEY)],
];
const request = requestOf();
/** Enough of a finished run for each of the APIs. */
const ended = { status: 'completed', output: [], usage: {} };

describe.each(APIS)('a poll of a run at %s', (_, create) => {
  const polled = async (answer: object) => create((await cannedServer([{ body: { ...ended, ...answer } }])).url).poll('run-1', request);

  it('that is answered with another run is refused, and the run may go on', async () => {
    const failure: unknown = await polled({ id: 'run-2' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ProviderError', errorClass: 'malformed' });
    const { message, details } = failure as { message: string; details: object };
    expect(message).toContain('about the run run-2, and run-1 was asked for');
    // Asked again, and neither paid for again nor settled by what the other one cost.
    expect(details).toEqual({});
  });

  it('that is answered with the run, or with no id, ends it', async () => {
    await expect(polled({ id: 'run-1' })).resolves.toMatchObject({ state: 'finished' });
    await expect(polled({})).resolves.toMatchObject({ state: 'finished' });
  });

  it('that a gateway answers under another id, with the step that asked, ends it', async () => {
    const told = { metadata: { stepId: request.stepId }, labels: { step: request.stepId } };
    await expect(polled({ id: 'run-2', ...told })).resolves.toMatchObject({ state: 'finished' });
  });
});
