import { PROVIDERS } from '@lib/domain/vocabulary';
import { briefOf } from '@lib/synthesis/brief';
import { topicsToExplore } from '@lib/synthesis/exploration';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';
import { briefBySize, synthesizeBySize, topicsInThread } from '../../src/synthesizer/large-input';
import { reported } from '../synthesis/steps';

const inputOf = (sentences: number): SynthesisInput => ({
  query: 'How many entries does the server keep?',
  mode: 'methodical',
  tier: 'M',
  steps: PROVIDERS.slice(0, 3).map((provider, at) => {
    const lines = Array.from(
      { length: sentences },
      (_, line) => `The server keeps ${String(line * 7 + at)} entries of list ${String(line)} [1].`,
    );
    return reported(provider, lines.join(' '), [`https://${provider}.example/`]);
  }),
});

describe('what is made of recorded steps', () => {
  it('is made at once for a small input', () => {
    expect(synthesizeBySize(inputOf(10))).toEqual(synthesize(inputOf(10)));
  });

  it('is the same for a large one, made beside the event loop', async () => {
    const input = inputOf(1_000);
    const synthesis = synthesizeBySize(input);
    expect(synthesis).toBeInstanceOf(Promise);
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    expect(await synthesis).toEqual(synthesize(input));
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
  });

  it.each([10, 1_000])('and so is the brief, of %d sentences', async (sentences) => {
    expect(await briefBySize(inputOf(sentences))).toBe(briefOf(inputOf(sentences)));
  });

  it('and so are the topics, always beside the event loop', async () => {
    const { steps, ...question } = inputOf(200);
    const mentioning = steps.map((step) => ({
      ...step,
      reportMarkdown: `The server keeps its entries beside the mercury gauge [1]. ${step.reportMarkdown}`,
    }));
    const input = { ...question, steps: mentioning };
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    const topics = await topicsInThread(input, [], 3);
    clearInterval(ticking);
    expect(topics).toEqual(topicsToExplore(input, [], 3));
    expect(topics.length).toBeGreaterThan(0);
    expect(turns).toBeGreaterThan(0);
  });
});
