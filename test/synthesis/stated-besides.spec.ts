import { synthesize } from '@lib/synthesis/synthesize';
import { expectVerbatim, reported } from './steps';

function sharedBy(query: string, one: string, other: string): string[] {
  const steps = [
    reported('provider-a', `${one} [1].`, ['https://a.example/1']),
    reported('provider-b', `${other} [1].`, ['https://b.example/1']),
  ];
  const synthesis = synthesize({ query, mode: 'fast', tier: 'L', steps });
  expectVerbatim(synthesis, steps);
  return synthesis.claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
}

const WHO = 'Who was Tove Jansson?';

describe('what a sentence tells besides', () => {
  it.each([
    [
      'when somebody was born, in brackets',
      'Tove Jansson (9 August 1914 – 27 June 2001) was a painter',
      'Tove Jansson was born in Ulm on 9 August 1914',
      'Tove Jansson was born on 9 August 1914.',
    ],
    [
      'when somebody died, in brackets',
      'Gregor Mendel (1822–1884) was a friar',
      'Gregor Mendel died in Brno in 1884',
      '[Gregor Mendel died in] 1884.',
    ],
    [
      'what somebody is whom it names',
      'Jansson met Ben Berg, a painter of ships from Ulm',
      'In 1950 Ben Berg was a painter of ships from Ulm',
      '[Ben Berg was] a painter of ships from Ulm.',
    ],
    [
      'where somebody was born whom it names',
      'The museum honours Ben Berg, a painter of ships born in Ulm on 3 May 1920',
      'Ben Berg was born in Ulm on 3 May 1920',
      'Ben Berg was born in Ulm on 3 May 1920.',
    ],
    [
      'what was done to its subject',
      'Elected to the council of Ulm in 2002, Tove Jansson left the paper',
      'Jansson was elected to the council of Ulm in 2002',
      '[Tove Jansson was] elected to the council of Ulm in 2002.',
    ],
  ])('is %s', (_, one, other, claim) => {
    expect(sharedBy(WHO, one, other)).toContain(claim);
  });

  it.each([
    ['of a war', 'What was the Anna War?', 'The Anna War (1914–1948) was long', 'The Anna War was born in 1914'],
    [
      'of a reform that a question for somebody names',
      'What was the Meiji Reform?',
      'His Meiji Reform (1868–1912) was long',
      'The Meiji Reform died in 1912',
    ],
    ['of years in a band', WHO, 'Tove Jansson (1950–1990 in the band) sang', 'Tove Jansson died in 1990'],
    [
      'of what somebody did',
      WHO,
      'Jansson left Maria Lund, a decision that she regretted for years',
      'Maria Lund was a decision that she regretted for years',
    ],
    [
      'of what somebody is behind an introduction',
      WHO,
      'Jansson worked with Maria Lund, the society helped the students',
      'The society helped the students',
    ],
  ])('is nothing %s', (_, question, one, other) => {
    expect(sharedBy(question, one, other).filter((claim) => claim.startsWith('['))).toEqual([]);
  });
});
