import { synthesize } from '@lib/synthesis/synthesize';
import type { ProviderId } from '@lib/domain/vocabulary';
import { reported } from './steps';

const PROVIDERS: readonly ProviderId[] = ['provider-a', 'provider-b', 'provider-c'];

const synthesisOf = (...reports: string[]) =>
  synthesize({
    query: 'What is known of Lena Brandt and of Ulm?',
    mode: 'fast',
    tier: 'L',
    steps: reports.map((report, at) => reported(PROVIDERS[at] ?? 'provider-a', report, [`https://${String(at)}.example/1`])),
  });

/** Claims with the number of providers that say them. */
const claimsOf = (...reports: string[]): [string, number][] =>
  synthesisOf(...reports).claims.map(({ claim, supporting }) => [claim, new Set(supporting.map(({ provider }) => provider)).size]);

describe('what one report adds to what another says too', () => {
  it.each([
    ['an item of a list', 'Lena Brandt is a singer and painter', 'Lena Brandt is a singer, painter and dancer'],
    ['a place', 'Lena Brandt was born on 13 July 1942', 'Lena Brandt was born on 13 July 1942 in Ulm, Bavaria'],
    ['a quality', 'Lena Brandt was a journalist of the Ulm Gazette', 'Lena Brandt was an investigative journalist of the Ulm Gazette'],
    ['a condition', 'The baths of Ulm open at 10 am in May', 'The baths of Ulm open at 10 am in May, except on Sundays'],
    ['a reservation', 'Serious harms are uncommon in Ulm', 'Serious harms are uncommon in Ulm but real'],
    [
      'a purpose',
      'The clinic of Ulm keeps a list of patients',
      'The clinic of Ulm keeps a list of patients so that nobody is called twice',
    ],
  ])('is a claim of its own, in full: %s', (_, shared, full) => {
    const claims = claimsOf(`${shared} [1].`, `${full} [1].`);
    expect(claims).toContainEqual([`${full}.`, 1]);
    expect(claims.filter(([, providers]) => providers === 2)).toHaveLength(1);
  });

  it('stands below what both say, as told in full', () => {
    const { markdown } = synthesisOf('Lena Brandt is a singer and painter [1].', 'Lena Brandt is a singer, painter and dancer [1].');
    expect(markdown).toMatch(/Lena Brandt is a singer and painter\. .*\n +- In full: Lena Brandt is a singer, painter and dancer\. /);
  });

  it('is nothing where it adds no word that tells something', () => {
    expect(claimsOf('The dam of Ulm was completed in 1936 [1].', 'The dam of Ulm was at last completed in 1936 [1].')).toHaveLength(1);
    expect(claimsOf('Ulm has four wines [1].', 'Ulm has four different wines [1].')).toHaveLength(1);
  });
});

describe('two reports with one sentence', () => {
  it('agree although it speaks of something new, and behind other names', () => {
    const ship = 'A gust of wind heeled the ship to port and water poured in';
    const town = 'Ulm has an old harbour on the Danube';
    expect(claimsOf(`${town}. ${ship} [1].`, `${town}. ${ship} [1].`)).toContainEqual([`[${town}.] ${ship}.`, 2]);
    const inquest = 'An inquest was held but no one was punished';
    expect(claimsOf(`Lena Brandt was tried in Ulm. ${inquest} [1].`, `Ulm lost its mayor in 1990. ${inquest} [1].`)).toContainEqual([
      `${inquest}.`,
      2,
    ]);
  });

  it('do not agree in few words about what has other names before it', () => {
    const block = 'The block has a roof of slate and walls of red brick';
    const claims = claimsOf(`A school was built in Kelm. ${block} [1].`, `A church was built in Ulm. ${block} [1].`);
    expect(claims.filter(([, providers]) => providers === 2)).toEqual([]);
  });
});

describe('a claim of several reports', () => {
  it('has nothing in front of it that only one of them says', () => {
    const end = 'Output had doubled by then';
    const before = (one: string, other: string) => claimsOf(`${one}. ${end} [1].`, `${other}. ${end} [1].`);
    expect(before('Lund sued Weber in Ulm in 1990', 'Weber sued Lund in Ulm in 1990')).toContainEqual([`[Lund:] ${end}.`, 2]);
    expect(before('Weber’s mill of Ulm was sold to Lund', 'Weber’s mill of Ulm was closed by Lund')).toContainEqual([`${end}.`, 2]);
  });

  it('does not end before what its last word opens', () => {
    const list = 'The clinic of Ulm keeps a list of patients';
    expect(claimsOf(`${list} so that nobody is called twice [1].`, `${list} [1].`)).toContainEqual([`${list}.`, 2]);
    expect(
      claimsOf('More carbon is stored in bogs than in all forests of Ulm [1].', 'Bogs store more carbon than all forests of Ulm [1].').map(
        ([claim]) => claim,
      ),
    ).not.toContain('More carbon is stored in bogs than.');
  });

  it('is no denial that one of them limits', () => {
    const claims = claimsOf(
      'The sequences of Ulm are not replicated [1].',
      'The sequences of Ulm are not replicated before version 19 [1].',
    );
    expect(claims).toEqual(
      expect.arrayContaining([
        ['The sequences of Ulm are not replicated.', 1],
        ['The sequences of Ulm are not replicated before version 19.', 1],
      ]),
    );
  });

  it('has no word of quantity for its subject', () => {
    expect(claimsOf('Most have a strong drive to hunt. They can live with cats [1].').map(([claim]) => claim)).toContain(
      '[Most have a strong drive to hunt.] They can live with cats.',
    );
  });
});

describe('two copies that differ in one rank, score or required version', () => {
  it.each([
    [
      'Weber died in Greenland in November 1930 on his fourth expedition',
      'Weber died in Greenland in November 1930 on his third expedition',
    ],
    ['The club of Ulm finished third in the league', 'The club of Ulm finished fourth in the league'],
    ['The keeper saved a penalty to win the match 3–2', 'The keeper saved a penalty to win the match 3–1'],
    ['Fastify 5 requires Node.js 20 or later', 'Fastify 5 requires Node.js 18 or later'],
    ['The tool needs at least Python 3.9', 'The tool needs at least Python 3.11'],
  ])('contradict each other: %s', (one, other) => {
    const { claims } = synthesisOf(`${one} [1].`, `${other} [1].`);
    expect(claims.map(({ contradicting }) => contradicting.map(({ cue }) => cue))).toEqual([['value'], ['value']]);
  });

  it.each([
    ['The app of Ulm runs on Windows 10', 'The app of Ulm runs on Windows 11'],
    ['The tool of Ulm needs Node.js 20', 'The tool of Ulm needs Node.js 20.11'],
    ['The course of Ulm requires Room 12', 'The course of Ulm requires Room 14'],
    ['The airline of Ulm flies the Boeing 737-800', 'The airline of Ulm flies the Boeing 737-900'],
    ['The way to Ulm took about 2–3 hours', 'The way to Ulm took about 2–4 hours'],
    ['Weber published his first novel in Ulm in 1990', 'Weber published his second novel in Ulm in 1990'],
    ['Weber scored in the first half in 2004', 'Weber scored in the second half in 2004'],
    ["The club's third title came in 2004 under Weber", "The club's fourth title came in 2004 under Weber"],
  ])('may both hold: %s', (one, other) => {
    expect(synthesisOf(`${one} [1].`, `${other} [1].`).claims.flatMap(({ contradicting }) => contradicting)).toEqual([]);
  });
});
