import fc from '../support/properties';
import type { ProviderId } from '@lib/domain/vocabulary';
import { topicsToExplore } from '@lib/synthesis/exploration';
import type { SynthesisStep } from '@lib/synthesis/synthesis';

const QUERY = 'How does Fastify handle errors?';

const step = (provider: ProviderId, ...sentences: string[]): SynthesisStep => ({
  stepId: `stp_${provider}`,
  provider,
  status: 'completed',
  reportMarkdown: sentences.map((sentence) => `${sentence} [1]`).join('\n\n'),
  citations: [
    { index: 1, url: 'https://a.example/', title: null, snippet: null, startIndex: null, endIndex: null, publishedAt: null, domain: null },
  ],
  errorMessage: null,
  failure: null,
  truncated: false,
});

const A = step(
  'provider-a',
  'Fastify hands thrown errors to the error handler in the reply phase.',
  'The content parser of Fastify also reports its errors there.',
);
const B = step(
  'provider-b',
  'In Fastify the reply phase ends with the error handler.',
  'Errors of a plugin stay in the scope of that plugin in Fastify.',
);

const texts = (steps: SynthesisStep[], explored: string[] = [], most = 3) =>
  topicsToExplore({ query: QUERY, steps }, explored, most).map(({ text }) => text);

describe('the topics that are worth exploring', () => {
  it('are what several reports mention and the question does not, with the reason', () => {
    const [topic] = topicsToExplore({ query: QUERY, steps: [A, B] }, [], 3);
    expect(topic).toEqual({
      text: 'reply phase',
      rationale: '“reply phase” is mentioned by provider-a, provider-b in 2 sentences, and no report goes into it.',
      stepIds: ['stp_provider-a', 'stp_provider-b'],
    });
  });

  it('are not what one of several reports alone mentions', () => {
    expect(texts([A, B]).join()).not.toContain('parser');
  });

  it('are not what a report covers: many sentences, or a heading', () => {
    const often = ['begins', 'goes on', 'is long', 'ends'].map((verb) => `The reply phase ${verb} in Fastify as the documents say.`);
    expect(texts([step('provider-a', ...often), step('provider-b', ...often)])).not.toContain('reply phase');
    const headed = { ...A, reportMarkdown: `## The reply phase\n\n${A.reportMarkdown}` };
    expect(texts([headed, B])).not.toContain('reply phase');
  });

  it('are not what stands beside other things than the question', () => {
    const aside = 'The harbour office keeps its own records of every lamp.';
    expect(texts([step('provider-a', aside), step('provider-b', aside)])).toEqual([]);
  });

  it.each(['visited', 'purchased', 'won', 'erected'])('are found by the words of the question in whatever form: who %s it', (verb) => {
    const said = (provider: ProviderId): SynthesisStep =>
      step(provider, `The Lindenhof Bank ${verb} the Graz castle in May.`, 'The harbour has lamps.');
    const topics = topicsToExplore({ query: `Who ${verb} the Graz castle?`, steps: [said('provider-a'), said('provider-b')] }, [], 3);
    expect(topics.map(({ text }) => text)).toEqual(['Lindenhof Bank']);
  });

  it('are no common words that somebody writes with a capital letter', () => {
    const said = [
      'A value of Fastify is a String here.',
      'In Fastify the type must be String always.',
      'Fastify turns a string into bytes.',
    ];
    expect(texts([step('provider-a', ...said), step('provider-b', ...said)]).join()).not.toMatch(/string/i);
  });

  it('are not what was explored already', () => {
    expect(texts([A, B], ['reply phase'])).not.toContain('reply phase');
  });

  it('are none where nothing was reported, and at most as many as wanted', () => {
    expect(texts([{ ...A, status: 'failed', reportMarkdown: '', citations: [] }])).toEqual([]);
    expect(texts([A, B], [], 0)).toEqual([]);
  });

  it('are the same in whatever order the steps come', () => {
    const steps = [A, B, step('provider-c', 'The reply phase and the plugin scope matter to errors in Fastify.')];
    fc.assert(
      fc.property(fc.shuffledSubarray(steps, { minLength: 3 }), (shuffled) => {
        expect(topicsToExplore({ query: QUERY, steps: shuffled }, [], 3)).toEqual(topicsToExplore({ query: QUERY, steps }, [], 3));
      }),
    );
  });

  it('survive hostile text', () => {
    const hostile = [
      '<script>alert(1)</script> reply phase',
      '\u202Eمرحبا بالعالم reply phase',
      '問題は reply phase です。',
      '((((((reply phase',
      `${'a '.repeat(5_000)}reply phase`,
    ];
    for (const sentence of hostile) expect(() => texts([step('provider-a', sentence), step('provider-b', sentence)])).not.toThrow();
  });
});
