import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

function sharedBy(one: string, other: string, query = 'What is known?'): string[] {
  const steps = [reported('provider-a', one, ['https://0.example/1']), reported('provider-b', other, ['https://1.example/1'])];
  const { claims } = synthesize({ query, mode: 'fast', tier: 'L', steps });
  return claims.filter(({ supporting }) => supporting.length > 1).map(({ claim, confidence }) => `${confidence}: ${claim}`);
}

function textsOf(one: string, other: string): string[] {
  const steps = [one, other].map((text, at) =>
    reported(at === 0 ? 'provider-a' : 'provider-b', `${text} [1].`, [`https://${String(at)}.example/1`]),
  );
  return synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps })
    .claims.map(({ claim }) => claim)
    .sort();
}

it('a share is not told by a count of the same number', () => {
  const banks = 'Six banks offer a fixed rate to new customers. Diversification matters a great deal.';
  expect(sharedBy('- Your rate is above 6% [1].', banks)).toEqual([]);
});

it('what leaves its verb out is told by no sentence that has its numbers', () => {
  const smoker = 'If you smoke, you would benefit in ten years. In two years you would not [1].';
  const bleeding =
    'For a typical 58-year-old man without risk factors, the absolute chance of a serious bleed is low, roughly 1–2 per 1,000 per year [1].';
  expect(sharedBy(smoker, bleeding, 'I am 58 with no heart disease. Should I take a daily aspirin?')).toEqual([]);
});

it('a fall is not told by naming half of the fall', () => {
  const rate =
    'Policy cut the rate by more than 80% between 2004 and 2012, it rose again to 2021, and it has since fallen by more than half [1].';
  const causes =
    'Cheaper commodities helped also, so that economists ascribe perhaps half of the fall to policy rather than prices, with considerable uncertainty [1].';
  expect(sharedBy(rate, causes, 'How badly has the Amazon been deforested since 1988, what drives it and what has slowed it?')).toEqual([]);
});

it('what follows from one condition is not told by what follows from another', () => {
  const energy = 'If the laws do not change over time, energy is conserved [1].';
  const both =
    'If the laws don’t change with time, momentum is conserved; if they are the same everywhere in space, energy is conserved [1].';
  expect(sharedBy(energy, both)).toEqual([]);
  const exchanged =
    'If the laws don’t change with time, energy is conserved; if they are the same everywhere in space, momentum is conserved [1].';
  expect(sharedBy(energy, exchanged)).toEqual(['high: If the laws do not change over time, energy is conserved.']);
});

it.each([
  [
    'a fine of another',
    'Apple was fined €500 million',
    'On 23 April 2025 the Commission fined Meta €500 million over its consent model and Apple €200 million over rules in its store',
    'What does the Digital Markets Act require?',
  ],
  [
    'what only should be',
    'Farmland birds must recover too',
    'Farmland bird numbers should also recover, with index targets for 2030, 2040 and 2050',
    'What does the nature law say?',
  ],
  [
    'what is only reported',
    'Theranos voided two years of Edison results',
    'Theranos is reported to have voided two years of Edison results',
    'How did Theranos fall?',
  ],
])('%s does not make two agree', (_, one, other, query) => {
  expect(sharedBy(`${one} [1].`, `${other} [1].`, query)).toEqual([]);
  expect(sharedBy(`${other} [1].`, `${one} [1].`, query)).toEqual([]);
});

it('the year of a label is not put before what happened in another', () => {
  const label = '- **2018:** Meilisearch was founded in Paris. It reached 1.0 in February 2023 [1].\n- **2010:** Solr was released [1].';
  const claims = textsOf(label, 'Meilisearch, developed in Rust by a French company founded in 2018, reached version 1.0 in February 2023');
  expect(claims).toContain('[Meilisearch] reached 1.0 in February 2023.');
  expect(claims).toContain('[2018:] Meilisearch was founded in Paris.');
});

