import { PROVIDERS } from '@lib/domain/vocabulary';
import { synthesize } from '@lib/synthesis/synthesize';
import { reported, sectionOf } from './steps';

const reportOf = (query: string, ...reports: string[]): string =>
  synthesize({
    ...{ query, mode: 'fast', tier: 'L' },
    steps: reports.map((text, at) => reported(PROVIDERS[at] ?? 'provider-a', text, [`https://${String(at)}.example/1`])),
  }).markdown;

it('of a dispute with more sides than stand in the answer each stands in the table', () => {
  const years = [1911, 1912, 1913, 1914, 1915, 1916].slice(0, PROVIDERS.length);
  expect(years.length).toBeGreaterThan(4);
  const markdown = reportOf(
    'When was the bridge of Kelm opened?',
    ...years.map((year) => `The bridge of Kelm was opened in ${String(year)} [1].`),
  );
  const table = sectionOf(markdown, 'Disputed');
  for (const year of years) expect(table).toContain(`opened in ${String(year)}`);
});

it('what two reports each say against a third is one dispute in one row', () => {
  const markdown = reportOf(
    'How many people work at Kelm?',
    'Kelm has 5,200 employees [1].',
    'Kelm has 4,100 employees [1].',
    'Kelm has about 5,000 employees worldwide [1].',
  );
  expect(sectionOf(markdown, 'Disputed').split('\n').slice(2)).toEqual([
    expect.stringMatching(/^\| “[^|]*4,100[^|]* \| “[^|]*5,200[^|]*” [^|]* or “[^|]*5,000[^|]* \| the amount \|$/),
  ]);
});

it.each([
  ['737 metres (2,418 feet)', '837 metres'],
  ['737 metres deep (2,418 ft)', '837 m deep (2,746 ft)'],
  ['737 metres', '837 metres (2,746 feet)'],
])('a conversion in brackets hides no dispute: %s, %s', (one, other) => {
  const markdown = reportOf('How deep is Lake Arven?', `Lake Arven is ${one} [1].`, `Lake Arven is ${other} [1].`);
  expect(sectionOf(markdown, 'Disputed')).toMatch(/737.*837|837.*737/);
});

