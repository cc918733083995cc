import { synthesize } from '@lib/synthesis/synthesize';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { claimsOf, reported } from './steps';

function sharedBy(one: string, other: string): string[] {
  const steps = [reported('provider-a', one, ['https://0.example/1']), reported('provider-b', other, ['https://1.example/1'])];
  const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
  return claims.filter(({ supporting }: RecordedClaim) => supporting.length > 1).map(({ claim }) => claim);
}

describe('a subject such as "the Act"', () => {
  it('is what the report spoke of by a name that ends so', () => {
    expect(claimsOf('The Data Portability Act binds all banks. The Act was passed by the parliament of Norland in April 2019.')).toContain(
      '[The Data Portability Act] was passed by the parliament of Norland in April 2019.',
    );
    expect(claimsOf('Kelm Bridge spans the Weil. The bridge has a height limit of 2.4 metres.')).toContain(
      '[Kelm Bridge] has a height limit of 2.4 metres.',
    );
  });

  it('keeps its word where the report names two, or spoke of none', () => {
    const ofTwo = 'Kelm Bridge spans the Weil. Linden Bridge spans the Kelm. The bridge has a height limit of 2.4 metres.';
    expect(claimsOf(ofTwo)).toContain('The bridge has a height limit of 2.4 metres.');
    const byTheWay = 'Boats go on the Weil below Linden Bridge. The bridge has a height limit of 2.4 metres.';
    expect(claimsOf(byTheWay)).toContain('The bridge has a height limit of 2.4 metres.');
  });
});

const twice = (report: string): [string, string] => [report, report];

describe('a subject such as "the main block"', () => {
  it('stands behind what every report says before it, where nobody names it', () => {
    const report = 'A school was built in Kelm in 1950. The main block has a roof of slate [1].';
    expect(sharedBy(report, report)).toContain('[A school was built in Kelm in 1950.] The main block has a roof of slate.');
    expect(sharedBy(...twice('A school was built in Kelm in 1950. What about Ulm? The main block has a roof of slate [1].'))).toEqual([
      'A school was built in Kelm in 1950.',
    ]);
    expect(sharedBy(report, 'A church was built in Ulm in 1920. The main block has a roof of slate [1].')).toEqual([]);
  });
});

describe('a subject such as "the database"', () => {
  it('is what the report says is one', () => {
    const report = 'Tern is a fast key-value store written in Rust. The store has 40 copies of each key.';
    expect(claimsOf(report)).toContain('[Tern] has 40 copies of each key.');
    const ranked = 'Weilsee is the deepest lake of Norland. The lake holds 20 % of its fresh water.';
    expect(claimsOf(ranked)).toContain('[Weilsee] holds 20 % of its fresh water.');
    expect(claimsOf(ranked.replace('the deepest lake', 'the home of a lake'))).toContain('The lake holds 20 % of its fresh water.');
    expect(claimsOf(`# Copies\n\n${report.replace('. The', '.\n\nThe')}`)).toContain('The store has 40 copies of each key.');
  });

  it.each([
    ['is of another thing too', 'Tern is a store written in Rust. It replaced a store of 2009. The store has 40 copies of each key.'],
    ['may be of what was named last', 'Tern is a store written in Rust. In 2010 it replaced Corvid. The store has 40 copies of each key.'],
    ['is of two', 'Tern is a store written in Rust. Corvid is a store of Kelm. The store has 40 copies of each key.'],
  ])('keeps its word where that %s', (_, report) => {
    expect(claimsOf(report)).toContain('The store has 40 copies of each key.');
  });

  it.each([
    [
      'What is Tern?',
      'The store has 40 copies of each key.',
      'Tern is a store of Kelm. Corvid was founded in Ulm. The store has 40 copies of each key.',
    ],
    [
      'What is known?',
      'The country has 10.5 million people.',
      'Norway is a country in Europe. Sweden lies east of it. The country has 10.5 million people.',
    ],
    [
      'How did the drug Vioxx differ from Celebrex?',
      'The drug earned 2.5 billion in 2004.',
      'Celebrex was sold by Pfizer from 1999. The drug earned 2.5 billion in 2004.',
    ],
    [
      'Did the river Rhine flood more than the river Rhone?',
      'The river is 40 km shorter now.',
      'A dam was built in 1990. The river is 40 km shorter now.',
    ],
    ['What is the Tern store?', 'The store sold 40 books in 2009.', 'Corvid was founded in Ulm in 2009. The store sold 40 books in 2009.'],
    [
      'Who is the king Charles III’s wife?',
      'The king was crowned in May 2023 in London.',
      'Nobody came. The king was crowned in May 2023 in London.',
    ],
  ])('is not the one of the question, nor the one so called, where another is named: %s', (query, claim, report) => {
    expect(claimsOf(report, query)).toContain(claim);
  });

  it('is not joined with another report’s where another was named since', () => {
    const [one, other] = [
      'Roth is a lawyer. Weil met the judge. The lawyer died in Ulm [1].',
      'Weil is a lawyer. The lawyer died in Ulm [1].',
    ];
    expect([...sharedBy(one, other), ...sharedBy(other, one)]).toEqual([]);
    const ofTwo = 'Tern is a database written in Rust. Corvid appeared in 1995. The database has 40 million users [1].';
    expect(sharedBy(ofTwo, ofTwo)).not.toContainEqual(expect.stringMatching(/40 million/));
  });

  it.each([
    ['What is the Tern store and who pays for it?', '[The Tern store] has 40 copies of each key.'],
    ['What is known of the fast store Tern?', '[Tern] has 40 copies of each key.'],
  ])('is what the question calls so: %s', (query, claim) => {
    const report = 'Nobody pays for updates of Kelm since 2009 [1].\n\nThe store has 40 copies of each key [1].';
    const { claims } = synthesize({ query, mode: 'fast', tier: 'L', steps: [reported('provider-a', report, ['https://0.example/1'])] });
    expect(claims.map((one) => one.claim)).toContain(claim);
  });
});

