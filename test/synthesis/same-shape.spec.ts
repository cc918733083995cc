import { readingOf } from '@lib/language/reading/read-text';
import type { Remark } from '@lib/synthesis/same-point/remark';
import { remarkOn } from './remark-on';
import { reported, synthesisOf } from './steps';

const disputesBetween = (one: string, other: string): boolean =>
  synthesisOf(reported('provider-a', one, []), reported('provider-b', other, [])).claims.some(
    ({ contradicting }) => contradicting.length > 0,
  );

describe('sentences of one shape about different things', () => {
  it.each<[string, string]>([
    ['The agency approved the drug Tolin for asthma in 2021.', 'The agency approved the drug Fenol for asthma in 2023.'],
    ['The agency approved the drug Tolin for asthma in 2021.', 'The agency approved the drug Tolin for migraine in 2023.'],
    ['The agency approved the drug Tolin for asthma in 2021.', 'The agency approved the drug Tolin in children in 2023.'],
    ['The 1500 dead were buried in the cemetery of Kelm.', 'The 1503 dead were buried in the cemetery of Kelm.'],
    ['The band released the album Kelm in 1957.', 'The band released the album Ulm in 1960.'],
    ['The company opened the battery plant in Tolm in 2013.', 'The company opened the engine plant in Tolm in 2016.'],
    ['The company opened the battery plant in Tolm in 2013.', 'The company opened the battery plant in Orsk in 2016.'],
    ['The court overturned the tariff law in 2013.', 'The court overturned the voting law in 2016.'],
    ['The club signed Holt from Kelm in 2017.', 'The club signed Fenn from Kelm in 2015.'],
    ['The reactor Kelm 1 was shut down in 2011.', 'The reactor Kelm 2 was shut down in 2023.'],
    ['Version 3.11 was released in October 2022.', 'Version 3.12 was released in October 2023.'],
    ['Parliament passed the budget in 2022.', 'Parliament passed the pension reform in 2022.'],
    ['The airline launched flights to Kelm in 2017.', 'The airline launched flights to Ulm in 2017.'],
    ['The charity built a school in Kelm in 2011.', 'The charity built a school in Ulm in 2011.'],
    ['The agency approved the vaccine from Kelm on 11 December 2020.', 'The agency approved the vaccine from Ulm on 11 December 2020.'],
    [
      'The study found that beetroot juice lowers blood pressure by 4 mmHg.',
      'The study found that hibiscus tea lowers blood pressure by 7 mmHg.',
    ],
    ['Systems below 10 kW earn 12 cents per kilowatt-hour.', 'Systems above 100 kW earn 5 cents per kilowatt-hour.'],
    ['The 1952 act limited holdings to 80 hectares.', 'The 1971 act limited holdings to 25 hectares.'],
  ])('are not disputed: %s', (one, other) => {
    expect(disputesBetween(one, other)).toBe(false);
    expect(disputesBetween(other, one)).toBe(false);
  });

  it.each<[string, string]>([
    ['Kelm Steel was founded in Ulm in 1931.', 'Kelm Steel was founded in Tolm in 1927.'],
    ['Ada Fenn died in Kelm in 1922.', 'Ada Fenn died in Ulm in 1924.'],
    ['The agency launched Tolin from Kelm in 2011.', 'The agency launched Tolin from Ulm in 2021.'],
    ['The agency approved Tolin in 2021.', 'The agency approved Tolin in 2023.'],
    ['The hall for 1,000 guests was opened in 1931.', 'The hall for 1000 guests was opened in 1927.'],
    ['The court overturned the tariff law in 2013.', 'The court overturned the tariff law in 2016.'],
  ])('are disputed where the thing is the same: %s', (one, other) => {
    expect(disputesBetween(one, other)).toBe(true);
    expect(disputesBetween(other, one)).toBe(true);
  });

  it.each<[string, string]>([
    ['On Linux the installer weighs 38 megabytes.', 'On Windows the installer weighs 112 megabytes.'],
    ['Line 1 opened in 1974.', 'Line 3 opened in 1991.'],
    ['The first phase has eight stations.', 'The second phase has five stations.'],
    ['The starting dose is 5 mg a day.', 'The maintenance dose is 20 mg a day.'],
    ['The group paid 410 million euros for the Danish brewer.', 'The group paid 95 million euros for the Latvian brewer.'],
    ['Outdoors her best is 2.04 metres.', 'Indoors her best is 2.06 metres.'],
    ['The team lost the cup final.', 'The team won the league final.'],
    ['The road of Kelm suffers in summer heat.', 'The road of Kelm suffers in winter cold.'],
    ['Guests pay 40 crowns in summer.', 'Guests pay 40 crowns in winter.'],
    ['The program of Kelm works on old phones.', 'The program of Kelm works on new phones.'],
    ['The train to Kelm stops at platform 3.', 'The train to Kelm stops at platform 5.'],
    ['The law of Kelm covers part 2 of the code.', 'The law of Kelm covers part 3 of the code.'],
    ['The trams of line 7 were built by Kelm.', 'The trams of line 12 were built by Ulm.'],
    ['Net profit was 13.8 billion crowns.', 'Operating profit was 18.7 billion crowns.'],
    ['Holt lost the 2008 final to Fenn in five sets.', 'In 2019 Holt lost the final to Ulm after two points.'],
  ])('are not told apart: %s', (one, other) => {
    for (const remark of [remarkOn(one, other), remarkOn(other, one)])
      expect(remark ?? 'nothing').toMatch(/^(?:nothing|same|figures in common|other names)/);
  });

  it.each<[string, string, string]>([
    ['Kelm has 97 confirmed moons.', 'Kelm has 95 recognized moons.', 'How many moons does Kelm have?'],
    ['Leave at least 4 hours between doses.', 'Allow at least 6 hours between doses.', ''],
    ['The installer weighs 38 megabytes on Linux.', 'On Linux the installer weighs 112 megabytes.', ''],
    ['Guests pay 40 crowns a week.', 'Guests pay 40 crowns a month.', ''],
    ['A public relief fund collected £86,000 for the survivors.', 'Donations to the relief fund came to £31,500.', ''],
  ])('are told apart where the thing is the same: %s', (one, other, asked) => {
    expect(remarkOn(one, other, asked)).toBe('figures differ');
    expect(remarkOn(other, one, asked)).toBe('figures differ');
  });
});

