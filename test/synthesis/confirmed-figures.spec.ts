import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { synthesize } from '@lib/synthesis/synthesize';
import fc from '../support/properties';
import { reported } from './steps';

const QUERY = 'How well does the Tarnell vaccine work?';
const PROVIDERS = ['provider-a', 'provider-b', 'provider-b-lite'] as const;

const claimsOf = (...reports: string[]): readonly RecordedClaim[] =>
  synthesize({
    ...{ query: QUERY, mode: 'fast', tier: 'M' },
    steps: reports.flatMap((report, place) => {
      const provider = PROVIDERS[place];
      return provider ? [reported(provider, report, [])] : [];
    }),
  }).claims;

/** In the order of the claims. */
const confidences = (...reports: string[]): string[] => claimsOf(...reports).map(({ confidence }) => confidence);

const ONE = 'In the SHIELD trial of adults over 50, efficacy against fever was 97.2 % over three years.';
const OTHER = 'SHIELD enrolled adults older than 50 and found 97.2 % efficacy against the fever over three years.';

it('trusts a claim more whose every figure another provider tells of the same point in other words', () => {
  expect(confidences(ONE, OTHER)).toEqual(['medium', 'medium']);
});

it('records it as said by one provider still: the two do not say the same', () => {
  for (const { supporting } of claimsOf(ONE, OTHER)) expect(supporting).toHaveLength(1);
});

it.each([
  [
    'the other tells its figure only as the end of a range',
    'Installing a heat pump in a house of the Kelm valley costs 14,250 crowns.',
    'Installing a heat pump in a house of the Kelm valley can cost 10,500 to 14,250 crowns.',
  ],
  ['nobody else tells its figures', ONE, 'SHIELD enrolled adults and found the efficacy against the fever high in the trial.'],
  [
    'the other tells another figure',
    ONE,
    'SHIELD enrolled adults older than 50 and found 79.2 % efficacy against the fever over three years.',
  ],
  [
    'what is told alike is no more than a digit, whatever its unit',
    'In the SHIELD trial, protection of adults against fever held for three years.',
    'SHIELD found adults to be protected against the fever over three years.',
  ],
  [
    'what is told alike is no more than a digit',
    'The vaccine needs two doses a few weeks apart.',
    'Adults get two doses of the vaccine in summer.',
  ],
  [
    'one denies it',
    'In the SHIELD trial of adults over 50 the efficacy against fever was 97.2 % over three years.',
    'SHIELD enrolled adults older than 50 and never found 97.2 % efficacy against the fever over three years.',
  ],
  [
    'it was so when somebody wrote it',
    'Currently the efficacy against fever in the SHIELD trial of adults is 97.2 %.',
    'SHIELD enrolled adults and currently finds 97.2 % efficacy against the fever.',
  ],
  [
    'one of them denies another thing of it',
    ONE,
    'SHIELD enrolled adults older than 50, none of them pregnant, and found 97.2 % efficacy against the fever over three years.',
  ],
  [
    'one tells it as somebody else’s word',
    'According to its maker, the efficacy against fever in the SHIELD trial of adults over 50 was 97.2 % over three years.',
    OTHER,
  ],
  [
    'one tells it under a condition',
    ONE,
    'If given twice, the vaccine had 97.2 % efficacy against the fever over three years in adults older than 50 in SHIELD.',
  ],
])('trusts no claim more where %s', (_, one, other) => {
  expect(confidences(one, other)).not.toContain('medium');
});

it('trusts a claim more that tells all its figures alike, and not the one that tells one more', () => {
  const more = 'SHIELD enrolled 4,210 adults older than 50 and found 97.2 % efficacy against the fever over three years.';
  const claims = claimsOf(ONE, more);
  expect(claims.map(({ claim, confidence }) => [claim.includes('4,210'), confidence]).toSorted()).toEqual([
    [false, 'medium'],
    [true, 'low'],
  ]);
});

it('trusts neither more where a third provider tells it otherwise', () => {
  for (const third of [
    'In the SHIELD trial of adults over 50, efficacy against fever was merely 71.4 % over three years.',
    'SHIELD: efficacy against the fever in adults over 50 came to 71.4 % over three years.',
  ])
    expect(confidences(ONE, OTHER, third)).not.toContain('medium');
});

it('trusts no claim more that needs the sentence before it to be understood', () => {
  const leaning =
    'Several trials of adults were held in Kelm. These found 97.2 % efficacy against fever in adults over 50 over three years.';
  const claims = claimsOf(leaning, OTHER).filter(({ claim }) => claim.includes('97.2'));
  expect(claims.map(({ claim, confidence }) => [claim.startsWith('['), confidence]).toSorted()).toEqual([
    [false, 'medium'],
    [true, 'low'],
  ]);
});

it('says in the report what the word stands for there, and only there', () => {
  const markdownOf = (...reports: [string, string]): string =>
    synthesize({
      ...{ query: QUERY, mode: 'fast', tier: 'M' },
      steps: reports.map((report, place) => reported(PROVIDERS[place] ?? 'provider-a', report, [])),
    }).markdown;
  expect(markdownOf(ONE, OTHER)).toMatch(
    /97\.2 % over three years\. \(provider-a; medium\)[\s\S]*medium also where another provider tells all figures/,
  );
  expect(markdownOf(ONE, 'The vaccine is kept in a fridge.')).not.toContain('medium also');
});

it('trusts two reports alike whoever is read first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 989 }), fc.boolean(), (tenths, swapped) => {
      const percent = `${(tenths / 10).toFixed(1)} %`;
      const [one, other] = [ONE, OTHER].map((text) => text.replace('97.2 %', percent)) as [string, string];
      const found = swapped ? confidences(other, one) : confidences(one, other);
      expect(new Set(found).size).toBe(1);
    }),
  );
});
