import { synthesize } from '@lib/synthesis/synthesize';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { expectVerbatim, reported } from './steps';

const PROVIDERS = ['provider-a', 'provider-b'] as const;

function claimsOf(query: string, ...reports: string[]): RecordedClaim[] {
  const steps = reports.map((report, at) => reported(PROVIDERS[at] ?? 'provider-a', report, [`https://${String(at)}.example/1`]));
  const synthesis = synthesize({ query, mode: 'fast', tier: 'L', steps });
  expectVerbatim(synthesis, steps);
  return synthesis.claims;
}

const sharedBy = (query: string, ...reports: string[]): string[] =>
  claimsOf(query, ...reports)
    .filter(({ supporting }) => supporting.length > 1)
    .map(({ claim }) => claim);

const MAKEBA = 'Who was Miriam Makeba?';

describe('a sentence that joins several', () => {
  it.each([
    [
      'behind a semicolon, of whom the question asks about',
      'Nelson Mandela asked Makeba to return; she died on 9 November 2008 in Italy [1].',
      'Makeba died on 9 November 2008 after a concert in Italy [1].',
      '[Miriam Makeba] died on 9 November 2008 in Italy.',
    ],
    [
      'with a subject of its own',
      'Makeba lived in Ulm, and the mill at Kelm was closed in 1960 [1].',
      'The mill at Kelm was closed in 1960; Karl Lund bought it [1].',
      'The mill at Kelm was closed in 1960.',
    ],
    [
      'without what is set off behind its subject',
      'Miriam Makeba, a singer whose records were banned at home, was born in Johannesburg in 1932 [1].',
      'Miriam Makeba was born in Johannesburg in 1932 [1].',
      'Miriam Makeba was born in Johannesburg in 1932.',
    ],
    [
      'that is set off behind a subject',
      'Wegener, who held a chair at Graz from 1924, led four expeditions [1].',
      'Wegener held a chair at Graz from 1924 [1].',
      'Wegener held a chair at Graz from 1924.',
    ],
  ])('is shared in a part %s', (_, one, other, claim) => {
    expect(sharedBy(MAKEBA, one, other)).toContain(claim);
  });

  it('says what its subject is of what stands between commas', () => {
    const claims = sharedBy(
      MAKEBA,
      'Miriam Makeba, a singer of folk songs from Ulm, was born in 1932 [1].',
      'Miriam Makeba was a singer of folk songs from Ulm [1].',
    );
    expect(claims).toContain('Miriam Makeba was a singer of folk songs from Ulm.');
  });

  it('stands whole where no part is shared', () => {
    const sentence = 'Makeba sang in Ulm in 1950, and the hall at Kelm was full.';
    expect(claimsOf(MAKEBA, `${sentence} [1]`, 'The weather was fine in May [1].').map(({ claim }) => claim)).toContain(sentence);
  });

  it('stands whole where a part tells its time by the other', () => {
    const sentence = 'Makeba left Ulm in 1950, and she sold the house a year later.';
    const shared = claimsOf(MAKEBA, `${sentence} [1]`, 'Makeba left Ulm in 1950 [1].').map(({ claim }) => claim);
    expect(shared).not.toContain('[Miriam Makeba] sold the house a year later.');
  });

  it('gives a part without a mark the source of the next', () => {
    const report = 'Makeba sang in Ulm in 1950, and the hall at Kelm was full [1].';
    const shared = claimsOf(MAKEBA, report, 'Makeba sang in Ulm in 1950 [1].').find(({ supporting }) => supporting.length > 1);
    expect(shared?.supporting.map(({ citationIndexes }) => citationIndexes)).toEqual([[1], [1]]);
  });

  it.each([
    [
      'she',
      MAKEBA,
      'Harry Belafonte became her mentor in Ulm, and she won a Grammy award in 1966',
      'Harry Belafonte won a Grammy award in 1966',
    ],
    [
      'she',
      MAKEBA,
      'Nelson Mandela asked Makeba to return; she died in Italy on 9 November 2008',
      'Nelson Mandela died in Italy on 9 November 2008',
    ],
    [
      'he',
      'Who was Maria Mitchell?',
      'Maria Mitchell taught Peter Hale, and he found a comet in 1847',
      'Maria Mitchell found a comet in 1847',
    ],
    ['he', 'What is known?', 'Maria Mitchell taught Peter Hale. He found a comet in 1847', 'Maria Mitchell found a comet in 1847'],
    ['it', 'What is known?', 'Ada Lund began the Sund project in 1950; it ended in Ulm in 1960', 'Ada Lund ended in Ulm in 1960'],
  ])('does not tell of its subject what "%s" did who is another', (_, question, one, other) => {
    expect(sharedBy(question, `${one} [1].`, `${other} [1].`)).toEqual([]);
  });

  it('leaves open what "it" is where it spoke of two things', () => {
    const report = 'The division was formed in Ulm, and the Sund Empire fell in 1918. It was reformed in 1920 with 300 men [1].';
    expect(claimsOf('What is known?', report).filter(({ claim }) => /(?:division|Empire)\] was reformed/.test(claim))).toEqual([]);
  });

  it('goes on with what the question names', () => {
    const report = 'SQLite is a library; the program opens a file. It was written in 2000 by one author [1].';
    expect(claimsOf('What is SQLite?', report).map(({ claim }) => claim)).toContain('[SQLite] was written in 2000 by one author.');
  });

  it('goes on with whom the question names behind what was published', () => {
    const report = 'She drew stamps; Moomin Berg, published in 1948, carried her name abroad. From 1954 she drew a strip for a paper [1].';
    const claims = claimsOf('Who was Vera Lund?', `Vera Lund was a painter. She lived in Ulm. ${report}`).map(({ claim }) => claim);
    expect(claims).toContain('From 1954 [Vera Lund] drew a strip for a paper.');
  });

  it('is no dispute with one that lacks what is set off', () => {
    const claims = claimsOf(
      'What is known about Kelm?',
      'The paper mill at Kelm, against which many had fought for decades, was closed in 2013 [1].',
      'The paper mill at Kelm was closed in 2013 [1].',
    );
    expect(claims.filter(({ contradicting }) => contradicting.length > 0)).toEqual([]);
  });
});

