import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

/** The claims that two reports are said to agree on, whichever of them comes first. */
function sharedBy(one: string, other: string, query = 'What is known?'): string[] {
  return [
    [one, other],
    [other, one],
  ].flatMap((reports) => {
    const steps = reports.map((text, at) => reported(at === 0 ? 'provider-a' : 'provider-b', `${text}.`, []));
    const { claims } = synthesize({ query, mode: 'fast', tier: 'L', steps });
    return claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
  });
}

describe('the same words tied to each other in another way', () => {
  it.each<[why: string, one: string, other: string]>([
    [
      'doer',
      'The tenor Luigi Ferro sang the role of the keeper at the Lyon premiere, because the bass Oskar Brandt was ill',
      'At the Lyon premiere, the role of the keeper was sung by the bass Oskar Brandt',
    ],
    ['order of a list', 'In order of cost the list is solar, wind and coal', 'In order of cost the list is coal, wind and solar'],
    ['owner', "Kelm's members approved the merger with Ulm in July", "Ulm's members approved the merger with Kelm in July"],
    [
      'object',
      'The report blames the pilot for ignoring orders from the tower',
      'The report blames the tower for ignoring orders from the pilot',
    ],
    ['restriction', 'Most of the drivers who sold their cars were under 40', 'Most of the drivers under 40 sold their cars'],
    ['restricted noun', 'The nurse who saw the patients fell ill in March', 'The nurse saw the patients who fell ill in March'],
    ['restricting deed', 'Of the children whom the test flags, 85 % are deaf', 'The test flags 85 % of the children who are deaf'],
    [
      'clause of a number',
      'They had been ill for six days before they took the drug',
      'They had taken the drug for six days before they fell ill',
    ],
    [
      'time of saying',
      'In 2019 the committee warned that Kelm would run out of water',
      'The committee warned that Kelm would run out of water in 2019',
    ],
    [
      'what is of what',
      'The act bans the sale of used tyres and the import of new boats',
      'The act bans the import of used tyres and the sale of new boats',
    ],
    [
      'modifier',
      "Kelm tested Norland's first electric ferry in a harbour tunnel",
      "Kelm tested Norland's first ferry in an electric harbour tunnel",
    ],
    ['compound', 'Sales of chocolate milk fell by 6 % in 2022', 'Sales of milk chocolate fell by 6 % in 2022'],
    [
      'half of a compound',
      'Kelm ordered a survey of hospital patients on staff pay',
      'Kelm ordered a survey of hospital staff on patient pay',
    ],
    [
      'place in a list',
      'Both Io and Europa were seen, and only the latter has a sea',
      'Both Europa and Io were seen, and only the latter has a sea',
    ],
    [
      'former of a list',
      'Both Io and Europa were seen, and the former has a sea',
      'Both Europa and Io were seen, and the former has a sea',
    ],
    [
      'respective items',
      'The old and the new bridge were built by Weil and Roth respectively',
      'The old and the new bridge were built by Roth and Weil respectively',
    ],
    ['ranked noun', 'Edda Lind was the second director of the glass museum', 'Edda Lind was director of the second glass museum'],
    ['ordinal', 'Tessan shipped its first small chips in 2025', 'Tessan was the first maker that shipped small chips in 2025'],
    ['denied verb', 'Roth did not say that Weil had read the letter', 'Roth said that Weil had not read the letter'],
    ['what is compared', 'Doctors trust the agency more than patients do', 'Doctors trust the agency more than they trust patients'],
    ['voice', 'In May the mayor refused permission to film the cells', 'In May the mayor was refused permission to film the cells'],
    ['agent', 'The Alder hall was designed by a pupil of Alva Renn in 1990', 'Alva Renn designed the Alder hall in 1990'],
    ['owned object', "The regulator fined the airline's agent in 2020", 'The regulator fined the airline in 2020'],
    ['compound of three', 'Revenue from the land sales tax fell in 2022', 'Revenue from tax land sales fell in 2022'],
    ['owners in turn', "The baths were used by the commander's soldiers in May", "The baths were used by the soldiers' commanders in May"],
    ['doer', 'The fee was raised in 2019 for the courts', 'The fee was raised in 2019 by the courts'],
    ['exception', 'Every region of Norland except Valmere collects land tax', 'Valmere collects land tax'],
    ['alternative', 'The satellite will be run either by the state or by a firm', 'The satellite will be run by a firm'],
    ['doer of what is wanted', 'Halloran wanted to direct the play in Kelm', 'Halloran wanted Pike to direct the play in Kelm'],
    [
      'gap',
      'Haas designed the east wing of the museum, and Imhof the doors of the west wing',
      'Haas designed the west wing of the museum, and Imhof the doors of the east wing',
    ],
    [
      'former thing',
      'A former manager of the paper mill in Halden advised the project',
      'A manager of the former paper mill in Halden advised the project',
    ],
    ['owner of the agent', 'England bought the Kelm bonds in 2020', 'The Kelm bonds were bought by the Bank of England in 2020'],
  ])('is another statement: %s', (_, one, other) => {
    const shared = sharedBy(one, other);
    expect(shared.filter((claim) => [`${one}.`, `${other}.`].includes(claim))).toEqual([]);
  });

  it.each<[what: string, one: string, other: string, wrong: RegExp]>([
    [
      'a part that both have',
      'The report blames the pilot for ignoring orders from the tower',
      'The report blames the tower for ignoring orders from the pilot',
      /pilot|tower/,
    ],
    [
      'one of two items',
      'The old and the new bridge were built by Weil and Roth respectively',
      'The old and the new bridge were built by Roth and Weil respectively',
      /built/,
    ],
    [
      'an amount without whose it is',
      'The court fined the three firms €90,000 each',
      'The three firms were fined €90,000 in total by the court',
      /90,000/,
    ],
    [
      'a word that restricts what follows',
      'In old houses the Norvale cap applies only to new leases of 2005',
      'The Norvale cap applies only to old houses of 2005',
      /only\.$/,
    ],
    ['a raise of something else', 'Pomelo raised $50 million from funds', 'Pomelo raised its provisions by $50 million', /50 million/],
    [
      'what somebody is of',
      'Ines Roth, a former colleague of Karl Weil, founded Kelm',
      'A former colleague of Ines Roth, Karl Weil, founded Ulm',
      /colleague\.$/,
    ],
    [
      'an object that the other only names',
      'The fault caused a collision with a freight train near Ulm',
      'The fault caused a freight train to stand near Ulm',
      /caused a freight train/,
    ],
    [
      'another currency',
      'The Tideway dock cost 90 million euros',
      'The Tideway dock cost 90 million kroner, or about 8 million euros',
      /90 million euros/,
    ],
    [
      'an object that is only aimed at',
      'Rangers shot the boar near the Kelm camp on 3 June',
      'Rangers shot at the boar near the Kelm camp on 3 June',
      /shot the boar/,
    ],
    [
      'one of two rates',
      'Beer and wine are taxed at five and nine percent respectively',
      'Wine is taxed at five percent, beer at nine',
      /Wine is taxed at five/,
    ],
    [
      'half of two nouns',
      'The meeting looked at a recent museum show about art theft',
      'The meeting looked at a recent theft of art from a museum',
      /recent theft\.$/,
    ],
    [
      'a cause without its reason',
      'Because of drought, the harvest of olives fell by 40 percent in Spain',
      'The harvest of olives fell by 40 percent in Spain because of drought',
      /because\.$/,
    ],
    [
      'a like adjective',
      'The Graz tramway is economical, using less energy than the buses',
      'The Graz tramway is economically important, since most shops depend on it',
      /economical/,
    ],
  ])('is no shared part: %s', (_, one, other, wrong) => {
    expect(sharedBy(one, other).filter((claim) => wrong.test(claim))).toEqual([]);
  });
});