describe('sentences of one shape about one thing', () => {
  it.each<[Remark, string, string]>([
    [
      'dates differ',
      'On 10 August 2023 Kelm moved Tolin from the old to the new licence 1.0.',
      'On 12 June 2022 Kelm moved Tolin from the old to the new licence 1.1.',
    ],
    [
      'dates differ',
      'On 10 August 2023 Kelm moved Tolin to the new licence, which restricts competing offerings.',
      'In August 2022 Kelm moved Tolin to the new licence 1.1.',
    ],
    [
      'opposite words',
      'In June 2010 a court of Kelm convicted seven officials of the mill, who were bailed, of causing death.',
      'On 7 June 2010 a court of Kelm acquitted seven managers of the mill of causing death.',
    ],
    ['figures differ', 'The pool of Kelm opens at 7:30.', 'The pool of Kelm opens at 8:30.'],
    ['figures differ', 'Ada Kelm has two daughters.', 'Ada Kelm has three daughters.'],
    ['dates differ', 'The festival of Kelm takes place in May.', 'The festival of Kelm takes place in September.'],
    ['opposite words', 'The race of Kelm starts in spring.', 'The race of Kelm starts in autumn.'],
  ])('have %s: %s', (remark, one, other) => {
    expect([remarkOn(one, other), remarkOn(other, one)]).toEqual([remark, remark]);
  });
});

it('a doer is not what is told of', () => {
  const [one, other] = ['The company was founded in 1932 by Otto Kelm.', 'The company was founded in 1934 by Ada Fenn.'];
  expect([remarkOn(one, other), remarkOn(other, one)]).toEqual(['dates differ', 'dates differ']);
});

describe('a number before a single thing', () => {
  it.each(['The 1952 act limited holdings.', 'They sank in the 2008 crisis.', 'Its 2019 edition was the last.'])(
    'is a year: %s',
    (text) => {
      expect(readingOf(text).dates).toHaveLength(1);
    },
  );

  it.each([
    'The 1200 employees stayed.',
    'They built a 2000 seat hall.',
    'She won the 1500 metre race.',
    'The 2000 people left.',
    'The 1203 dead were buried.',
    'Its 1500 aircraft were sold.',
  ])('is none: %s', (text) => {
    expect(readingOf(text).dates).toHaveLength(0);
  });
});
