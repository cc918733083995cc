import { findingsOf } from '@lib/synthesis/synthesize';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { reported } from '../steps';

const inputOf = (one: string, other: string): SynthesisInput => ({
  ...{ query: 'What happened in Orla?', mode: 'fast', tier: 'M' },
  steps: [
    reported('provider-a', `${one.slice(0, -1)} [1].`, ['https://a.example/1']),
    reported('provider-b', `${other.slice(0, -1)} [1].`, ['https://b.example/1']),
  ],
});

/** Whether a model may say that two sentences say the same, in either order. */
function mayAgree(one: string, other: string): boolean {
  const quotes = [
    { report: 'R1', quote: one },
    { report: 'R2', quote: other },
  ];
  const input = inputOf(one, other);
  return [quotes, quotes.toReversed()].some((ordered) => {
    const accepted = verifyProposals(input, JSON.stringify({ claims: [{ quotes: ordered }] }));
    const shared = findingsOf(input, accepted).claims.some(
      ({ supporting }) => new Set(supporting.map(({ provider }) => provider)).size > 1,
    );
    expect(shared).toBe(accepted?.claims.length === 1);
    return shared;
  });
}

it.each([
  ['In mice, the Orla compound halved tumour growth within 12 weeks.', 'The Orla compound halved tumour growth within 12 weeks.'],
  ['In theory, the Orla reactor produces 300 MW of power.', 'The Orla reactor produces 300 MW of power.'],
  ['In the novel, King Rado murders his brother Elm at Orla.', 'King Rado murders his brother Elm at Orla.'],
  ['Among smokers, Orla gum cut relapse by 30 percent.', 'Orla gum cut relapse by 30 percent.'],
])('what one sentence limits is not agreed, though all words of the other are in it: %s', (limited, told) => {
  expect(mayAgree(limited, told)).toBe(false);
});

it.each([
  [
    'Kelm Bank never repaid the rescue loan to the state.',
    'Kelm Bank returned the rescue loan to the state at last, within the legal limit.',
  ],
  ['The Orla drug is not licensed for children in Europe.', 'The Orla drug was approved for children in Europe at the end of 2019.'],
  [
    'The US Navy did not adopt the Orla system during the war.',
    'The US Navy fitted the Orla system to its torpedoes before the end of the war.',
  ],
])('a denial is not agreed with an affirmation that happens to have a word such as “end” or “out”: %s', (denied, told) => {
  expect(mayAgree(denied, told)).toBe(false);
});

it('a denial is agreed with a sentence that denies by such a word', () => {
  expect(mayAgree('The bridge in Orla had no permit from the council.', 'The Orla council saw the bridge built without a permit.')).toBe(
    true,
  );
});

it.each([
  ['Ada Brandt was a devout vegetarian.', 'Ada Brandt died in Orla in 1921.'],
  ['Ada Brandt embezzled money from the museum.', 'Ada Brandt died in Orla in 1921.'],
  ['Ada Brandt supported the dictatorship.', 'Ada Brandt wrote three novels about bees in 1921.'],
])('two sentences that share the name of their subject alone are not agreed: %s', (one, other) => {
  expect(mayAgree(one, other)).toBe(false);
});
