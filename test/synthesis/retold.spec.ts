import { reported, synthesisOf } from './steps';

/** Whether two reports of one sentence each end in one claim, in two, or in a dispute. */
function outcome(first: string, second: string): 'agreed' | 'disputed' | 'apart' {
  const { claims } = synthesisOf(
    reported('provider-a', `${first} [1]`, ['https://a.example/1']),
    reported('provider-b', `${second} [1]`, ['https://b.example/1']),
  );
  if (claims.some(({ contradicting }) => contradicting.length > 0)) return 'disputed';
  return claims.some(({ supporting }) => new Set(supporting.map(({ provider }) => provider)).size > 1) ? 'agreed' : 'apart';
}

describe('what two reports say in other words', () => {
  it.each([
    ['the noun for who did it', 'Ada Weil founded Kelmworks in 1943.', 'Ada Weil is the founder of Kelmworks, dating from 1943.'],
    ['a possessor', 'Ada Weil was the lead singer of Kelm.', "Kelm's lead singer was Ada Weil."],
    [
      'what is the same the other way round',
      'Kelm is the capital of Arnland.',
      "Arnland's capital is Kelm, chosen in 1908 as a compromise.",
    ],
    [
      'a receiver',
      'The agency approved velumab for asthma in June 2021.',
      'Velumab received approval from the agency for asthma in June 2021.',
    ],
    ['who lost', 'Rovers beat United 3-1 in the final.', 'In the final United lost 3-1 to Rovers.'],
    ['who was signed', 'The club signed Tom Arden from Leith in January 2020.', 'Tom Arden joined the club from Leith in January 2020.'],
    ['who was awarded it', 'Ada Weil was awarded the Kelm Prize in Chemistry in 1911.', 'Ada Weil won the 1911 Kelm Prize in Chemistry.'],
    ['the son of his father', 'Ivo Brand was the father of Ada Kelm.', 'Ada Kelm was the daughter of Ivo Brand.'],
  ])('is agreed: %s', (_name, first, second) => {
    expect(outcome(first, second)).toBe('agreed');
  });

  it.each([
    ['another doer', 'Ada Weil founded Kelmworks in 1943.', 'Ivo Brand is the founder of Kelmworks, dating from 1943.'],
    ['who replaced whom', 'The Kelm Regulation replaced the Weil Directive.', 'The Weil Directive superseded the Kelm Regulation.'],
    ['exchanged relatives', 'Ivo Brand was the father of Ada Kelm.', 'Ada Kelm was the mother of Ivo Brand.'],
    ['who won', 'Rovers beat United 3-1 in the final.', 'In the final Rovers lost 3-1 to United.'],
    [
      'the only one of it',
      'The house held the only clinic of Kelm from 1915 to 1965.',
      'The house sheltered only the clinic of Kelm from 1915 to 1965.',
    ],
    ['the second of it', 'Kelm Peak is the highest mountain of Arnland.', "Arnland's second-highest mountain is Kelm Peak."],
  ])('is not agreed: %s', (_name, first, second) => {
    expect(outcome(first, second)).not.toBe('agreed');
  });
});

it('shows what several reports say with a year beside the same without one', () => {
  const { claims } = synthesisOf(
    reported('provider-a', 'Ada Weil was born in Kelm, Arnland in 1948 [1].', ['https://a.example/1']),
    reported('provider-b', 'Ada Weil is an Arnish singer and guitarist, born on March 12, 1948, in Kelm, Arnland [1].', [
      'https://b.example/1',
    ]),
  );
  const shared = claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
  expect(shared).toContain('Ada Weil was born in Kelm, Arnland in 1948.');
});
