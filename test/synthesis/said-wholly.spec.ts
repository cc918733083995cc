import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

function sharedBy(one: string, other: string, query = 'What is known?'): string[] {
  const steps = [reported('provider-a', one, ['https://0.example/1']), reported('provider-b', other, ['https://1.example/1'])];
  const { claims } = synthesize({ query, mode: 'fast', tier: 'L', steps });
  return claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
}

describe('what is shown as said by two providers', () => {
  it.each([
    [
      'a verb that one uses of another',
      'Ada Roth debuted as a part of the Norlandic group Blue Crane',
      'Ada Roth is a part of the Norlandic group Blue Crane, which debuted in 2014',
      'Who is Ada Roth?',
    ],
    [
      'a price cut for prices and what shrinks',
      'The margin fell because of a price cut granted to Kelm Motors.',
      'Higher energy prices were the main reason for the shrinking margin.',
      'Should we grant Kelm credit?',
    ],
    [
      'an item that only the question has',
      'Karl Weil is an inventor and painter',
      'Karl Weil was a painter of Norlandic descent',
      'Tell me a bio of Karl Weil (inventor).',
    ],
    [
      'several for two',
      'Ada Roth has released several solo singles',
      'Ada Roth has also released two solo singles, “Love Is Blue” and “When Rain Stops”',
      '',
    ],
    [
      'all for most',
      'All Kelmish Norlanders can speak Sundish fluently',
      'Generally, most Kelmish Norlanders can speak Sundish fluently, but are usually weaker in writing Kelmish',
      '',
    ],
    ['what is for what may be', 'Orsk larvae kill trees', 'Damage from wood-boring Orsk larvae can kill trees', ''],
    [
      'a founder for a co-founder',
      'Ada Roth founded Kelmworks in Leith in 1943',
      'Ada Roth was the co-founder of Kelmworks in Leith in 1943',
      '',
    ],
    [
      'how often, which only the question says',
      'The younger Orsk will now sometimes hunt hares as bushmeat',
      'The younger Orsk will currently always hunt hares as bushmeat',
      'Did The younger Orsk will now sometimes?',
    ],
    [
      'more for less, which the question has',
      'There is therefore less emphasis on checking spelling and grammatical accuracy',
      'Checking spelling and grammatical accuracy is therefore emphasized',
      'Did There is therefore less emphasis?',
    ],
    [
      'a deed of which only the question speaks',
      'Weil was impeached by the House in 1974',
      'Weil stepped down in August 1974',
      'Was Weil impeached?',
    ],
    [
      'what holds of others than those asked about',
      'Water tomato plants every day',
      'Plants in pots need water every day',
      'How often should I water tomato plants?',
    ],
    ['an office of another time', 'Ada Roth is head of the Kelm fund in Leith', 'Ada Roth was head of the Kelm fund in Leith', ''],
    ['who has which name', 'Rovers beat the champions United in 1990', 'The champions Rovers beat United in 1990', ''],
    ['what does what', 'Wages outpaced prices in Kelm in 1990', 'In 1990 in Kelm prices outpaced wages', ''],
    ['a name turned round', 'Maria Ada Roth was born on August 22, 1973', 'Ada Maria Roth was born on August 22, 1973', ''],
    [
      'the largest, for who asks for the largest',
      'Lake Orsk is the largest lake in Norland',
      'Lake Orsk is a lake in Norland, north of Kelm',
      'What is the largest lake in Norland?',
    ],
    [
      'a word of another title',
      'Karl Weil is the Executive Chairman of the Kelm Authority',
      'Karl Weil has been Chairman of the Kelm Authority and Executive Director of the Sund Bank',
      '',
    ],
    ['a name of two words turned round', 'Maria Ada was born in Leith on 4 May 1973', 'Ada Maria was born in Leith on 4 May 1973', ''],
    ['one of several roles', 'Ada Roth is known for her roles as Sund and Dil', 'Ada Roth is known for her roles as Sund and Hag', ''],
    [
      'what a verb is for who says it with an adjective',
      'Ada Roth represented Norland',
      'Ada Roth played representative rugby for Norland',
      '',
    ],
    ['the first half of a name in two', 'Ada Roth is a Sundish singer', 'Ada Roth is a Sundish-Kelmish singer and painter', ''],
    [
      'what is so in somebody’s eyes, though another thing is said to be so too',
      'Ada Roth was the first Norlandic star',
      'Ada Roth was an actress, considered the first Norlandic star in Leith and the first Norlandic actress to win fame',
      '',
    ],
    ['what one did to another thing', 'Ada Roth wrote and directed Sund', 'Ada Roth wrote Kelm and directed Sund', ''],
    [
      'films for a series',
      'Ada Roth has written, produced and directed films',
      'Ada Roth works at directing and producing the film “Sund”, as well as writing and directing the series “Kelm”',
      '',
    ],
    ['who runs what', 'Deno runs TypeScript and Node runs JavaScript', 'Deno runs JavaScript and Node runs TypeScript', ''],
    ['what another uses', 'Kelm uses LZ4 and Ulm uses Zstandard', 'Kelm uses Zstandard and Ulm uses LZ4', ''],
    ['the president of another time', 'The president of Kelm was Ada Roth', 'The president of Kelm is Ada Roth', ''],
  ])('is not %s', (_what, one, other, query) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`, query)).toEqual([]);
    expect(sharedBy(`${other} [1].`, `${one} [1].`, query)).toEqual([]);
  });

  it('may have the name in full that one has in part', () => {
    const shared = sharedBy(
      'Ada Roth joined Kelm [1]. She scored 41 points in Game 6 [1].',
      'In Game 6 Roth scored 41 points, the most ever in a final [1].',
      'How did Kelm win?',
    );
    expect(shared).toEqual(['[Ada Roth] scored 41 points in Game 6.']);
  });

  it('is shown once where two name it in full and in short', () => {
    const shared = sharedBy(
      'Ada Roth is a singer [1]. She was born on August 26, 1956, in Leith, Norland [1].',
      'Ada Maria Roth is a painter [1]. She was born on August 26, 1956, in Leith, Norland into a large family [1].',
      'Tell me a bio of Ada Roth.',
    );
    expect(shared).toEqual(['[Ada Maria Roth] was born on August 26, 1956, in Leith, Norland.']);
  });

  it('leaves out what one alone says of it', () => {
    const said = 'known for her role as Deputy Chief Linda Jane Vane on the KTV crime drama The Sund [1].';
    const shared = ['Ada Roth is known for her role as Deputy Chief Linda Jane Vane on the KTV crime drama The Sund.'];
    expect(sharedBy(`Ada Roth is ${said}`, `Ada Roth is best ${said}`)).toEqual(shared);
    expect(sharedBy(`Ada Roth is best ${said}`, `Ada Roth is ${said}`)).toEqual(shared);
  });

  it.each([
    [
      'a number for many',
      'Ada Roth has won multiple Kelm Awards',
      'Ada Roth is a six-time Kelm Award winner',
      'Ada Roth has won multiple Kelm Awards.',
    ],
    [
      'a word that adds nothing',
      'Kelm is known for its four different wines',
      'Kelm is known for its four wines',
      'Kelm is known for its four different wines.',
    ],
    [
      'every for all',
      'Every Kelmish farmer pays the land tax',
      'All Kelmish farmers pay the land tax',
      'All Kelmish farmers pay the land tax.',
    ],
    [
      'what is done, for who does it',
      'Wages outpaced prices in 1990',
      'Prices were outpaced by wages in 1990 after a long strike of the miners',
      'Prices were outpaced by wages in 1990.',
    ],
    [
      'a former office, named in two ways',
      'Karl Roth is the son of former Norland Chancellor Ivo Roth',
      'Karl Roth is the son of former Chancellor of Norland Ivo Roth',
      'Karl Roth is the son of former Chancellor of Norland Ivo Roth.',
    ],
    [
      'a prefix with a hyphen and without',
      'Ada Roth cofounded Kelmworks in Leith in 1943',
      'Ada Roth co-founded Kelmworks in Leith in 1943',
      'Ada Roth cofounded Kelmworks in Leith in 1943.',
    ],
    [
      'who made something, then and now',
      'The author of Sund was Ada Roth',
      'The author of Sund is Ada Roth',
      'The author of Sund was Ada Roth.',
    ],
    [
      'the fuller of two, with the year before it',
      'In 2020 Kelm Energy sold 49 % of the farm to Sund for £143 million',
      'Kelm Energy sold a 49 % stake in the farm to the pension fund Sund in 2020',
      'In 2020 Kelm Energy sold 49 % of the farm to Sund.',
    ],
    [
      'a name that looks like a verb',
      'May Roth was born in Ulm',
      'May Roth was born Ada Weil in Ulm, south of Graz',
      'May Roth was born in Ulm.',
    ],
    [
      'several for a date, which is left out',
      'Ada Roth won several awards of the city of Leith',
      'Ada Roth won the awards of the city of Leith on 12 May 2010',
      'Ada Roth won the awards of the city of Leith.',
    ],
    [
      'a name that another follows, of the one that it belongs to',
      'Ada Roth taught at the Kelm Law School from 1990 to 2003',
      'Ada Roth taught at the Law School of Kelm University from 1990 to 2003',
      'Ada Roth taught at the Kelm Law School from 1990 to 2003.',
    ],
    [
      'a list without the word that one adds before it, and with a title in one piece that has a comma',
      'Karl Weil is known for his role in popular dramas such as Alder (2003), Birch (2004), Cedar (2007), Secret Love (2013), Lift Me, Hold Me (2015), Elm (2017)',
      'Karl Weil is known for his role in dramas such as Alder (2003), Birch (2004), Cedar (2007), Secret (2013), Lift Me, Hold Me (2015) and Fir (2017)',
      'Karl Weil is known for his role in dramas such as Alder (2003), Birch (2004), Cedar (2007) and Lift Me, Hold Me (2015).',
    ],
  ])('may be %s', (_what, one, other, claim) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([claim]);
  });
});

it.each([
  ['who does what to whom', 'Wages outpaced prices in Kelm in 1990', 'In 1990 in Kelm prices outpaced wages'],
  ['when', 'Ada Roth is head of the Kelm fund in Leith', 'Ada Roth was head of the Kelm fund in Leith'],
  ['what is done to what', 'Kelm imports oil and exports timber', 'Kelm imports timber and exports oil'],
  ['what is done to what, by many', 'Ferns absorb iron and release copper', 'Ferns absorb copper and release iron'],
  ['who gives to whom', 'Graz lends engines to Leith', 'Leith lends engines to Graz'],
  ['how many', 'Ada Roth founded Kelmworks in Leith in 1943', 'Ada Roth co-founded Kelmworks in Leith in 1943'],
])('both are shown where two reports differ in %s', (_what, one, other) => {
  const steps = [
    reported('provider-a', `${one} [1].`, ['https://0.example/1']),
    reported('provider-b', `${other} [1].`, ['https://1.example/1']),
  ];
  const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
  expect(claims.map(({ claim }) => claim).sort()).toEqual([`${one}.`, `${other}.`].sort());
});
