import { synthesize } from '@lib/synthesis/synthesize';
import type { ProviderId } from '@lib/domain/vocabulary';
import { reported } from './steps';

const PROVIDERS: readonly ProviderId[] = ['provider-a', 'provider-b', 'provider-c'];

/** What two or more of the reports say. */
function sharedBy(...reports: string[]): string[] {
  const steps = reports.map((report, at) => reported(PROVIDERS[at] ?? 'provider-a', report, [`https://${String(at)}.example/1`]));
  const { claims } = synthesize({ query: 'Who is Lena Brandt?', mode: 'fast', tier: 'L', steps });
  return claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
}

describe('a claim of several reports', () => {
  it.each([
    [
      'began a career',
      'Lena Brandt began her political career in 1999 in the city of Ulm [1].',
      'Lena Brandt began her political career with a speech on trade [1].',
    ],
    ['began acting', 'Lena Brandt began acting when the family moved to Ulm [1].', 'Lena Brandt began acting after a course in Graz [1].'],
    [
      'appeared in several films',
      'Lena Brandt appeared in several films [1].',
      'After appearing in several films for children, Lena Brandt appeared in several plays [1].',
    ],
    [
      'is so far',
      'K2-18b is 124 light-years from Earth, has 8.6 times the mass of Earth and orbits a red dwarf [1].',
      'K2-18b lies about 124 light-years away in the constellation Leo [1].',
    ],
    [
      'is free up to so many times',
      '- **Egress:** R2 egress is free without limit, while B2 is free up to 3x of the stored volume [1].',
      '| Feature | Cloudflare R2 | Backblaze B2 |\n| --- | --- | --- |\n| Egress | Free | Free up to 3x stored data, then $0.01/GB [1] |',
    ],
    [
      'whose brother did something',
      'Lena Brandt, whose brother led the study, praised the result in Ulm [1].',
      'Lena Brandt, whose brother led the study, left the institute of Graz [1].',
    ],
    [
      'won several titles',
      'Lena Brandt won several titles with the club of Ulm [1].',
      'Lena Brandt won several titles after a move to Graz [1].',
    ],
    [
      'was one of few',
      'Lena Brandt was one of the few musicians who played in Ulm [1].',
      'Lena Brandt was one of the few musicians who never left Graz [1].',
    ],
    [
      'was one of a number of people',
      'Lena Brandt was one of 62 people lost in the storm of Ulm [1].',
      'Lena Brandt was one of 62 people hired by the club of Graz [1].',
    ],
    [
      'finished fourth',
      'Lena Brandt finished fourth, behind three runners of Ulm [1].',
      'Lena Brandt finished fourth, which was a surprise in Graz [1].',
    ],
    [
      'founded by',
      'Quill Systems, founded by Lena Brandt in 2020, maintains the tool [1].',
      'Quill Systems, founded by Lena Brandt in 2020, sells a service [1].',
    ],
  ])('is not that somebody %s', (_, one, other) => {
    expect(sharedBy(one, other).filter((claim) => claim.split(' ').length < 9)).toEqual([]);
  });

  it('does not end in a participle that waits for when or by whom', () => {
    const shared = sharedBy(
      'Kelm Lane is a geological site of special interest in Dorset, notified by Graz [1].',
      'Kelm Lane is a geological site of special interest in Dorset, notified in the first year of the law [1].',
    );
    expect(shared).toEqual(['Kelm Lane is a geological site of special interest in Dorset.']);
  });

  it('is not that something lasts where the reports tell how long, and not the same', () => {
    const shared = sharedBy(
      'The board of Kelm says that cooked rice keeps for three to four days in the refrigerator [1].',
      'The board of Kelm is generous: it says that cooked rice can be kept in the refrigerator for four to six days [1].',
      'The board of Kelm says that cooked rice keeps badly [1].',
    );
    expect(shared).toEqual([]);
  });

  it('keeps the mark that is part of a name in a list', () => {
    const shared = sharedBy(
      'Beside his main work, Lena Brandt has been in several bands, including the groups Hail!, De La Tierra, and Sexoturica [1].',
      'Lena Brandt has been in several bands such as the rock supergroup Hail!, Sexoturica and more recently De La Tierra [1].',
    );
    expect(shared.join()).toContain('Hail!, ');
  });

  it('ends with a stop where it is the part of a sentence', () => {
    const shared = sharedBy(
      'Lena Brandt was born in Ulm, a city on the Danube [1].',
      'Lena Brandt was born in Ulm and raised by her aunt in Graz [1].',
    );
    expect(shared).toEqual(['Lena Brandt was born in Ulm.']);
  });

  it.each([
    [
      'her powerful',
      'Lena Brandt is known for her powerful and soulful songs [1].',
      'Lena Brandt is known for her powerful and clear speeches [1].',
    ],
    [
      'in those',
      'The pressure was 3.3 mmHg lower in those who used salt [1].',
      'The pressure was 3.3 mmHg lower in those with the other salt [1].',
    ],
    [
      'for her role',
      'Lena Brandt is best known for her role in the play Ulm [1].',
      'Lena Brandt is best known for her role as a judge in Graz [1].',
    ],
    [
      'a judge, teacher',
      'Lena Brandt is a judge, teacher, and founder of the school of Ulm [1].',
      'Lena Brandt is a judge, teacher, and friend of the city of Graz [1].',
    ],
    [
      'a lawyer and founder',
      'Lena Brandt was a lawyer and founder of the bank of Ulm [1].',
      'Lena Brandt was a lawyer and founder of two schools in Graz [1].',
    ],
    [
      'the official tree',
      'The lime is the official tree of the city of Ulm [1].',
      'The lime is the official tree of the county around Graz [1].',
    ],
    [
      'deaths',
      'Strokes were reduced by 14 % and deaths by 12 % in the trial [1].',
      'Strokes were reduced by 14 % and deaths were as frequent as before [1].',
    ],
    [
      'deaths',
      'Strokes were reduced by 14 % and deaths by 12 % compared with the salt of Ulm [1].',
      'The strokes were reduced by 14 %, and the deaths by all causes were reduced by 12 % [1].',
    ],
    [
      'Karl Weil and',
      'Lena Brandt was coached by Karl Weil and, from 1984 onwards, by Anna Roth of Graz [1].',
      'Lena Brandt was coached by Karl Weil and lived in Ulm [1].',
    ],
    [
      'by up',
      'Kelm cut prices of the new Sund ferry by up to 9,800 euros, and the base fare fell [1].',
      'Kelm responded: the new Sund ferry received price cuts of as much as 9,800 euros, depending on the day [1].',
    ],
    [
      '10 mg',
      'The maintenance dose of Zelin for adults is 10 mg or 15 mg once weekly [1].',
      'The recommended maintenance dose of Zelin for adults in this use is 10 or 15 mg injected once a week [1].',
    ],
    [
      'munitions ship Weil',
      'The Ulm explosion was caused by the collision of the munitions ship Weil and the ferry Roth in fog [1].',
      'The Ulm explosion was caused by the munitions ship SS Weil, which was in collision with the vessel SS Roth in the Narrows [1].',
    ],
    ['The number', 'The number was reduced to 54 after objections [1].', 'The number was reduced to 54 after objections [1].'],
    ['about', 'The whole repair of the bridge cost about. [1]', 'The whole repair of the bridge cost about. [1]'],
    ['Two of them', 'Two of them were golden eagles from the north [1].', 'Two of them were golden eagles from the north [1].'],
    [
      'found in women',
      '**Scotland (2024):** no invasive cases were found in women of the 1988–1996 birth cohorts fully vaccinated at 12–13 [1].',
      'In Scotland, a 2024 analysis found no invasive cases at all among women vaccinated at 12 or 13, although they are still young [1].',
    ],
  ])('does not end or begin with “%s”', (words, one, other) => {
    expect(sharedBy(one, other).filter((claim) => claim.startsWith(words) || claim.endsWith(`${words}.`))).toEqual([]);
  });

  it.each([
    'Another was measured at the harbour of Ulm in May 2012 [1].',
    'Some were measured at the harbour of Ulm in May 2012 [1].',
    'The latter was measured at the harbour of Ulm in May 2012 [1].',
    'The harbour of Ulm was measured with this method in May 2012 [1].',
    'The court of appeal dismissed her claim in May 2012 [1].',
    'Coach Hans Weil of Ulm has worked with her since May 2012 [1].',
    'Building it at the harbour of Ulm cost 12 million euros in May 2012 [1].',
    'The club of Ulm bought him in May 2012 [1].',
    'The council of Ulm sold them in May 2012 [1].',
    'Drafted in May 2012 by the club of Ulm [1].',
  ])('needs no other sentence to be understood, unlike “%s”', (sentence) => {
    expect(sharedBy(sentence, sentence)).toEqual([]);
  });

  it.each([
    'Another bridge was measured at the harbour of Ulm in May 2012.',
    'Several teachers were paid by the city of Ulm in May 2012.',
    'While he was a student, Karl Brandt wrote the songs of Ulm.',
    'The judge of Ulm defended her ruling in May 2012.',
    'The drug Zelin protects children of Ulm and helps them in winter.',
    'Newly built dams hold the water of Ulm in May 2012.',
  ])('may be “%s”', (sentence) => {
    const said = sentence.replace(/\.$/, ' [1].');
    expect(sharedBy(said, said)).toEqual([sentence]);
  });

  it.each([
    [
      'for and to',
      'Lena Brandt played for Ulm [1].',
      'After two years in Graz, Lena Brandt moved back to Ulm and played for the club of Linz [1].',
    ],
    [
      'until and in',
      'In 1990, Lena Brandt led the ministry of trade, an office she held until 1995 [1].',
      'Lena Brandt held the office of trade in 1990, led the ministry of trade and was a judge in 1995 [1].',
    ],
    [
      'by and under',
      'Lena Brandt was named minister by President Karl Weil [1].',
      'Lena Brandt was minister under President Karl Weil, who was named in Graz [1].',
    ],
    [
      'who wins and what is won',
      'The novel won the Graz Prize for Best Debut [1].',
      'Lena Brandt won the Graz Prize for Best Debut with the novel Kelm [1].',
    ],
    [
      'what is left out and what belongs to it',
      'Lena Brandt won the Graz Prize in 2007 for her starring role as Judge Weil in the series Kelm [1].',
      'Lena Brandt is known for her role as Judge Weil in the series Kelm, for which she won the Graz Prize in 2007 [1].',
    ],
  ])('does not join %s', (_, one, other) => {
    const joined = sharedBy(one, other);
    expect(joined.filter((claim) => /for Ulm|until|by President|novel|Prize (?:as|in the series)/.test(claim))).toEqual([]);
  });

  it.each([
    [
      'a set-off part without its end',
      'Hans Weil, her coach since 2011, is a former steeplechase runner of Ulm [1].',
      'Her coach is Hans Weil, a former steeplechase runner of Ulm [1].',
      'coach is',
    ],
    [
      'a noun without the one before it',
      'Kelm is a package manager for the language Tern, developed by the Weil Foundation since 2018 [1].',
      'Kelm was written by Lena Brandt, a manager, and is developed by the Weil Foundation [1].',
      'is a manager',
    ],
  ])('does not keep %s', (_, one, other, words) => {
    expect(sharedBy(one, other).filter((claim) => claim.includes(words))).toEqual([]);
  });

  it('lists what both list of one who is named in full and in short', () => {
    const shared = sharedBy(
      'Lena Maria Brandt is a German actress, producer, and director born in Ulm [1].',
      'Lena Brandt is a German actress and producer [1].',
    );
    expect(shared).toContain('Lena Maria Brandt is a German actress and producer.');
  });

  it('may say who somebody is and no more', () => {
    const shared = sharedBy(
      'Lena Brandt was a singer and founder of the choir of Ulm [1].',
      'Lena Brandt was a singer from Graz who taught at two schools [1].',
    );
    expect(shared).toEqual(['Lena Brandt was a singer.']);
  });

  it('is no row of a table', () => {
    const table = '| Outcome | Change |\n| --- | --- |\n| Monthly migraine days of patients | 4.8 and 2.9 [1] |';
    const shared = sharedBy(table, 'The monthly migraine days of patients changed by 4.8 and 2.9 [1].');
    expect(shared.filter((claim) => claim.includes('|'))).toEqual([]);
  });

  it('is not contained in another of the same reports', () => {
    const shared = sharedBy(
      'She was born on May 4, 1996 in Ulm [1]. Lena Brandt was born in Ulm in Germany [1].',
      'Lena Brandt was born on May 4, 1996 in Ulm, Germany [1].',
    );
    for (const one of shared) for (const other of shared) if (one !== other) expect(other).not.toContain(one.replace(/\.$/, ''));
    expect(shared).toContain('Lena Brandt was born on May 4, 1996 in Ulm.');
  });
});