describe('what one report says with a reservation that the other does not make', () => {
  it.each([
    [
      'According to its maker, the Vento pump uses 40 % less electricity than older models',
      'The Vento pump uses 40 % less electricity than older models',
    ],
    ['Critics claim that the Kelm Act doubled the cost of flats in Graz', 'The Kelm Act doubled the cost of flats in Graz'],
    ['A rumour that Karl Weil left the club of Ulm in 2012 spread', 'Karl Weil left the club of Ulm in 2012'],
    ['The court rejected the argument that the Kelm Bank hid losses of 40 million euros', 'The Kelm Bank hid losses of 40 million euros'],
    ['Early reports said that the Orsk flood killed 45 people', 'The Orsk flood killed 45 people'],
    ['The council doubts that the Sund dam holds 18 million cubic metres of water', 'The Sund dam holds 18 million cubic metres of water'],
    ['If ratified, the Sund Treaty ends all fishing in the outer bay', 'The Sund Treaty ends all fishing in the outer bay'],
    ['The Kelm line was to open in 2021 with nine stations', 'The Kelm line opened in 2021 with nine stations'],
    ['In mice, Zelin halved the number of tumours within six weeks', 'Zelin halved the number of tumours within six weeks'],
    ['Part of the Kelm archive was destroyed by fire in 1944', 'The Kelm archive was destroyed by fire in 1944'],
    ['Only members of the union may vote in the Kelm election', 'Members of the union may vote in the Kelm election'],
    ['Almost all beeches of the Sund forest survived the drought of 2018', 'All beeches of the Sund forest survived the drought of 2018'],
    ['Lena Brandt is considered the first film star of Norland', 'Lena Brandt was the first film star of Norland'],
    [
      'Lena Brandt is perhaps best known for her role as Orla in the Sund films',
      'Lena Brandt is best known for her role as Orla in the Sund films',
    ],
    ['Lena Brandt was the first Norlandic woman to climb Mount Orsk', 'Lena Brandt was the first woman to climb Mount Orsk'],
    ['Analysts are divided, as six hold the share and two sell', 'Hold, if you own it'],
  ])('is not what both say: %s', (one, other) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([]);
    expect(sharedBy(`${other} [1].`, `${one} [1].`)).toEqual([]);
  });

  it.each([
    ['Karl Weil, who says that he is shy, left the club of Ulm in 2012', 'Karl Weil left the club of Ulm in 2012'],
    ['Karl Weil left the club of Ulm in 2012, and critics said that he was slow', 'Karl Weil left the club of Ulm in 2012'],
  ])('may be said where the reservation is about something else: %s', (one, other) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`).map((claim) => claim.replace(/^\w+: /, ''))).toContain(`${other}.`);
  });
});

it.each([
  ['If you have no emergency fund, do neither yet', 'Prepayment is the better choice for most households with a full emergency fund'],
  ['If you have no kidney disease, do neither yet', 'Dialysis is the better choice for most patients with severe kidney disease'],
])('what is said under a condition alone is not told by a sentence about that: %s', (one, other) => {
  expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([]);
  expect(sharedBy(`${one} [1].`, `${one} [1].`)).toHaveLength(1);
});

it('a year of what somebody did before is not the year of what both tell of', () => {
  const [one, other] = [
    'The Comets were coached by Karl Weil, who had joined Ulm in 2011 [1].',
    'Karl Weil coached the Comets from 2011 [1].',
  ];
  for (const said of [sharedBy(one, other), sharedBy(other, one)]) expect(said).toEqual([expect.not.stringContaining('2011')]);
});

it('who is of one nation and who is of two share what else they are', () => {
  const one = 'Koen Visser is a Norlandic-American singer, songwriter and guitarist born in 1979 in Ulm, Norlandic Republic [1].';
  const other = 'Koen Visser is a Norlandic singer and songwriter who rose to fame as part of the group Sund [1].';
  for (const said of [sharedBy(one, other), sharedBy(other, one)]) expect(said.join()).not.toContain('Norlandic singer');
});

it.each(['shares fell by 9 % in 2024', 'side effects are nausea and diarrhoea', 'mayor is Ada Roth', 'widely used and supports JSON'])(
  'what two reports say behind headings of their own is said of two things: %s',
  (said) => {
    expect(sharedBy(`- **Tesla**: ${said} [1]`, `- **Ford**: ${said} [1]`)).toEqual([]);
  },
);

it('who is married to a sprinter and who to a former one are married to the same man', () => {
  const one =
    'Ada Roth won in Ulm in 2019 [1]. Roth studied nursing in Graz [1]. She is married to the sprinter Koen Visser, and they have a child [1].';
  const other = 'Ada Roth is married to Koen Visser, a former sprinter [1]. She is a runner [1].';
  const question = 'Who is the distance runner Ada Roth and what has she achieved?';
  for (const said of [sharedBy(one, other, question), sharedBy(other, one, question)])
    expect(said).toEqual(['high: Ada Roth is married to Koen Visser.']);
});

describe('what one report says of somebody whom it introduces', () => {
  it.each([
    ['Ada Roth, a lawyer from Ulm, won the vote of 1990', 'Ada Roth won the vote of 1990', 'Ada Roth won the vote of 1990.'],
    [
      'Ada Roth, whose father was a miner in Kelm, became a teacher',
      'Ada Roth was a miner in Kelm and became a teacher',
      '[Ada Roth] became a teacher.',
    ],
  ])('is of her and not of what the introduction ends with: %s', (one, other, said) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([`high: ${said}`]);
  });
});

describe('what one report says of one thing and the other of another', () => {
  it.each([
    ['Ada Roth won gold in Ulm and silver in Graz', 'Ada Roth won silver in Ulm and gold in Graz', /gold in|silver in/],
    [
      'Roth played for Kelm from 1990 to 1994 and for Sund from 1994 to 1999',
      'Roth played for Sund from 1990 to 1994 and for Kelm from 1994 to 1999',
      /19/,
    ],
    ['Ada Roth studied law in Ulm and taught history in Graz', 'Ada Roth studied history in Ulm and taught law in Graz', /studied|taught/],
    [
      'Ada Roth directed Sund, Kelm and The Mill and produced The Bridge',
      'Ada Roth directed The Bridge and produced Sund, Kelm and The Mill',
      /./,
    ],
    ['Ada Roth wrote and directed the play Sund in 1999', 'Ada Roth wrote the play Sund, which Karl Weil directed in 1999', /directed/],
    ['Ada Roth has two sons and a daughter with Karl Weil', 'Ada Roth has two daughters and a son with Karl Weil', /./],
    ['Ada Roth wrote for the Graz Post for ten years', 'Ada Roth wrote for the Graz Evening Post for ten years', /Post/],
    ['Ada Roth won the Junior World Championship of judo in 1988', 'Ada Roth won the World Championship of judo in 1988', /./],
    [
      'Ada Roth was succeeded as coach of Kelm by Lena Brandt in 2009',
      'Ada Roth succeeded Lena Brandt as coach of Kelm in 2009',
      /succeeded/,
    ],
    ['Kelm is the largest city of Norland', 'Kelm is the second-largest city of Norland', /./],
    ['The Kelm Bank bought the Sund Bank in 1990', 'The Sund Bank bought the Kelm Bank in 1990', /./],
    ['Ada Roth, whose father was a miner in Kelm, became a teacher', 'Ada Roth was a miner in Kelm and became a teacher', /miner/],
    ['Ada Roth founded the bank of Kelm', 'Ada Roth studied law in Ulm; her brother was the founder of the bank of Kelm', /./],
    ['Ada Roth founded the Kelm Bank in 1990', 'The brother of Ada Roth founded the Kelm Bank in 1990', /./],
    ['Karl Roth joined Kelm in 1990 with his son', 'Karl Roth’s son joined Kelm in 1990', /./],
    ['Ada Roth’s teacher was Karl Weil of Ulm', 'Ada Roth was the teacher of Karl Weil of Ulm', /./],
    ['Kelm Systems acquired Sund Industries in 1990', 'The acquisition of Kelm Systems by Sund Industries was in 1990', /./],
    ['The general was killed in the battle of Kelm in 1944', 'The general killed 40 men in the battle of Kelm in 1944', /./],
    ['Ada Roth was awarded the Kelm Prize in 1911', 'Ada Roth awarded the Kelm Prize in 1911', /./],
    ['Ada Roth, succeeded by Lena Brandt in 2009, coached Kelm', 'Ada Roth, who succeeded Lena Brandt in 2009, coached Kelm', /succeeded/],
    ['The Kelm Pump was replaced in 1958 with the Sund Turbine', 'The Sund Turbine was replaced in 1958 with the Kelm Pump', /with/],
    ['Foxes eat mice and herons eat frogs', 'Foxes eat frogs and herons eat mice', /./],
    ['Foxes can eat hens', 'Hens can eat foxes', /./],
    ['Norland exports timber to Graz', 'Graz exports timber to Norland', /./],
    ['Norland imports timber from Graz', 'Graz imports timber from Norland', /./],
    ['Redis stores sessions in memory', 'Memory stores sessions in Redis', /./],
    ['Foxes have eaten hens', 'Hens have eaten foxes', /./],
    ['Norland may sell engines to Graz', 'Graz may sell engines to Norland', /./],
    ['The virus spreads from bats to pigs', 'The virus spreads from pigs to bats', /./],
    ['The enzyme amylase converts starch into sugar', 'The enzyme amylase converts sugar into starch', /./],
    ['Ada Roth wrote, produced and starred in Sund', 'Ada Roth wrote and produced Kelm and starred in Sund', /./],
  ])('is not what both say: %s', (one, other, wrong) => {
    const shared = [...sharedBy(`${one} [1].`, `${other} [1].`), ...sharedBy(`${other} [1].`, `${one} [1].`)];
    expect(shared.filter((claim) => wrong.test(claim))).toEqual([]);
  });

  it.each([
    ['Alexander Fleming discovered penicillin in London in 1928', 'Penicillin was discovered by Alexander Fleming in London in 1928'],
    ['William Shakespeare wrote Hamlet around 1600', 'Hamlet was written by William Shakespeare around 1600'],
    ['Congress ordered the FDA to ban trans fats in 2015', 'The FDA was ordered by Congress to ban trans fats in 2015'],
    ['PostgreSQL 16 added logical replication from standby servers', 'Logical replication from standby servers was added in PostgreSQL 16'],
    ['Ada Roth wrote and directed the play Sund in 1999', 'Ada Roth wrote and directed the play Sund in 1999, her first'],
    ['Ada Roth won the contest of Kelm in 1990', 'Ada Roth won the sixth contest of Kelm in 1990'],
    ['The film Sund was released in 1999 in Kelm', 'The film Sund released in 1999 in Kelm'],
  ])('is one thing in the active and the passive: %s', (one, other) => {
    for (const shared of [sharedBy(`${one} [1].`, `${other} [1].`), sharedBy(`${other} [1].`, `${one} [1].`)]) {
      expect(shared).toEqual([expect.stringMatching(/1928\.$|1600\.$|2015\.$|servers\.$|PostgreSQL 16\.$|1999\.$|in Kelm\.$|1990\.$/)]);
    }
  });

  it.each([
    ['Lake Orsk lies in the north of Norland. The lake is 40 km long', 'Lake Sund lies in the south of Kelmia. The lake is 40 km long'],
    ['Tern was written by Lena Brandt. The library has 12 modules', 'Corvid was written by Karl Weil. The library has 12 modules'],
    ['Graz won the semi-final. The match was decided by a penalty', 'Ulm won the final. The match was decided by a penalty'],
  ])('is not what both say where the sentences before name different things: %s', (one, other) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([]);
  });
});

describe('what names nothing', () => {
  it.each([
    ['The vote in the end was 5 to 2', 'The vote in the end was 5 to 2, late at night'],
    ['There was no increase in deaths by fire', 'There was no increase in deaths by fire'],
    ['Two people were killed by the fire', 'Two people were killed by the fire'],
  ])('is of one provider alone where nothing stands before it, and of low confidence behind it: %s', (one, other) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([]);
    expect(
      sharedBy(`Kelm was on fire in May 2009 [1]. ${one} [1].`, `In May 2009 there was a fire in Kelm [1]. ${other} [1].`),
    ).toContainEqual(expect.stringMatching(`^low: \\[[^\\]]+ in May 2009\\.\\] ${one}\\.$|^low: \\[In May 2009 .+\\] ${one}\\.$`));
  });

  it.each([
    ['History of Enron', 'high: The company filed for bankruptcy in December 2001.'],
    ['Chernobyl', 'high: The reactor exploded on 26 April 1986.'],
    ['What sank the Titanic?', 'low: The ship carried 2,224 people.'],
  ])('is of what the question asks about where nothing else is named: %s', (query, shared) => {
    const report = shared.replace(/^\w+: /, '').replace(/\.$/, ' [1].');
    expect(sharedBy(report, report, query)).toEqual([shared]);
    expect(sharedBy(report, report, `${query.replace('?', '')} and Corvid?`)).toEqual([]);
  });

  it('keeps all that say it where it is disputed', () => {
    const [one, other] = ['The tax is mandatory for all foreign firms [1].', 'The tax is voluntary for all foreign firms [1].'];
    const steps = (['provider-a', 'provider-b', 'provider-c'] as const).map((provider, at) =>
      reported(provider, at === 1 ? other : one, [`https://${String(at)}.example/1`]),
    );
    const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
    expect(claims.map(({ supporting, contradicting }) => supporting.length + contradicting.length)).toEqual([3, 3]);
  });

  it('stands behind all that its report says since it named something', () => {
    const report = 'The schools of Ulm were built in 1950. It has a garden with 40 trees. The main block has a roof of slate [1].';
    expect(sharedBy(report, report)).toContain(
      'high: [The schools of Ulm were built in 1950. It has a garden with 40 trees.] The main block has a roof of slate.',
    );
  });

  it.each([
    ['About 45 died in the Orsk flood of 1953'],
    ['Over 300 were killed when the Kelm dam burst in 1953'],
    ['Germany beat Argentina when the two met in the final of 2014'],
    ['Ada Roth said ‘my father was a miner’ in Kelm in 1990'],
  ])('is not that which tells its event by name: %s', (sentence) => {
    expect(sharedBy(`${sentence} [1].`, `${sentence} [1].`)).toEqual([expect.stringMatching(/(?:1953|2014|1990)\.$/)]);
  });

  it('is not what has a word of the question', () => {
    const question = 'Which animals have several hearts?';
    expect(sharedBy('The octopus has three hearts [1].', 'The octopus has three hearts [1].', question)).toEqual([
      expect.stringMatching(/^(?:medium|high): The octopus/),
    ]);
  });

  it.each([
    ', and is the founder of the mill of Ulm',
    '(later renamed Mechano Works of Ulm, which was sold)',
    'Owing to my ignorance of Zend, the book on Ulm is second hand',
    'Over 200 are retired each year by a charity of Ulm',
    'After some years in Ulm, the two were married in 1931',
  ])('is no claim of several: %s', (sentence) => {
    expect(sharedBy(`${sentence} [1].`, `${sentence} [1].`)).toEqual([]);
  });
});