it('temperatures are compared in either unit, with or without a conversion', () => {
  const [one, ...others] = ['230 °C (450 °F)', '260 °C (500 °F)', '500 °F', '500 degrees Fahrenheit'] as const;
  for (const other of others)
    expect(
      sectionOf(reportOf('How hot?', `Bake the bread of Kelm at ${one} [1].`, `Bake the bread of Kelm at ${other} [1].`), 'Disputed'),
    ).toMatch(/230 °C.*(?:260|500)|(?:260|500).*230 °C/);
  const same = reportOf('How hot?', `Bake the bread of Kelm at 230 °C [1].`, `Bake the bread of Kelm at 450 °F [1].`);
  expect(same).not.toMatch(/## Disputed|differ/);
});

describe('both sides of a dispute', () => {
  it('have a report that says both on each of them, and count nothing that it says as undisputed', () => {
    const [long, longer] = ['The bridge at Kelm is 120 metres long [1].', 'The bridge at Kelm is 180 metres long [1].'];
    for (const reports of [
      [`${long} ${longer}`, long],
      [`${long} ${longer}`, `${long} ${longer}`],
    ]) {
      const steps = reports.map((report, at) =>
        reported(at === 0 ? 'provider-a' : 'provider-b', report, [`https://${String(at)}.example/1`]),
      );
      const { claims, markdown } = synthesize({ query: 'How long is the bridge at Kelm?', mode: 'fast', tier: 'M', steps });
      expect(claims.map(({ confidence }) => confidence)).toEqual(['low', 'low']);
      expect(markdown).toMatch(/^\| “The bridge at Kelm is 1[28]0 metres long\.”.* \| “The bridge at Kelm is 1[28]0 metres long\.”/m);
      expect(markdown).toContain('No undisputed answer.');
      for (const { supporting, contradicting } of claims)
        expect(contradicting.some(({ provider }) => supporting.some((own) => own.provider === provider))).toBe(false);
    }
  });

  const sides = ['The bridge of Kelm was opened in 1911 [1].', 'The bridge of Kelm was opened in 1935 [1].'] as const;

  it('stand in the answer where they are what was asked', () => {
    expect(sectionOf(reportOf('When was the bridge of Kelm opened?', ...sides), 'Answer')).toMatch(
      /Closest to what was asked:.*1911.*1935/s,
    );
  });

  it('stand in the table alone where they share no word with the question', () => {
    const markdown = reportOf('How do whales sleep?', ...sides);
    expect(sectionOf(markdown, 'Answer')).not.toMatch(/1911|Closest/);
    expect(sectionOf(markdown, 'Disputed')).toMatch(/1911.*1935/s);
  });
});

it('what two reports each tell of a part may be told of two parts', () => {
  const tableOf = (...reports: string[]): string => {
    const markdown = reportOf('What does it cost?', ...reports);
    return markdown.includes('## Disputed') ? sectionOf(markdown, 'Disputed') : '';
  };
  expect(tableOf('Part of the fee is 300 euros [1].', 'Part of the fee is 500 euros [1].')).toBe('');
  expect(tableOf('The fee is 300 euros [1].', 'The fee is 500 euros [1].')).toContain('500');
});

it.each([
  ['हिंदी भारत की राजभाषा है।', 'है।'],
  ['اردو پاکستان کی قومی زبان ہے۔', 'ہے۔'],
  ['東京は日本の首都です', 'です'],
])('a claim ends as its script ends a sentence: %s', (said, end) => {
  const { claims } = synthesize({
    ...{ query: 'भारत 日本 پاکستان', mode: 'fast', tier: 'L' },
    steps: [reported('provider-a', `- ${said} [1]`, ['https://0.example/1'])],
  });
  expect(claims.map(({ claim }) => claim.slice(-end.length))).toEqual([end]);
});

it.each([
  ['A petition against the toll passed 500,000 names; the council declined.', 'A petition against the toll passed 500,000 names.'],
  ['The ferry sailed to Kelm in May 2020, but the captain refused.', 'The ferry sailed to Kelm in May 2020.'],
  ["The union has called for the toll's repeal.", 'The union calls the toll harmful to cats.'],
  ['The union called for an end of the strike.', 'The union called the strike lawful.'],
])('a clause of its own, and what is wished for, denies nothing of what stands before it: %s', (one, other) => {
  expect(sectionOf(reportOf('What happened?', one.replace(/\.$/, ' [1].'), other.replace(/\.$/, ' [1].')), 'Disputed')).toBe('');
});

it('counts against every claim that gives the disputed value', () => {
  const reports = [
    'Kelmworks was founded on August 29, 1997, by Ada Roth and Karl Weil in Scotts Hollow, Norland [1].',
    'Kelmworks was founded in 1997 by Ada Roth and Karl Weil [1].',
    'Kelmworks was founded by Karl Weil and Ada Roth in 1998 in Scotts Hollow, Norland [1].',
  ];
  const steps = reports.map((text, at) => reported(PROVIDERS[at] ?? 'provider-a', text, [`https://${String(at)}.example/1`]));
  const { claims } = synthesize({ query: 'Who founded Kelmworks, and when?', mode: 'fast', tier: 'M', steps });
  expect(claims.filter(({ claim }) => claim.includes('1997')).map(({ confidence }) => confidence)).toEqual(['low', 'low']);
});

it('is found between two answers of a city and its state', () => {
  const markdown = reportOf(
    'Where is Kelmworks headquartered?',
    'Kelmworks is headquartered in Hawthorne, California [1].',
    'Kelmworks is headquartered in Starbase, Texas [1].',
  );
  expect(sectionOf(markdown, 'Disputed')).toMatch(/Hawthorne.*Starbase|Starbase.*Hawthorne/);
});
