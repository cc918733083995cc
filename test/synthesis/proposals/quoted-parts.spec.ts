import { findingsOf } from '@lib/synthesis/synthesize';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { reported } from '../steps';

const inputOf = (left: string, right: string): SynthesisInput => ({
  ...{ query: 'What is known of the Kelm?', mode: 'methodical', tier: 'M' },
  steps: [reported('provider-a', left, ['https://a.example/1']), reported('provider-b', right, ['https://b.example/1'])],
});

/** The claim of both reports that comes of two quotes; null where the proposal is refused. */
function sharedClaim([left, right]: readonly [string, string], [one, other]: readonly [string, string]) {
  const input = inputOf(left, right);
  const quotes = [
    { report: 'R1', quote: one },
    { report: 'R2', quote: other },
  ];
  const accepted = verifyProposals(input, JSON.stringify({ claims: [{ quotes }] }));
  if (accepted?.refused !== 0) return null;
  return findingsOf(input, accepted).claims.find(({ supporting }) => new Set(supporting.map(({ provider }) => provider)).size > 1) ?? null;
}

const OTHER = 'When the Kelm rose over its banks in 2004, some 228,000 inhabitants of the valley lost their lives [1].';

it.each<[string, string, string, string]>([
  [
    'up to a comma',
    'About 228,000 people died in the Kelm flood of 2004, a third of them in Sund [1].',
    'About 228,000 people died in the Kelm flood of 2004',
    'About 228,000 people died in the Kelm flood of 2004.',
  ],
  [
    'behind "and"',
    'The Kelm dam broke within ten minutes, and 228,000 people died in the flood of 2004 [1].',
    '228,000 people died in the flood of 2004',
    '228,000 people died in the flood of 2004.',
  ],
])('a claim says what is quoted %s, and no more', (_, left, quote, text) => {
  const claim = sharedClaim([left, OTHER], [quote, OTHER.replace(' [1]', '')]);
  expect(claim?.text).toBe(text);
  const own = claim?.supporting.find(({ provider }) => provider === 'provider-a');
  expect(own?.quote).toBe(left.slice(own?.start, own?.end));
  expect(own?.quote).toContain(quote);
});

const PART = 'the front of the Sarnoy Glacier moved back 1,400 metres from 1980 to 2010';
const RETREAT = 'Between 1980 and 2010 the Sarnoy Glacier retreated by 1.4 kilometres [1].';
const ofBoth = (left: string) => {
  const quote = left.includes(PART) ? PART : `T${PART.slice(1)}`;
  expect(left).toContain(quote);
  return sharedClaim([left, RETREAT], [quote, RETREAT.replace(' [1]', '')]);
};

it.each([`Norvale grew warmer in those years, and ${PART} [1].`, `T${PART.slice(1)}, and the lake below it doubled in size [1].`])(
  'what is quoted of a sentence is a claim where the rest leaves it as it is: %s',
  (left) => {
    expect(ofBoth(left)).toMatchObject({ text: `T${PART.slice(1)}.`, confidence: 'medium' });
  },
);

it.each<[string, string]>([
  ['which is said to hold of something else', `In mice, ${PART} [1].`],
  ['which holds of a part alone', `T${PART.slice(1)}, in mice [1].`],
  ['which holds in a simulation', `T${PART.slice(1)}, but only in a simulation [1].`],
  ['which is an estimate', `T${PART.slice(1)}, although this is only an estimate [1].`],
  ['which is thought', `T${PART.slice(1)}, it is thought [1].`],
  ['of which a simulation is told before', `A simulation, which was preliminary, showed this, and ${PART} [1].`],
  ['which somebody claims', `T${PART.slice(1)}, its finder claimed [1].`],
  ['which holds under a condition', `T${PART.slice(1)}, if maps are right [1].`],
  ['which is denied', `It is a myth that ${PART} [1].`],
])('what is quoted of a sentence is no claim %s', (_, left) => {
  expect(ofBoth(left)).toBeNull();
});

it.each<[string, string, string | null]>([
  [
    'of the sentence',
    'The Kelm dam broke in 1988 and was rebuilt in 1990 with 400 tonnes of steel [1].',
    '[The Kelm dam] was rebuilt in 1990 with 400 tonnes of steel.',
  ],
  [
    'of its own clause',
    'The Kelm dam broke in 1988, and the town of Sund burned down and was rebuilt in 1990 with 400 tonnes of steel [1].',
    null,
  ],
])('what is quoted without its subject is told of that %s, or not at all', (_, left, text) => {
  const quote = 'was rebuilt in 1990 with 400 tonnes of steel';
  const right = 'With 400 tonnes of steel a new start was made in 1990, two years after the Kelm had taken everything [1].';
  const claim = sharedClaim([left, right], [quote, right.replace(' [1]', '')]);
  expect(claim?.text ?? null).toBe(text);
});

it('a part of a sentence that nobody else says chooses the sentence', () => {
  const left = 'In mice, the Kelm pill halved the number of strokes in 2004 [1].';
  const input = inputOf(left, OTHER);
  const quotes = [{ report: 'R1', quote: 'the Kelm pill halved the number of strokes in 2004' }];
  const accepted = verifyProposals(input, JSON.stringify({ claims: [{ quotes }] }));
  expect(accepted).toMatchObject({ claims: [[{ start: 0, end: left.length }]], refused: 0 });
});

it('a word of the question need not be said again', () => {
  const left = 'The Kelm holds 23,600 cubic kilometres of water [1].';
  const right = 'Its volume comes to 23,600 cubic kilometres of water, more than that of any other lake [1].';
  expect(sharedClaim([left, `The lake is old. ${right}`], [left.replace(' [1]', ''), right.replace(' [1]', '')])).toMatchObject({
    text: left.replace(' [1]', ''),
  });
});
