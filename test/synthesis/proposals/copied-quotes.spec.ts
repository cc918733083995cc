import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { reported } from '../steps';

const OTHER = 'In March 1932 the Sydney Harbour Bridge opened for cars and trams [1].';
const inputOf = (left: string): SynthesisInput => ({
  ...{ query: 'What is known of the bridge?', mode: 'methodical', tier: 'M' },
  steps: [reported('provider-a', left, ['https://a.example/1']), reported('provider-b', OTHER, ['https://b.example/1'])],
});
const proposalOf = (quote: string) => ({
  quotes: [
    { report: 'R1', quote },
    { report: 'R2', quote: OTHER },
  ],
});

describe('a quote that a model copied', () => {
  it.each([
    ['without the emphasis', 'The **Sydney Harbour Bridge** was opened to traffic in _March 1932_ [1].'],
    ['without the marks between the words', 'The Sydney Harbour Bridge [1] was opened to traffic in March 1932 [1].'],
    ['with the label of a link alone', 'The [Sydney Harbour Bridge](https://a.example/1) was opened to traffic in March 1932.'],
    ['with another space', 'The Sydney Harbour Bridge was opened to traffic in March\u00A01932 [1].'],
    ['without escapes', 'The Sydney Harbour Bridge was opened to traffic in March 1932 \\[4\\].'],
  ])('is found %s', (_, said) => {
    const { claims = [], refused } = verifyProposals(
      inputOf(said),
      JSON.stringify({ claims: [proposalOf('The Sydney Harbour Bridge was opened to traffic in March 1932.')] }),
    ) ?? { refused: -1 };
    expect([claims.length, refused]).toEqual([1, 0]);
  });

  it.each([
    ['quotation marks', 'Sydney’s “Coathanger” bridge was opened to traffic in March 1932 [1].', '\'s "Coathanger"'],
    ['hyphens', 'Sydney – and its harbour – saw the bridge opened to traffic in March 1932 [1].', ' - and its harbour -'],
  ])('is found with plain %s', (_, said, words) => {
    const quote = `Sydney${words} ${said.slice(said.indexOf('bridge') - (said.includes('saw') ? 8 : 0)).replace(' [1]', '')}`;
    const accepted = verifyProposals(inputOf(said), JSON.stringify({ claims: [{ quotes: [{ report: 'R1', quote }] }] }));
    expect([quote, accepted?.claims.length]).toEqual([quote, 1]);
  });

  it('is found where a part of a sentence was made a sentence', () => {
    const said = 'The city grew, and the Sydney Harbour Bridge was opened to traffic in March 1932, when 750,000 people came [1].';
    const accepted = verifyProposals(
      inputOf(said),
      JSON.stringify({ claims: [proposalOf('The Sydney Harbour Bridge was opened to traffic in March 1932.')] }),
    );
    expect(accepted?.claims).toHaveLength(1);
  });

  it.each([
    'The Sydney Harbour Bridge was opened to traffic in March 193.',
    'The Sydney Harbour Bridge was opened to traffic in March 1932 and 1.',
    'ydney Harbour Bridge was opened to traffic in March 1932',
    'The Sydney Bridge was opened to traffic in March 1932.',
  ])('is refused if it ends in the middle of a word or number, or leaves a word out: %s', (quote) => {
    const said = 'The Sydney Harbour Bridge was opened to traffic in March 1932 and 1.5 million people came [1].';
    expect(verifyProposals(inputOf(said), JSON.stringify({ claims: [{ quotes: [{ report: 'R1', quote }] }] }))).toMatchObject({
      ...{ claims: [], refused: 1 },
    });
  });
});

describe('an answer that was cut off', () => {
  const said = 'The Sydney Harbour Bridge was opened to traffic in March 1932 [1].';
  const whole = { claims: [proposalOf(said)], disputes: [proposalOf(said), proposalOf(said)] };
  it.each([
    ['in a line', JSON.stringify(whole)],
    ['on lines of its own', JSON.stringify(whole, null, 2)],
  ])('keeps the proposals that are whole: %s', (_, answer) => {
    const kept = new Set<number>();
    for (let end = 0; end <= answer.length; end += 1) {
      const accepted = verifyProposals(inputOf(said), `Here it is:\n${answer.slice(0, end)}`);
      const read = accepted ? accepted.claims.length + accepted.disputes.length + accepted.refused : 0;
      expect([...kept].every((other) => other <= read)).toBe(true);
      kept.add(read);
    }
    expect([...kept]).toEqual([0, 1, 2, 3]);
  });
});
