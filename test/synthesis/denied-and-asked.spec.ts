import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

function outcomeOf(one: string, other: string, query = 'What is known?'): 'disputed' | 'agreed' | 'apart' {
  const steps = [reported('provider-a', one, ['https://0.example/1']), reported('provider-b', other, ['https://1.example/1'])];
  const { claims } = synthesize({ query, mode: 'fast', tier: 'L', steps });
  if (claims.some(({ contradicting }) => contradicting.length > 0)) return 'disputed';
  return claims.some(({ supporting }) => supporting.length > 1) ? 'agreed' : 'apart';
}

describe('a denial', () => {
  it.each([
    ['The station was closed in 2010 without notice.', 'The station was closed in 2010.'],
    ['The drug lowers blood pressure, but it does not cure the disease.', 'The drug lowers blood pressure.'],
    ['The tax, which is not deductible, is 20 percent.', 'The tax is 20 percent.'],
    ['The museum reopened in May 2021, although not all rooms were finished.', 'The museum reopened in May 2021.'],
    ['Axolotls live in Xochimilco and nowhere else.', 'Axolotls live in Xochimilco.'],
    ['Roth contributions can be withdrawn at any time, no questions asked.', 'Roth contributions can be withdrawn at any time.'],
    ['Rice can be frozen for six months if it has not been reheated.', 'Rice can be frozen for six months.'],
    ['The treaty was signed in Rome in 1990.', 'The treaty was signed in 1990 without a ceremony.'],
    [
      'In 1719 Emperor Charles declared the city a free port, which exempted goods from customs duties.',
      'Emperor Charles declared Trieste a free port in 1719.',
    ],
    ['Students are exempt from the tax.', 'Students do not pay the tax.'],
    ['Few studies support the claim.', 'Not many studies support the claim.'],
  ])('of what one report adds, or in other words, disputes nothing: %s', (one, other) => {
    expect(outcomeOf(one, other)).not.toBe('disputed');
    expect(outcomeOf(other, one)).not.toBe('disputed');
  });

  it.each([
    ['The drug lowers blood pressure.', 'The drug does not lower blood pressure.'],
    ['The drug lowers blood pressure in adults.', 'The drug does not lower blood pressure.'],
    ['The act never came into force in Ulm.', 'The act came into force in Ulm.'],
    ['No member of the council voted for the act.', 'A member of the council voted for the act.'],
    ['Many studies support the claim.', 'No studies support the claim.'],
    ['All members voted for the act.', 'Not a single member voted for the act.'],
    ['Karl Weil signed the treaty of Graz in 1938, which never happened.', 'Karl Weil signed the treaty of Graz in 1938.'],
    ['Karl Weil signed the treaty of Graz in 1938, though no record proves it.', 'Karl Weil signed the treaty of Graz in 1938.'],
    ['The Kelm bank was sold to the state in 2010, but that is not true.', 'The Kelm bank was sold to the state in 2010.'],
    ['The Kelm bank was sold to the state in 2010 at no time.', 'The Kelm bank was sold to the state in 2010.'],
    ['The house in Graz was not designed, planned or built by Karl Weil in 1938.', 'The house in Graz was built by Karl Weil in 1938.'],
    ['The untreated water of Ulm is safe to drink.', 'The water of Ulm is not safe to drink.'],
  ])('of what both tell of disputes it: %s', (one, other) => {
    expect(outcomeOf(one, other)).toBe('disputed');
  });

  it.each([
    ['FHA loans are assumable, while most conventional loans are not.', 'FHA loans are not assumable.'],
    ['Puskás, not Di Stéfano, scored four goals.', 'Di Stéfano, not Puskás, scored four goals.'],
    ['Sheds need no permission, provided they are under 2.5 metres high.', 'Sheds need no permission.'],
  ])('is not said by who denies it of something else, or under a condition: %s', (one, other) => {
    expect(outcomeOf(one, other)).not.toBe('agreed');
  });

  it('is not said by who denies something else', () => {
    expect(outcomeOf('Cyprus will require ETIAS although it is not yet in Schengen.', 'ETIAS is not yet required.')).toBe('apart');
  });
});

describe('what the question names', () => {
  it.each([
    [
      'What are the taxes on electric cars and diesel cars?',
      'Electric cars have an annual road tax.',
      'The annual road tax is 75 euros for diesel cars.',
    ],
    ['How do Spain and Portugal tax pensions?', 'Spain taxes foreign pensions.', 'Foreign pensions are taxed at 10 percent in Portugal.'],
    [
      'How do traditional and Roth IRAs differ?',
      'Required minimum distributions from a traditional IRA begin at age 73.',
      'Roth IRAs have required minimum distributions.',
    ],
  ])('tells apart what the reports speak of: %s', (query, one, other) => {
    expect(outcomeOf(one, other, query)).toBe('apart');
  });

  it('need not be said where the other report names nothing else of it', () => {
    expect(
      outcomeOf('Electric cars have an annual road tax of 75 euros.', 'The annual road tax is 75 euros.', 'How are electric cars taxed?'),
    ).toBe('agreed');
  });
});

it.each([
  ['The state bought the bank although it was insolvent.', 'The bank was insolvent.'],
  ['The state bought the bank although it was insolvent.', 'The state was insolvent.'],
])('nobody knows what a pronoun stands for behind two things: %s %s', (one, other) => {
  expect(outcomeOf(one, other)).toBe('apart');
});

it('a pronoun stands for the only thing before it', () => {
  expect(outcomeOf('Kelm is popular because it is fast and cheap.', 'Kelm is fast and cheap.')).toBe('agreed');
});

it.each([
  ['The trial had 75 percent women, and 28 percent smokers.', 'The trial had 75 percent women, and 59 percent pensioners.'],
  ['The team has 11 players and 7 substitutes.', 'The team has 11 players and 3 goalkeepers.'],
  ['Kelm reported higher revenue in 2020.', 'Kelm reported higher earnings in 2020.'],
])('numbers of other things dispute nothing: %s', (one, other) => {
  expect(outcomeOf(one, other)).not.toBe('disputed');
});

it.each([
  ['The drug lowers mortality in men and raises it in women.', 'The drug lowers mortality in men and women.'],
  ['Mulch protects roses but damages lavender.', 'Mulch protects roses and lavender.'],
  ['House prices rose by 8 percent in 2022 but fell in 2023.', 'House prices fell by 8 percent in 2023.'],
  ['Smith sued Jones, who paid £500.', 'Smith sued Jones and paid £500.'],
  ['A few homes have bats.', 'Few homes have bats.'],
  ['A dormer costs £45,000 to £65,000.', 'A dormer costs £45,000.'],
])('what stands behind another verb, of another doer or in a range is not the same: %s', (one, other) => {
  for (const pair of [
    [one, other],
    [other, one],
  ] as const) {
    const steps = pair.map((text, at) => reported(at === 0 ? 'provider-a' : 'provider-b', text, [`https://${String(at)}.example/1`]));
    const shared = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps }).claims.filter(
      ({ supporting }) => supporting.length > 1,
    );
    expect(shared.map(({ claim }) => claim)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/lavender|women|8 percent|500|bats|45,000/)]),
    );
  }
});
