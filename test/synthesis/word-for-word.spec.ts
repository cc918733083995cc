import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

const QUERY = 'What is known of Ada Kent and the Kelm Bank?';

function claimsOf(one: string, other: string, query = QUERY): RecordedClaim[] {
  const steps = [reported('provider-a', one, ['https://0.example/1']), reported('provider-b', other, ['https://1.example/1'])];
  return synthesize({ query, mode: 'fast', tier: 'L', steps }).claims;
}

const sharedBy = (one: string, other: string, query?: string): string[] =>
  claimsOf(one, other, query)
    .filter(({ supporting }) => supporting.length > 1)
    .map(({ claim }) => claim);

describe('sentences that begin word for word alike', () => {
  it.each([
    [
      'Kelm Bank moved its archive from Ulm to Bern in 2020 after a fire.',
      'Kelm Bank moved its archive from Ulm to Bern in 2020 because rents had risen.',
      'Kelm Bank moved its archive from Ulm to Bern in 2020.',
    ],
    [
      'Ada Kent reported to Kelm on 4 September 1939 and went on to lead the archive, which grew.',
      'Ada Kent reported to Kelm on 4 September 1939, the day after Norland declared war.',
      'Ada Kent reported to Kelm on 4 September 1939.',
    ],
    [
      'Kelm Bank had 31 open findings, about three times the average, when it failed.',
      'Kelm Bank had 31 open findings, about three times the average.',
      'Kelm Bank had 31 open findings, about three times the average.',
    ],
    [
      'Kelm Bank held about 40 tonnes of silver in Ulm, when it failed.',
      'Kelm Bank held about 40 tonnes of silver in Ulm.',
      'Kelm Bank held about 40 tonnes of silver in Ulm.',
    ],
    [
      'Insects are declining in many places, often by something like 1–2% a year, with steep losses in Norland.',
      'Insects are declining in many places, often by something like 1 to 2% a year.',
      'Insects are declining in many places, often by something like 1 to 2% a year.',
    ],
    [
      '## The prize question\n\nKent had died of a fever on 16 April 1958, aged 37.',
      '## Her death\n\nKent had died of a fever on 16 April 1958, aged 37, after years of work on viruses.',
      'Kent had died of a fever on 16 April 1958, aged 37.',
    ],
  ])('agree on the beginning: %s', (one, other, shared) => {
    expect(sharedBy(one, other)).toEqual([shared]);
    expect(sharedBy(other, one)).toEqual([shared]);
  });

  it.each([
    ['a condition', 'Kelm Bank repays its customers in full.', 'Kelm Bank repays its customers in full, unless they were warned.'],
    [
      'a verdict on it',
      'Ada Kent forged the accounts of Kelm Bank in 2020.',
      'Ada Kent forged the accounts of Kelm Bank in 2020, a claim that was disproved.',
    ],
    [
      'among what it ranks',
      'In October 1975 Rahima Kent had the last natural case.',
      'In October 1975 Rahima Kent had the last natural case of the major form.',
    ],
    ['a limit to all', 'All branches of Kelm Bank closed in 2020.', 'All branches of Kelm Bank closed in 2020, other than those in Ulm.'],
    [
      'something else behind the same word',
      'Kelm Bank moved its archive to Bern after a fire.',
      'Kelm Bank moved its archive to Bern after a flood.',
    ],
  ])('do not if one adds %s', (_, one, other) => {
    expect(sharedBy(one, other)).toEqual([]);
    expect(sharedBy(other, one)).toEqual([]);
  });

  it.each([
    [
      'a clause without its verb',
      'The Kelm tariff is listed at 12 euros per user and the Ulm tariff at 22, so a firm with 20 people pays 440 euros.',
      'The Kelm tariff is listed at 12 euros per user and the Ulm tariff at 22, so a firm should ask for a rebate.',
      'The Kelm tariff is listed at 12 euros per user and the Ulm tariff at 22.',
    ],
    [
      'a part of which nothing is said',
      'Days of leave can be taken in fractions in Kelm, most of them before the child is four.',
      'Days of leave can be taken in fractions in Kelm, most of them until school begins.',
      'Days of leave can be taken in fractions in Kelm.',
    ],
  ])('end before %s', (_, one, other, shared) => {
    expect(sharedBy(one, other)).toEqual([shared]);
    expect(sharedBy(other, one)).toEqual([shared]);
  });

  it('agree below a heading that may name something else if they have three figures and a date', () => {
    const vote = 'In July 2023 a motion to reject the deal failed by 312 to 324';
    const section = '# The Kelm Law\n\n### Opposition\n\n**Parliament.** The main opponent in the European Parliament was a group.';
    expect(sharedBy(`It is an old plan. ${vote}, and another was adopted by 336 to 300.`, `${section} ${vote}.`)).toEqual([`${vote}.`]);
  });

  it('do not below opposite headings, whatever figures they have', () => {
    const vote = 'In July 2023 a motion to reject the deal failed by 312 to 324.';
    expect(sharedBy(`It is old.\n\n## Public banks\n\n${vote}`, `It is new.\n\n## Private banks\n\n${vote}`)).toEqual([]);
  });

  it('end before half a clause also where the question has its words', () => {
    const claims = sharedBy(
      'Kelm Business Standard has listed at about $12.50 per user per month and Business Premium at $22, so a firm with 20 people pays $3,000.',
      'Kelm Business Standard has listed at about $12.50 per user a month, and Business Premium at about $22.',
      'Should a small company move to the cloud, and what does it cost?',
    );
    expect(claims).toEqual([expect.stringMatching(/^Kelm Business Standard has listed .*\$22\.$/)]);
  });

  it('are told by the name of their subject, however that ends', () => {
    expect(
      sharedBy(
        'Turing reported to Kelm on 4 September 1939, the day after Norland declared war on Ulm.',
        'Turing reported to Kelm on 4 September 1939 and went on to lead the archive, which grew.',
      ),
    ).toEqual(['Turing reported to Kelm on 4 September 1939.']);
  });
});