it.each([
  ['In 2019 Veritas was acquired by Norvane Pharma', 'Norvane Pharma was acquired by Veritas in 2019'],
  ['In 1931 Norland was invaded by Sundland', 'In 1931 Sundland was invaded by Norland'],
  ['The managing director of Sund Bank was Karl Weil', 'The managing director of Sund Bank is Karl Weil'],
  ['The largest producer of lithium was Chile', 'The largest producer of lithium is Chile'],
  ['Fulda is the oldest city in the valley', 'Saint Ann is the oldest church in the city of Fulda in the valley'],
  ['The co-author of the paper is Ada Roth', 'The author of the paper is Ada Roth'],
])('is kept apart, and both are shown: %s / %s', (one, other) => {
  expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([]);
  expect(textsOf(one, other)).toEqual([`${one}.`, `${other}.`].sort());
});

describe('what a verb has behind it in one report, and another verb in the other', () => {
  it.each([
    ['The Kelm fossil weighed 3 kg and carried 22 kg of stone', 'The Kelm fossil weighed 22 kg'],
    ['The Kelm fossil measured over 1 metre and had a 22 cm skull', 'The Kelm fossil had a 1 metre skull'],
    ['The Ulm delegates refused to fly the flag but joined the parade', 'The Ulm delegates refused to join the parade'],
    ['The Ulm delegates agreed to leave, and refused to join the parade', 'The Ulm delegates agreed to join the parade'],
    ['Karl Weil promised to sell the mill and decided to leave Ulm', 'Karl Weil promised to leave Ulm'],
  ])('is not the same: %s', (one, other) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`).map((claim) => claim.replace(/^\w+: /, ''))).not.toContain(`${other}.`);
  });

  it.each([
    ['In a report on 22 sites, the Kelm fossil weighed an estimated 22 kg', 'The Kelm fossil weighed 22 kg'],
    ['The Ulm delegates refused to pay or join the parade', 'The Ulm delegates refused to join the parade'],
    ['The Ulm delegates refused to pay and to join the parade', 'The Ulm delegates refused to join the parade'],
    ['Shot down in 1944, the Kelm aircraft carried 22 tanks', 'The Kelm aircraft carried 22 tanks'],
  ])('is the same where it is: %s', (one, other) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`).map((claim) => claim.replace(/^\w+: /, ''))).toContain(`${other}.`);
  });
});