it('is not begun by the source in parentheses of the sentence before', () => {
  expect(
    sharedBy(
      'Lena Brandt described two moths of Ulm. (Kelm 2000) This form is known from two hills of Graz [1].',
      'Lena Brandt worked in Graz. (Kelm 2000) This form is known from two hills of Graz [1].',
    ),
  ).toEqual([]);
  expect(sharedBy('(Reuters) Lena Brandt left the bank of Ulm [1].', 'Lena Brandt left the bank of Ulm [1].')).toEqual([
    'Lena Brandt left the bank of Ulm.',
  ]);
  expect(sharedBy('(In 2004) Lena Brandt left the bank of Ulm [1].', '(In 2004) Lena Brandt left the bank of Ulm [1].')).toEqual([
    '(In 2004) Lena Brandt left the bank of Ulm.',
  ]);
});

describe('what one report does not place', () => {
  const placed = 'Kelm Mill grinds corn [1]. The mill closed in 1920 [1].';
  const unplaced = 'The mill closed in 1920 [1].';
  const providersOf = (...reports: string[]): string[] => {
    const steps = reports.map((report, at) => reported(PROVIDERS[at] ?? 'provider-a', report, [`https://${String(at)}.example/1`]));
    return synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps })
      .claims.filter(({ claim }) => claim.includes('1920'))
      .map(({ supporting }) => supporting.map(({ provider }) => provider.slice(-1)).join(''))
      .toSorted();
  };

  it('takes nothing from the agreement of those that do, whichever comes first', () => {
    expect(providersOf(unplaced, placed, placed)).toEqual(['a', 'bc']);
    expect(providersOf(placed, unplaced, placed)).toEqual(['ac', 'b']);
    expect(providersOf(placed, placed, unplaced)).toEqual(['ab', 'c']);
  });

  it('stays a claim of each that says it', () => {
    expect(providersOf(unplaced, unplaced)).toEqual(['a', 'b']);
  });
});