describe('equal sentences of which nobody can tell the subject', () => {
  const REST = 'The rest may have burned, been blown out to sea, or been removed earlier.';

  it('are one claim, of low confidence', () => {
    const [claim] = claimsOf(`The bank estimated that 552 tonnes exploded. ${REST}`, `A report had 552 tonnes detonate. ${REST}`).filter(
      ({ supporting }) => supporting.length > 1,
    );
    expect(claim).toMatchObject({ claim: expect.stringContaining(REST) as string, confidence: 'low' });
  });

  it('stay apart below headings that name different things', () => {
    expect(sharedBy(`## Kelm\n\nIt is a port. ${REST}`, `## Ulm\n\nIt is a port. ${REST}`)).toEqual([]);
  });
});

describe('equal rows of tables without figures', () => {
  const row = (head: string, cells: string): string => `| ${head} |\n|---|---|\n| ${cells} |\n`;

  it('are agreed below equal heads', () => {
    expect(sharedBy(row('Bank | Seat', 'Kelm Bank | Ulm'), row('Bank | Seat', 'Kelm Bank | Ulm'))).toEqual(['Kelm Bank | Seat: Ulm']);
    expect(sharedBy(row('Bank | Seat', 'Kelm Bank | Ulm'), row('Bank | Seat', 'Kelm Bank | Bern'))).toEqual([]);
    expect(sharedBy(row('Bank | Seat', 'Kelm Bank | Ulm'), row('Bank | Archive', 'Kelm Bank | Ulm'))).toEqual([]);
  });

  it('are agreed behind a date, whatever the column of events is called', () => {
    expect(
      sharedBy(row('Date | Event', '3 May 2020 | Kelm Bank fails'), row('When | What happened', '3 May 2020 | Kelm Bank fails')),
    ).toEqual(['3 May 2020 | Kelm Bank fails']);
  });
});

it('the items that two lists of three share are one claim, although one item has an article', () => {
  expect(
    sharedBy(
      'Kelmia encrypts secrets by default and offers real loops, classes, unit tests and an Automation API.',
      'Kelmia offers loops, classes, package managers and ordinary frameworks.',
    ),
  ).toEqual(['Kelmia offers loops and classes.']);
});

it('a heading and a name stand in one pair of brackets before a claim', () => {
  const one = '## The 2024 relapse\n\nBoeing was in trouble. It raised $20 billion in equity and lost $11.8 billion.';
  expect(sharedBy(one, 'The year was bad. Boeing lost $11.8 billion in 2024 alone.', 'What happened to Boeing?')).toEqual([
    '[The 2024 relapse: Boeing] lost $11.8 billion.',
  ]);
});

it('a claim without its sentence ends without the mark of a list', () => {
  const item = 'north of Kelm: from 39.8% to 30.0%';
  expect(sharedBy(`Coral cover fell:\n\n- ${item};\n- south of Kelm: from 38.9% to 26.9%.`, `Coral cover fell:\n\n- ${item}.`)).toEqual([
    item,
  ]);
});

describe('what two reports share and neither states', () => {
  it.each([
    [
      'half of a condition',
      'A company is presumed to be a gatekeeper if it has an annual EU turnover of at least €7.5 billion in each of the last three years, or a market value of €75 billion, and if its service has 45 million users.',
      'A company is presumed to be a gatekeeper if it has at least €7.5 billion in annual EU turnover or a €75 billion market value, plus a core service with 45 million users.',
    ],
    [
      'what describes a noun, for a deed of the subject',
      'The Kelm trial enrolled 17,802 people with normal weight but raised blood pressure, gave them Zelin and ended early.',
      'The Kelm trial, which enrolled 17,802 people with normal weight but raised blood pressure, tested Orsin.',
    ],
    [
      'a noun whose participle looks like a verb',
      'Doubly linked lists, observer patterns and references are awkward.',
      'Graphs and doubly linked lists fit poorly, so people use indices.',
    ],
    [
      'a noun of which only a relative clause tells',
      'The pictures are divided into these:\n\n- plants, most of which cannot be identified;\n- diagrams of stars.',
      'Most plants cannot be identified.',
    ],
  ])('is no claim: %s', (_, one, other) => {
    const wrong = /raised|gatekeeper|^Doubly linked lists|^plants/;
    expect([...sharedBy(one, other), ...sharedBy(other, one)].filter((claim) => wrong.test(claim))).toEqual([]);
  });
});
