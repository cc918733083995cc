import { verifyProposals } from '@lib/synthesis/proposals/verify';
import { synthesizeWithSummary } from '@lib/synthesis/summary/summary';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { reported } from '../steps';

/** The report of two sentences, with the dispute that a model proposes of them. */
function disputed(one: string, other: string) {
  const input: SynthesisInput = {
    ...{ query: 'What is known?', mode: 'fast', tier: 'M' },
    steps: [
      reported('provider-a', `${one.slice(0, -1)} [1].`, ['https://a.example/1']),
      reported('provider-b', `${other.slice(0, -1)} [1].`, ['https://b.example/1']),
    ],
  };
  const quotes = [
    { report: 'R1', quote: one },
    { report: 'R2', quote: other },
  ];
  const accepted = verifyProposals(input, JSON.stringify({ disputes: [{ quotes }] }));
  expect(accepted?.disputes).toHaveLength(1);
  return synthesizeWithSummary(input, { reason: 'none was asked for' }, accepted);
}

it.each([
  [
    'Apollo 13 was to be the third landing on the Moon, in the Fra Mauro region.',
    'Apollo 13, which was to have made the third landing on the Moon, lifted off from Florida on 11 April 1970.',
    'Apollo 13 was to be the third landing on the Moon.',
  ],
  [
    'The parasite was seen by Alphonse Laveran in Algeria in 1880.',
    "Charles Laveran saw the parasite in a patient's blood in Algeria in 1880.",
    'The parasite was seen in Algeria in 1880.',
  ],
])('what the rules see agreed stays so, though a model calls it a dispute: %s', (one, other, shared) => {
  const { claims, markdown } = disputed(one, other);
  expect(claims.find(({ claim }) => claim === shared)).toMatchObject({ confidence: 'high', contradicting: [] });
  expect(claims.flatMap(({ contradicting }) => contradicting)).toEqual([]);
  expect(markdown).toContain(
    '0 agreements and 0 disputes that a model proposed are borne out by the reports; 1 other proposal of it were refused.',
  );
});

it('a dispute of what the rules do not join is shown', () => {
  const { claims, markdown } = disputed(
    'The Holm Arena seats 24,500 spectators.',
    'There is room for 18,000 in the Holm Arena, whichever sport is played there.',
  );
  expect(claims.filter(({ contradicting }) => contradicting.length > 0)).toHaveLength(2);
  expect(markdown).toContain('0 agreements and 1 dispute that a model proposed');
});