describe('what one report says was done and the other that it was meant, asked, or made to be done', () => {
  it.each<[one: string, other: string]>([
    ['The union has asked the court to declare the cap void', 'The court has declared the cap void'],
    ['The directive allows member states to exempt small farms', 'Member states have exempted small farms'],
    ['When it was planned, the Sund dam was to supply two million homes', 'The Sund dam supplies two million homes'],
    ['Weil was going to emigrate to Brazil in 1939', 'Weil emigrated to Brazil in 1939'],
    ['Empress Thea was too ill to attend the council of 1091', 'Empress Thea attended the council of 1091'],
    ['In 2018 the house came within two votes of repealing the Kelm law', 'In 2018 the house repealed the Kelm law'],
    ['Alba Air is in talks with Corvus about sharing flights to Rome', 'Alba Air shares flights to Rome with Corvus'],
    ['The abbot had the painter sign the Lambach altar', 'The abbot signed the Lambach altar'],
    ['The two jets nearly collided on the runway at Sund', 'The two jets collided on the runway at Sund'],
    ['Kelm considered selling its ferry in 2020', 'Kelm sold its ferry in 2020'],
    ['It is conceivable that the sweetener harms the heart', 'The sweetener harms the heart'],
    ['Opponents maintain that the levy drove 300 firms out of Kelm', 'The levy drove 300 firms out of Kelm'],
    ['Readers have urged that the lexicon mark loanwords from English', 'The lexicon marks loanwords from English'],
    [
      'Critics of the screening argue that, because of its cost, it harms more women than men',
      'Because of its cost, the screening harms more women than men',
    ],
    ['The pilots asked the engineers whether to leave the engine off', 'The pilots asked the engineers to leave the engine off'],
    ['The shift stopped the pump to check the alarms', 'The shift stopped checking the alarms'],
    ['The pilgrims stopped to pray at the spring', 'The pilgrims stopped praying at the spring'],
    ['The court in Ulm heard a case in Sami in 2019', 'The court in Ulm hears cases in Sami'],
    [
      'The directive allows member states to exempt farms of less than five hectares',
      'Member states have exempted farms of less than five hectares',
    ],
    [
      'The abbot had the painter sign the Lambach altar before it was moved in 1490',
      'The abbot signed the Lambach altar before it was moved in 1490',
    ],
    ['Kelm considered closing the harbour in 2020', 'Kelm closed the harbour in 2020'],
  ])('is not said by both: %s', (one, other) => {
    expect(sharedBy(one, other).filter((claim) => [`${one}.`, `${other}.`].includes(claim))).toEqual([]);
  });

  it.each<[one: string, other: string]>([
    ['Kelm managed to repeal the law in 2018', 'Kelm repealed the law in 2018'],
    [
      'Courts can order banks and brokers to close old accounts in Kelm',
      'The Kelm office can ask courts to order banks and brokers to close old accounts in Kelm',
    ],
    ['Dow bought the plant in 2001 and denies inheriting any debt', 'Dow bought the plant in 2001 and denies having inherited any debt'],
    ['The deal gives Kelm access to 400 ports', 'The deal of 2023 gave Kelm access to 400 ports'],
  ])('is said by both where it was done, or may be in both: %s', (one, other) => {
    expect(sharedBy(one, other)).not.toEqual([]);
  });
});