it('a sentence of which a part contradicts a claim does not say it', () => {
  const sentence = 'The Kelm bridge is 22 metres wide and has a length of 300 metres';
  expect(sharedBy(`${sentence} [1].`, 'The Kelm bridge is 300 metres wide [1].')).toEqual([]);
});

describe('the same figures told of something else', () => {
  it.each([
    [
      'Sund weavers earned 36 shillings a week for 72 hours of work',
      'Sund weavers earned 36 shillings a month for 72 hours of work a week',
    ],
    ['The Sund mill makes 400 tonnes of wire per day', 'The Sund mill makes 400 tonnes of wire per year, and sells them by the day'],
    [
      'Under the treaty of 3 September 1714 Almere paid Vestria 40,000 crowns',
      'By the treaty of September 3, 1714 Vestria had to pay Almere 40,000 crowns',
    ],
  ])('%s', (one, other) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([]);
    expect(sharedBy(`${other} [1].`, `${one} [1].`)).toEqual([]);
  });

  it('what a court ordered is not told without what it ordered', () => {
    const [one, other] = ['the court ordered Kessler to pay Marsh $640,000', 'Marsh was ordered by the court to pay Kessler $640,000'];
    expect(sharedBy(`On 8 March 2022 ${one} [1].`, `On 8 March 2022 ${other} [1].`)).toEqual([]);
    expect(sharedBy(`On 8 March 2022 ${one} [1].`, `On 8 March 2022 ${one} in cash [1].`)).toHaveLength(1);
  });

  it.each([
    'Kelm pays $500 a week to drivers and $500 a month to guards',
    'Rent at Kelm was 40 crowns a month in 1900 and 40 crowns a week in 1920',
    'Kelm took in 40 crowns per annum from 12 mills',
  ])('but a copy tells what it is a copy of: %s', (sentence) => {
    expect(sharedBy(`${sentence} [1].`, `${sentence} [1].`)).toEqual([`high: ${sentence}.`]);
  });

  it.each([
    ['The Kelm theatre has 400 seats', ' and a second stage', ' with a large garden'],
    ['The Kelm inn opened with 400 rooms', ' and a second restaurant', ' for pilgrims'],
    ['Kelm paid 400 crowns', ' and opened every day', ' with a smile'],
    ['In 1990 the Kelm police force moved its school', ' to larger barracks near Orsk', ' after a fire'],
  ])('nor does a word that only looks like it keep apart what both tell: %s', (both, one, other) => {
    expect(sharedBy(`${both}${one} [1].`, `${both}${other} [1].`)).toEqual([`high: ${both}.`]);
  });
});