describe('a subject such as "the company" in reports on a message that names no company', () => {
  it.each([
    ['How large is the company? Google is out of scope.'],
    ['How many people work for the company? Please answer briefly.'],
    ['How large is the company? Thanks!'],
    ['How large is the company\n\nSent from Kelm'],
    ['Who leads the company’s Ulm office?'],
    ['How old is the company, Anna?'],
  ])('keeps its word: %s', (query) => {
    expect(claimsOf('Nobody pays for updates since 2009.\n\nThe company employs 5,000 people in Europe.', query)).toContain(
      'The company employs 5,000 people in Europe.',
    );
  });

  it('is no title of a person', () => {
    const report = 'Nobody pays for updates since 2009.\n\nThe engineer built 40 mills in Ulm.';
    expect(claimsOf(report, 'What did the engineer Dr. Roth build?')).toContain('The engineer built 40 mills in Ulm.');
  });

  it('is written on one line where the message names it on two', () => {
    const report = 'Nobody pays for updates since 2009.\n\nThe tank has 40 litres of oil.';
    expect(claimsOf(report, 'How large is the\nRotax tank?')).toContain('[The Rotax tank] has 40 litres of oil.');
  });
});

describe('a subject with a small letter, such as "the bank"', () => {
  it.each([
    [
      'the name stands in another section',
      '## Europe\n\nThe World Bank lent 3 million.\n\n## Kelm\n\nThe bank of Kelm is old. The bank failed in 2009.',
    ],
    [
      'another one is spoken of',
      'The Supreme Court agreed to hear it. A federal court in Texas heard the challenge in 2021. The court struck down the rule.',
    ],
  ])('keeps its word where %s', (_, report) => {
    expect(claimsOf(report).filter((claim) => /^\[The (?:World Bank|Supreme Court)\]/.test(claim))).toEqual([]);
  });

  it('is looked up in time that grows with the report, also where every word could begin a name', () => {
    const before = process.cpuUsage();
    claimsOf(`The Kelm Act was passed in 2001. ${'The '.repeat(100_000)}x. The act is old and was repealed in 2009.`);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });
});

describe('what several reports say', () => {
  it.each([
    ['where', 'As of January 2010 there were 1,461 pupils.'],
    ['what "it" is', 'Instead, it relies on the work of 300 volunteers.'],
    ['what lies there', 'Located in Port Vila, it contains about 15,000 books.'],
    ['who "he" is', 'After World War II he opened a school of 40 pupils in Sarasota.'],
    ['what was converted', 'After the war it was converted into a parcel office with 30 counters.'],
    ['which bills these are like', 'Similar bills were introduced in 2005 and 2006.'],
    ['where they have offices', 'More than 146 federal agencies maintain a presence there.'],
    ['which table', 'Rather rough estimates of 40 rockets are given in the following table.'],
    ['of whom most', 'However, the majority are poorly enforced in all towns.'],
    ['what makes a good crop', 'It has been noted that it makes a good cover crop.'],
    ['what they leave', 'Spiderlings eventually leave it completely.'],
    ['which house', 'The house was built for Ada Brandt.'],
    ['whose wings', 'The hindwings are brownish black.'],
  ])('does not leave open %s', (_, sentence) => {
    const report = sentence.replace(/\.$/, ' [1].');
    expect(sharedBy(report, report)).toEqual([]);
  });

  it('may point to what it names itself', () => {
    const report = 'Norland passed the Data Act in 2019, and this was the first such law [1].';
    expect(sharedBy(report, report)).toEqual(['Norland passed the Data Act in 2019, and this was the first such law.']);
  });
});