describe('a name within another name', () => {
  it.each<[one: string, other: string]>([
    ["St Brann's Hospital will get 220 beds in 2028", "St Brann's Children's Hospital will get 220 beds in 2028"],
    ['The ombudsman ordered Harrow Homes to pay £4,200', 'The ombudsman ordered Harrow Road Homes to pay £4,200'],
    ['The Kestrel battery passed the nail test', 'The Kestrel Max battery passed the nail test'],
    ['The Bank of Nordhaven bought bonds worth 14 billion crowns', 'The Reserve Bank of Nordhaven bought bonds worth 14 billion crowns'],
  ])('is that of another thing: %s', (one, other) => {
    expect(sharedBy(one, other).filter((claim) => [`${one}.`, `${other}.`].includes(claim))).toEqual([]);
  });

  it('may be the same one with a word that names often lack', () => {
    expect(sharedBy('The Kelm Federal Court closed in 2010', 'The Kelm Court closed in 2010')).not.toEqual([]);
    expect(sharedBy('Chadwick Aaron Boseman was born in Kelm in 1976', 'Chadwick Boseman was born in Kelm in 1976')).not.toEqual([]);
    expect(
      sharedBy(
        'Denver International Airport opened in 1995 at a cost of $4.8 billion',
        'Denver Airport opened in 1995 at a cost of $4.8 billion',
      ),
    ).not.toEqual([]);
  });
});

