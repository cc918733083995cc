import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

const QUERY = 'What is known of Ada Kent and the Kelm Bank?';

function claimsOf(one: string, other: string): RecordedClaim[] {
  const steps = [reported('provider-a', one, ['https://0.example/1']), reported('provider-b', other, ['https://1.example/1'])];
  return synthesize({ query: QUERY, mode: 'fast', tier: 'L', steps }).claims;
}

const sharedBy = (one: string, other: string): string[] =>
  claimsOf(one, other)
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

  it('are told by the name of their subject, however that ends', () => {
    expect(sharedBy('Turing reported to Kelm in May 1939, the day Norland fell.', 'Turing reported to Kelm in May 1939.')).toEqual([
      'Turing reported to Kelm in May 1939.',
    ]);
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

describe('what two reports share and neither states', () => {
  it.each([
    [
      'half of a condition',
      'A firm is presumed a gatekeeper if it has a turnover of 7.5 billion euros in each of three years or a value of 75 billion.',
      'A firm is presumed a gatekeeper if it has a turnover of 7.5 billion euros or a value of 75 billion, plus 45 million users.',
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
