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
  ])('of what both tell of disputes it: %s', (one, other) => {
    expect(outcomeOf(one, other)).toBe('disputed');
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
])('numbers of other things dispute nothing: %s', (one, other) => {
  expect(outcomeOf(one, other)).not.toBe('disputed');
});