it.each<[why: string, one: string, other: string]>([
  ['a date', 'Ada Roth died in Kelm on 28 August 2020', 'On 28 August 2020 Ada Roth died in Kelm'],
  ['a phrase', 'Ada Roth scored 41 points in Game 6', 'In Game 6 Ada Roth scored 41 points'],
  ['a list', 'Cheung and Shultz became critics of the firm', 'Shultz and Cheung became critics of the firm'],
  [
    'a list of several words each',
    'Lorries that carry toxic gas, explosives or fuel are banned from the Marlow Tunnel',
    'Lorries carrying fuel, explosives or toxic gas are banned from the Marlow Tunnel',
  ],
  ['a list behind a preposition', 'The law bans smoking in bars and halls in Ulm', 'In Ulm, the law bans smoking in halls and bars'],
  ['a relative clause', 'NICE recommended Sleepio in 2022', 'Sleepio, which NICE recommended in 2022, helps'],
  ['an identity', 'Kjeld Holm is the grandson of the founder', "The founder's grandson is Kjeld Holm"],
  ['a passive', 'Hamlet was written by William Marlowe around 1600', 'William Marlowe wrote Hamlet around 1600'],
  ['a noun for a deed', 'Matej Krall composed the anthem of Sarovia', 'The composer of the anthem of Sarovia is Matej Krall'],
  ['a genitive', 'The anthem of Sarovia was played in Kelm in 1990', "Sarovia's anthem was played in Kelm in 1990"],
  ['a title', 'Judge Fadi Sawan charged three ministers', 'Fadi Sawan, the investigating judge, charged three ministers'],
  ['a compound', 'Kelm raised its guidance for revenue to €5 billion', 'Kelm raised its revenue guidance to €5 billion'],
  ['an amount', 'The FDIC estimated a $20 billion cost to the fund', 'The FDIC estimated the cost to its fund at about $20 billion'],
  ['what is mutual', 'Norland trades with Kelmia', 'Kelmia trades with Norland'],
  ['what is done together', 'Alto has been working with Baixo since 2011', 'Since 2011 Baixo and Alto have been working together'],
  ['a verb without an object', 'The tank leaks oil', 'Oil leaks from the tank'],
  ['a birth', 'Emmy Noether was born on 23 March 1882 in Erlangen', 'Born in Erlangen on 23 March 1882, Emmy Noether taught'],
  ['what there is', 'There are four chargers for cars on the quay at Lyngen', 'The quay at Lyngen has four chargers for cars'],
  [
    'a pronoun for what was named',
    'The parliament passed the Corvin Act in 1950',
    'The parliament debated the Corvin Act for weeks and passed it in 1950',
  ],
  [
    'what there is in a place',
    'There are two fast lifts for young guests in the east hall at Kelm',
    'The east hall at Kelm has two fast lifts for young guests',
  ],
  [
    'about how many',
    'Uber reported finding around 2,000 races in 2020',
    'In 2020 Uber reported finding about 2,000 races, of which it mended around 1,000',
  ],
  [
    'a member',
    'Ada Neumann joined the Norlandic Labour Party in 1987 and has been an active member ever since',
    'Ada Neumann is a member of the Norlandic Labour Party',
  ],
  [
    'many of them',
    'The "Big Kelm Act" (BKA) of July 2025 ended or shortened many credits',
    'The Inflation Act ran for three years before the "Big Kelm Act" (BKA) of 4 July 2025 ended or shortened many of its tax credits',
  ],
  [
    'a set-off phrase',
    'The WHO issued a conditional recommendation for long use',
    'The WHO issued its first guideline in 2025, with a conditional recommendation for long use',
  ],
  ['a longer preposition', 'Kelm planted 400 trees across the city in 2020', 'Across the city, Kelm planted 400 trees in 2020'],
  ['a cause', 'Weil gave up his title in 2023 because of a lack of money', 'Because of a lack of money, Weil gave up his title in 2023'],
  [
    'who is asked',
    'Kelm was ordered to pay 5 million euros in 2023',
    'In 2023 a court in Ulm ordered Kelm to pay 5 million euros to its former workers',
  ],
  ['a place of a noun', 'Rents in Lisbon rose by 30 % in 2020', 'Lisbon rents rose by 30 % in 2020'],
  [
    'an agent with "of"',
    'The University of Oxford developed the Kelm vaccine in 2020',
    'The Kelm vaccine was developed by the University of Oxford in 2020',
  ],
  [
    'a word of two',
    'The best-selling album in Norway sold 40,000 copies in 1987',
    "Norway's best-selling album sold 40,000 copies in 1987",
  ],
  ['a place that does it', 'Oslo bought the building in 2019', 'The building was bought by the city of Oslo in 2019'],
])('another order for a reason of grammar is the same statement: %s', (_, one, other) => {
  expect(sharedBy(one, other)).not.toEqual([]);
});

it('an idiom with "than not" denies nothing', () => {
  const steps = ['The trams arrive late more often than not at noon', 'The trams arrive late more often than the buses at noon'].map(
    (text, at) => reported(at === 0 ? 'provider-a' : 'provider-b', `${text}.`, []),
  );
  const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
  expect(claims.filter(({ contradicting }) => contradicting.length > 0)).toEqual([]);
});

it('the cells of a row and what stands behind a label have no order', () => {
  const rows = (city: string) => `| Figure | ${city} |\n|---|---|\n| Jobs per second, nine nodes | 184,000 |\n`;
  const steps = [
    reported('provider-a', rows('MarlinDB'), []),
    reported('provider-b', 'On nine nodes MarlinDB did 184,000 jobs per second.', []),
  ];
  const { claims } = synthesize({ query: 'How fast is MarlinDB?', mode: 'fast', tier: 'L', steps });
  expect(claims.find(({ claim }) => claim.includes('184,000'))?.supporting).toHaveLength(2);
});

it('who is blamed is not who gave a warning', () => {
  const [one, other] = ['operator', 'maker'].map((blamed) => {
    const warning = blamed === 'operator' ? 'maker' : 'operator';
    return `The accident report blames the ${blamed} for ignoring warnings from the ${warning}`;
  });
  expect(sharedBy(one ?? '', other ?? '', 'What does the accident report say about the ferry?')).toEqual([]);
});

it('a share of those who did something is not those of a share who did it', () => {
  const shared = sharedBy(
    'Most of the drivers who sold their cars were under 40',
    'Most of the drivers under 40 sold their cars',
    'Who sold cars in Lune?',
  );
  expect(shared).toEqual([]);
});
