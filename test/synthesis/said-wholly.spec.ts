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
  ])('is not %s', (_what, one, other, query) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`, query)).toEqual([]);
    expect(sharedBy(`${other} [1].`, `${one} [1].`, query)).toEqual([]);
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
  ['how many', 'Ada Roth founded Kelmworks in Leith in 1943', 'Ada Roth co-founded Kelmworks in Leith in 1943'],
])('both are shown where two reports differ in %s', (_what, one, other) => {
  const steps = [
    reported('provider-a', `${one} [1].`, ['https://0.example/1']),
    reported('provider-b', `${other} [1].`, ['https://1.example/1']),
  ];
  const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
  expect(claims.map(({ claim }) => claim).sort()).toEqual([`${one}.`, `${other}.`].sort());
});