describe('a claim of a part', () => {
  it.each([
    [
      'one of two that a colon announces',
      'Two vaccines are in use: Alfa, made in Ulm, and Beta',
      'Two vaccines are in use: Alfa and Gamma',
      /use: Alfa\.$/,
    ],
    [
      'the subject of the next',
      'Her father, Viktor Lund, was a sculptor, while her mother, Signe, drew stamps',
      'Her father, Viktor, was a sculptor, her mother, Signe Ham, drew cards',
      /her mother\.$/,
    ],
    [
      'a participle before its subject',
      'Having met Charles Lund in June 1933, Makeba married Ivo Berg in 1935',
      'In 1933 Makeba met Charles Lund, whose machines she liked',
      /Having met/,
    ],
    [
      'what nobody knows without the rest',
      'Sund, the archive tool on which most of the work of today is done, was born of a quarrel',
      'Sund is a shared archive tool, written by Ada Lund in 2005',
      /the archive tool\.$/,
    ],
    [
      'the subject of another verb',
      'Israel invaded Sinai on 29 October, whereupon Britain and France, posing as friends, demanded that both sides pull back, and then bombed Egyptian airfields',
      'Israel invaded Sinai on 29 October; Britain and France issued an ultimatum to both sides, bombed Egyptian airfields and landed troops',
      /Israel\] then bombed/,
    ],
  ])('is not told of %s', (_, one, other, end) => {
    expect(
      sharedBy(MAKEBA, `Makeba was born in Ulm. ${one} [1].`, `Makeba was born in Ulm. ${other} [1].`).filter((claim) => end.test(claim)),
    ).toEqual([]);
  });
});

describe('a claim of one report', () => {
  it('is shown below one of two that lacks its number', () => {
    const claims = claimsOf(
      'Who was Ada Lund?',
      'Ada Lund painted the ceiling of the town hall of Ulm in oil. She liked dogs [1].',
      'Ada Lund painted the ceiling of the town hall of Ulm in oil in 1950. Berta sold the house near the lake [1].',
    ).map(({ claim }) => claim);
    expect(claims).toContain('Ada Lund painted the ceiling of the town hall of Ulm in oil in 1950.');
  });
});