it('two of the three foremost things are not the foremost, and a title with its year states nothing', () => {
  const [two, three] = [
    'Nausea and constipation were the most common side effects of Zelin',
    'The most common side effects of Zelin were nausea, constipation and fatigue',
  ];
  expect(sharedBy(`${three} [1].`, `${two} [1].`)).toEqual([]);
  expect(sharedBy(`${three} [1].`, 'Nausea, constipation and fatigue were the most common side effects of Zelin [1].')).toHaveLength(1);
  expect(
    sharedBy('Nausea, constipation and fatigue were side effects of Zelin [1].', 'Nausea and constipation were side effects of Zelin [1].'),
  ).toHaveLength(1);
  const decided = 'Hartwell v. Meridian Airlines Corp. was a case decided by the Supreme Court of Columbia on June 14, 2016 [1].';
  expect(sharedBy(decided, '**Case:** Hartwell v. Meridian Airlines (2016)')).toEqual([]);
});

it.each([
  ['Anna Roth preferred work to play in Kelm', 'Anna Roth preferred play to work in Kelm'],
  ['The ratio of debt to cash at Kelm rose in 2024', 'The ratio of cash to debt at Kelm rose in 2024'],
  ['Norland shifted from cash to credit in 2024', 'Norland shifted from credit to cash in 2024'],
])('what stands on the two sides of “to” is exchanged: %s', (one, other) => {
  expect(sharedBy(`${one} [1].`, `${other} [1].`).filter((claim) => / (?:work|debt|cash) to /.test(claim))).toEqual([]);
});

it('joins no part of an answer, which says nothing without its question, with a sentence that has its words', () => {
  const sentence = 'The offshore wind vessel business lost €19 million because two customers cancelled their orders [1].';
  const answer =
    'In vessels for offshore wind. Two clients walked away from their contracts, and a loss of €19 million was the result [1].';
  expect(sharedBy(sentence, `### Where did money get lost?\n\n${answer}`, 'How did Norvanta do?')).toEqual([]);
});

it('takes who is called the owner for it, and not who is named before', () => {
  const one = 'BP owned the rig and supplied most of its crew [1].';
  const other =
    'Judge Barbier apportioned the fault: BP, the operator, 67 per cent; Transocean, the rig’s owner, 30 per cent; Halliburton, which supplied most of the cement, 3 per cent [1].';
  expect(sharedBy(one, other, 'What happened to the rig of BP?')).toEqual([]);
});