it.each([
  ['The half-life of Zelin was 12 hours', 'in adults', 'with food'],
  ['The span of the Kelm Bridge is 1,280 m', ', with two towers', ', including towers'],
  ['Revenue at Kelm grew 3x', 'in 2024', 'from 2020 to 2024'],
])('a claim ends with a measure where nothing is missing: %s', (both, one, other) => {
  const sentence = (end: string): string => `${both}${end.startsWith(',') ? '' : ' '}${end} [1].`;
  expect(sharedBy(sentence(one), sentence(other))).toEqual([`${both}.`]);
});

it('is not that a trial told of before was small where another report tells of a small trial', () => {
  expect(
    sharedBy(
      'The pills of Kelm were tried in 2020 [1]. The trial was small [1].',
      'In a small trial of patients on pills, falls doubled [1].',
    ),
  ).toEqual([]);
});

it('is not that something has what another thing of its name has', () => {
  const steps = ['Wind has troubles of its own [1].', 'Ocean Wind 1 and 2 were dropped in October 2023 amid supply-chain trouble [1].'].map(
    (report, at) => reported(PROVIDERS[at] ?? 'provider-a', report, [`https://${String(at)}.example/1`]),
  );
  const { claims } = synthesize({ query: 'How does the cost of wind compare?', mode: 'fast', tier: 'L', steps });
  expect(claims.map(({ supporting }) => supporting.length)).toEqual([1, 1]);
});

it.each([
  [
    'is so under a condition',
    'Loans of Lena Brandt are thought to carry a high risk above 10 million francs [1].',
    'Loans of Lena Brandt are thought to carry a high risk when house prices fall in Ulm [1].',
  ],
  [
    'did what others did',
    'Lena Brandt found that guards of Ulm saw smoke but did not report the fire for an hour [1].',
    'In May Lena Brandt found that men of Ulm saw flames but did not report the fire for an hour [1].',
  ],
])('is not that something %s', (_, one, other) => {
  expect(sharedBy(one, other)).toEqual([]);
});
