import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

function outcomeOf(one: string, other: string): string {
  const steps = [one, other].map((text, at) =>
    reported(at === 0 ? 'provider-a' : 'provider-b', `${text} [1]`, [`https://${String(at)}.example/1`]),
  );
  const { claims } = synthesize({ query: 'What is known about this?', mode: 'fast', tier: 'L', steps });
  if (claims.some(({ contradicting }) => contradicting.length > 0)) return 'disputed';
  return claims.length === 1 && claims[0]?.supporting.length === 2 ? 'agreed' : 'apart';
}

describe('what differs only in how English writes the same', () => {
  it.each([
    ['Drivers must carry a spare tyre in Norland.', 'Drivers have to carry a spare tire in Norland.'],
    ['Kelm code must be deterministic.', 'Kelm code therefore has to be deterministic.'],
    ['The Kelm museum is open daily from 9 am to 5 pm.', 'The Kelm museum is open every day from 9 am to 5 pm.'],
    ['The Kelm fund charges 0.2% annually.', 'The Kelm fund charges 0.2 percent a year.'],
    ['Zelin is not approved for children.', "Zelin isn't approved for children."],
    ['Kelm Council started the programme in 2019.', 'In 2019 Kelm Council began the program.'],
    ['Store Kelm cheese at 4 °C for up to five days.', 'Store Kelm cheese at 4 degrees Celsius for up to 5 days.'],
    ['Prior to 2015 the Kelm bridge was closed to lorries.', 'Before 2015 the Kelm bridge was closed to lorries.'],
    ['The Kelm Act applies to companies with 50 or more employees.', 'The Kelm Act applies to companies with at least 50 employees.'],
    ['The Kelm tower stands 120 metres tall.', 'The Kelm tower has a height of 120 m.'],
    ['Lake Kelm covers 30 sq km.', 'Lake Kelm has an area of 30 square kilometres.'],
    ['Water the Kelm lily twice a week.', 'You should water the Kelm lily twice a week.'],
    ['Do not mix Kelmol with ammonia.', 'Never mix Kelmol with ammonia.'],
    ['Norland became a member of the European Union in 2004.', 'Norland joined the EU in 2004.'],
    ['Zelin costs over $900 per month in the US.', 'Zelin costs more than $900 a month in the United States.'],
  ])('is agreed: %s %s', (one, other) => {
    expect([outcomeOf(one, other), outcomeOf(other, one)]).toEqual(['agreed', 'agreed']);
  });

  it.each([
    ['Drivers must not carry a spare tyre in Norland.', 'Drivers do not have to carry a spare tyre in Norland.'],
    ['You must water the Kelm lily twice a week.', 'You should water the Kelm lily twice a week.'],
    ['Ada Roth said in 2019 that the Kelm Bank failed.', 'Ada Roth said that the Kelm Bank failed in 2019.'],
    ['The Kelm fund charges 0.2% a year.', 'The Kelm fund charges 0.2% a month.'],
    ['Zelin costs $900 a month.', 'Zelin costs €900 a month.'],
    ['The Kelm tower is 120 metres tall.', 'The Kelm tower is 120 metres long.'],
    ['Lake Kelm covers 30 km².', 'Lake Kelm covers 30 square miles.'],
    ['The Kelm Act applies to companies with 50 employees.', 'The Kelm Act applies to companies with at least 50 employees.'],
    ['Guests of the Kelm hotel must be 18 or older.', 'Guests of the Kelm hotel must be 18.'],
    ['Kelm needs Python 3.10.', 'Kelm needs Python 3.1.'],
    ['Kelm Act section 5.10 applies to banks.', 'Kelm Act section 5.1 applies to banks.'],
    ['Nobody has to know the Kelm code.', 'Nobody must know the Kelm code.'],
    ['No Kelm guest has to leave the room.', 'No Kelm guest must leave the room.'],
    ['The Kelm trial cost A$5 million.', 'The Kelm trial cost US$5 million.'],
    ['Kelm drones weighing less than 250 g need no permit.', 'Kelm drones weighing at most 250 g need no permit.'],
    ['The Kelm Act covers firms with 50 or more workers.', 'The Kelm Act covers firms with more than 50 workers.'],
    ['The employer pays the Kelm levy.', 'The employee pays the Kelm levy.'],
  ])('is not what is something else: %s %s', (one, other) => {
    expect([outcomeOf(one, other), outcomeOf(other, one)]).not.toContain('agreed');
  });
});