describe('what one part of a report says', () => {
  it.each([
    [
      'another part',
      'Who won?',
      'Ulm beat Graz in the final, while Kelm lost to Sund in the semi-final of 2019',
      'Ulm lost to Sund in the semi-final of 2019',
    ],
    [
      'another part behind "it"',
      'What is Sund?',
      'Sund was written by Karl Weil, who left; it is licensed under the SSPL since 2024',
      'Karl Weil is licensed under the SSPL since 2024',
    ],
    [
      'another part at somebody else’s word',
      'What did the court hold?',
      'The court held that the fee was a tax, but the dissent said that it was a fine',
      'The court held that it was a fine',
    ],
    [
      'another subject behind "whereas"',
      'What is Sund?',
      'Sund keeps data in memory, whereas Kelm writes all pages to disk',
      'Sund writes all pages to disk',
    ],
    ['whose it is', 'Who was Ada Lund?', "Ada Lund's rival, Peter Berg, was elected in 1950", 'Ada Lund was elected in 1950'],
    [
      'whose relative it is',
      'Who was Ada Lund?',
      'Born in Ulm in 1920, her husband Peter Berg ran the mill',
      'Ada Lund was born in Ulm in 1920',
    ],
    ['by whom it is done', 'Who was Ada Lund?', 'Raised by Ada Lund in Ulm, Peter Berg became a doctor', 'Ada Lund was raised in Ulm'],
    [
      'whose child it is',
      'Who was Ada Lund?',
      'Ada Lund, the daughter of a doctor from Ulm, wrote two books',
      'Ada Lund was a doctor from Ulm',
    ],
    [
      'the mother of whom it is',
      'Who was Ada Lund?',
      'Her daughter Vera Lund won the Kelm Prize in 1935. She died in 1956',
      'Ada Lund died in 1956',
    ],
    [
      'the sister of whom it is',
      'Who was Lena Brandt?',
      "Lena Brandt's brother Karl founded the Sund works; he died in Graz in 1955",
      'Lena Brandt died in Graz in 1955',
    ],
  ])('is not said of %s', (_, question, one, other) => {
    expect(sharedBy(question, `${one} [1].`, `${other} [1].`)).toEqual([]);
  });

  it.each([
    ['If the winter is cold, the valve is opened, and the pump of Ulm is stopped'],
    ['The mayor said that the dam of Ulm was safe, and the pump of Ulm is stopped'],
  ])('stands with what it depends on: %s', (sentence) => {
    expect(claimsOf('What is known about Ulm?', `${sentence} [1].`).map(({ claim }) => claim)).toEqual([`${sentence}.`]);
  });

  it.each([
    ['The drug did not lower mortality, but it shortened hospital stays by two days', 'The drug shortened hospital stays by two days'],
    ['Kern was asked to lead the works, but he declined, and Roth took the post in 1925', 'Roth took the post in 1925'],
  ])('is no dispute with another part that denies: %s', (one, other) => {
    const claims = claimsOf('Who was Otto Kern?', `${one} [1].`, `${other} [1].`);
    expect(claims.filter(({ contradicting }) => contradicting.length > 0)).toEqual([]);
  });
});

it.each([
  [
    'May is a month at its end',
    'Norland banned plastic bags in May, and the shops of Ulm complained [1].',
    'Norland banned plastic bags in May, as had been expected [1].',
    'Norland banned plastic bags in May.',
  ],
  [
    'the year at its end is not joined to what follows',
    'The Norland act closed the mines in 2019, and, as feared, shops complained [1].',
    'The Norland act closed the mines in 2019, and with it a railway of Ulm [1].',
    'The Norland act closed the mines in 2019.',
  ],
])('a shared beginning is whole: %s', (_, one, other, shared) => {
  expect(sharedBy('What is the Norland act?', one, other)).toEqual([shared]);
});
