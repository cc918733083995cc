import { groundOf } from '@lib/synthesis/summary/grounding';
import { claimPartsOf, ungroundedIn } from '@lib/synthesis/summary/grounded-statements';

const NO_QUESTION = groundOf('');
const untold = (sentence: string, claims: readonly string[], question = NO_QUESTION) =>
  ungroundedIn(sentence, claims.map(claimPartsOf), question);

/** Each sentence with the claims that it names. */
const TRUE: [string, ...string[]][] = [
  ['Ada Lovelace died in 1852.', 'Ada Lovelace died in London in 1852 [aged 36].'],
  ['In 1962, Rod Laver beat Roy Emerson in the final.', 'Rod Laver beat Roy Emerson in the final in 1962.'],
  ['Roy Emerson was beaten by Rod Laver in 1962.', 'Rod Laver beat Roy Emerson in the final in 1962.'],
  ['Rod Laver beat Roy Emerson.', 'Roy Emerson was beaten by Rod Laver in the 1962 final.'],
  [
    'Errors of hooks go to the error handler, and plugins inherit that of their parent.',
    'Errors of hooks go to the error handler.',
    'Plugins inherit the handler of their parent.',
  ],
  ['Ada was born in London and died in Paris.', 'Ada was born in London.', 'Ada died in Paris.'],
  ['According to the reports, Ada was born in London.', 'Ada was born in London.'],
  ['The director of the film is Jane Doe.', 'The director of the film is Jane Doe, who also wrote it.'],
  ['Aspirin reduces the risk of stroke.', 'Aspirin reduces the risk of stroke by 20 percent in adults.'],
  ['The bridge was completed in 1932.', 'The Sydney Harbour Bridge was completed in March 1932 after nine years of work.'],
  ['The court upheld the ban, while the appeal was rejected.', 'The court upheld the ban in 2014.', 'The appeal was rejected in 2015.'],
  ['Ada does not support the plan.', 'Ada does not support the plan of the ministry.'],
  ['Fastify validates requests with Ajv.', 'By default, Fastify validates requests with Ajv version 8.'],
  ['The company was founded by Ada, Bob and Carl in 1990.', 'The company was founded in 1990 by Ada, Bob and Carl.'],
  ['The company was founded by Carl.', 'The company was founded in 1990 by Ada, Bob and Carl.'],
  ['Ada died in Paris.', 'Ada, who was born in London in 1815, died in Paris.'],
];
const FALSE: [string, ...string[]][] = [
  ['Jane Doe is not the director of the film.', 'Jane Doe is the director of the film.'],
  ['Jane Doe is the director of the film.', 'Jane Doe is not the director of the film.'],
  ['Rosewall beat Laver in the final.', 'Laver beat Rosewall in the final.'],
  ['Laver was beaten by Rosewall in the final.', 'Laver beat Rosewall in the final.'],
  ['John Lennon was murdered in 1980.', 'John Lennon died in 1980.'],
  ['John Lennon was murdered by Mark Chapman.', 'John Lennon met Mark Chapman in New York.'],
  ['Federer won the title in 2009.', 'Nadal won the title in 2008 and Federer won the title in 2012.'],
  ['Ada won gold in 2020.', 'Ada won gold in 2019 and silver in 2020.'],
  ['Ada died in 1852.', 'Ada’s father died in 1852.'],
  ['Ada died in 1852.', 'The father of Ada died in 1852.'],
  ['Ada scored 5 goals and 3 assists.', 'Ada scored 3 goals and 5 assists.'],
  ['Ada travelled from Paris to London.', 'Ada travelled from London to Paris.'],
  ['The bridge was completed in 1923.', 'The bridge was completed in 1932.'],
  ['The drug cures cancer.', 'The drug may cure cancer.'],
  ['The minister announced the plan.', 'The former minister announced the plan.'],
  ['All members voted for the bill.', 'Most members voted for the bill.'],
  ['Ada voted against the bill.', 'Ada voted for the bill.'],
  ['Ada completed the plan.', 'Ada failed to complete the plan.'],
  ['Ada is a painter.', 'Ada is a singer.'],
  ['Ada was a mother of three.', 'Ada was a mother of two.'],
  ['Ada is the champion.', 'Ada was the champion.'],
  ['Ada lives in Munich.', 'Ada lives in Leipzig.'],
  ['Ada lived in London in 1990.', 'Ada lived in Paris in 1990 and in London in 1995.'],
  ['The option is enabled.', 'The option is enabled if the flag is set.'],
  ['The company acquired Beta Corp.', 'Beta Corp acquired the company.'],
  ['The company denied the claim.', 'The company confirmed the claim.'],
  ['Alice defeated Bob and Carol defeated Dave.', 'Alice defeated Bob.', 'Dave defeated Carol.'],
  ['Ada was born in Paris and died in London.', 'Ada was born in London.', 'Ada died in Paris.'],
  ['The vaccine increases the risk.', 'The vaccine decreases the risk.'],
  ['Ada sued the publisher.', 'The publisher sued Ada.'],
  ['Ada became the first woman to win.', 'Ada became the second woman to win.'],
  ['Temperatures rose by 2 degrees before 1990.', 'Temperatures rose by 2 degrees after 1990.'],
  ['Only Ada attended.', 'Ada attended.'],
  [
    'The two sides signed the treaty in Berlin and ratified it in Paris.',
    'The two sides signed the treaty in Paris.',
    'The two sides ratified the treaty in Berlin.',
  ],
  ['Mike Tyson became champion in 1986.', 'Trevor Berbick lost to Mike Tyson in 1986.'],
  ['Apollo 11 landed on Mars.', 'Apollo 11 landed on the Moon.'],
  ['The method returns nothing.', 'The method returns a promise.'],
  ['Ada reportedly left.', 'Ada left.'],
  ['All patients recovered.', 'Not all patients recovered.'],
  ['Patients recovered.', 'Hardly any patients recovered.'],
  ['Patients die.', 'If untreated, patients die.'],
  ['The bridge collapsed.', 'The bridge nearly collapsed.'],
  ['Rust has a garbage collector.', 'Unlike Rust, Go has a garbage collector.'],
  ['The vaccine prevents infection.', 'It is a myth that the vaccine prevents infection.'],
  ['The vaccine prevents infection.', 'Whether the vaccine prevents infection is unclear.'],
  ['The reactor exploded.', 'Engineers feared the reactor exploded.'],
  ['Smoking reduces the risk.', 'Quitting smoking reduces the risk.'],
];

it.each(TRUE)('is told by its claims: %s', (sentence, ...claims) => {
  expect(untold(sentence, claims)).toBeNull();
});

it.each(FALSE)('is not told by its claims: %s', (sentence, ...claims) => {
  expect(untold(sentence, claims)).not.toBeNull();
});

it('names of the question are no answer to it', () => {
  const question = groundOf('Is Jane Doe or John Smith the director of Wren?');
  expect(untold('John Smith is the director.', ['Jane Doe is the director.'], question)).toMatchObject({ kind: 'name' });
  expect(untold('Jane Doe is the director of Wren.', ['Jane Doe is the director.'], question)).toBeNull();
});
