import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

const claimsOf = (reports: readonly string[], query = 'What is known?') =>
  synthesize({
    ...{ query, mode: 'fast', tier: 'L' },
    steps: reports.map((report, at) =>
      reported(at === 0 ? 'provider-a' : at === 1 ? 'provider-b' : 'provider-c', `${report} [1].`, [`https://${String(at)}.example/1`]),
    ),
  }).claims;

describe('two reports that give one thing two figures', () => {
  it.each([
    [
      'quantity',
      'Old Jet erupts on average every 92 minutes and reaches heights of 30 to 55 metres',
      'Old Jet erupts every 74 minutes on average',
    ],
    ['quantity', 'Sund cut prices by up to 9,800 euros, which surprised buyers', 'Sund cut prices by up to 7,600 euros'],
    [
      'quantity',
      'Records of the kind must be kept for at least 10 years',
      'Records of the kind must be retained for at least 5 years, as before',
    ],
    [
      'quantity',
      'Fines go up to 15 million euros or 2.5% of turnover, whichever is higher',
      'Fines go up to 15 million euros or 2% of turnover, whichever is higher',
    ],
    ['quantity', 'Kelm recalled about 145,000 electric cars in May 2024', 'Kelm recalled about 170,000 electric cars in May 2024'],
    ['quantity', 'The gross margin was 42.7%', 'The gross margin stood at 43.1%'],
    ['quantity', 'Population of Kelm: 30,000 people', 'Population of Kelm: 45,000 people'],
    ['quantity', 'Skylign, a maker of software, employs 500 people', 'Skylign employs 320 people'],
    ['direction', 'Shares of Kelm rose 34% in 2025', 'Shares of Kelm fell 12% in 2025'],
  ])('dispute it by their %s, whatever they tell besides: %s', (cue, ...reports) => {
    for (const some of [reports, reports.toReversed()])
      expect(claimsOf(some).flatMap(({ contradicting }) => contradicting.map((evidence) => evidence.cue))).toEqual([cue, cue]);
  });

  it.each([
    ['of two years', 'Shares of Kelm rose 34% in 2025', 'Shares of Kelm rose 12% in 2024'],
    ['of two things', 'The server listens on 8 ports by default', 'The admin server listens on 9 ports by default'],
    ['of two places', 'In Norland rents rose by 9 percent', 'In Sundland rents rose by 12 percent'],
    ['of two groups', 'Zelin helps 40 percent of patients', 'Zelin helps 25 percent of patients in older groups'],
    ['of lower bounds that both hold', 'Julia Roth appeared in more than 200 films', 'Julia Roth appeared in at least 30 films'],
    ['that nobody tells apart', 'The line is 402 kilometres long', 'The line is 400 kilometres long'],
    ['one of which is scaled', 'Net income: $3.2B, a 44% drop', 'Net income: $3.2 billion, a 44% drop'],
    [
      'of two that are told by their tails',
      'Patients lost 15% of their weight, taking Zelin',
      'Patients lost 5% of their weight, taking Ulvarin',
    ],
    ['of two groups behind them', 'Pressure fell by 20%, which held for the young', 'Pressure fell by 35%, which held for the old'],
    ['of upper bounds that both hold', 'The ferry takes less than 20 minutes', 'The ferry takes less than 5 minutes'],
    ['of what goes out and comes in', 'Norland recorded imports of 5 billion euros', 'Norland recorded exports of 7 billion euros'],
    ['of two times of day', 'Adults take 20 mg in the morning', 'Adults take 10 mg in the evening'],
    ['of what is opened and shut', 'The company opened 20 stores', 'The company shut 15 stores'],
    [
      'of two of one name',
      'Skylign, a maker of software in Norland, employs 500 people',
      'Skylign, a maker of software in Sundland, employs 320 people',
    ],
    ['behind a label, of what nobody tells', 'Weight: 211 g', 'Weight: 174 g'],
    ['one a range that holds the other', 'The heart beats between 60 and 100 times per minute', 'The heart beats 72 times per minute'],
    ['behind it, of what restricts one', 'Zelin cut strokes by 40%, which was seen in mice', 'Zelin cut strokes by 25%'],
    ['one of a part', 'Part of the fee is 20 euros', 'The fee is 50 euros'],
    ['of two measures', 'Kelm reported a net income of 5 billion euros', 'Kelm reported an income of 9 billion euros'],
    ['of two measures by other words', 'Kelm reported a revenue of 9 billion euros', 'Kelm reported an income of 5 billion euros'],
    ['one of a group', 'The Kelm Bank pays 5 percent to savers', 'The Kelm Bank pays 3 percent'],
    ['one of two doings', 'Kelm hired 300 workers', 'Kelm hired and trained 200 workers'],
    ['one in letters for millions', 'Kelm earned $3.2B in sales', 'Kelm earned $3.2 billion in sales'],
    ['of two doings', 'Kelm hired 300 workers in May 2020', 'Kelm dismissed and paid off 200 workers in May 2020'],
  ])('dispute nothing where these are %s', (_, ...reports) => {
    for (const some of [reports, reports.toReversed()]) expect(claimsOf(some).flatMap(({ contradicting }) => contradicting)).toEqual([]);
  });

  it.each([
    ['When are the first reports due?', 'The first reports are due on 10 August 2026', 'The first reports are due on 30 June 2026'],
    ['When was the first tree sent?', 'The first tree was sent in 1971', 'The first tree was sent in 1976'],
  ])('dispute it also where it is what is asked: %s', (query, ...reports) => {
    expect(claimsOf(reports, query).map(({ contradicting }) => contradicting.length)).toEqual([1, 1]);
  });
});
