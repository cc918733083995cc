import { quotesOf } from '@lib/synthesis/sentences/quotes';
import { synthesize } from '@lib/synthesis/synthesize';
import { expectVerbatim, reported, sectionOf } from './steps';

const table = (head: readonly string[], ...rows: readonly string[][]): string =>
  [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Each claim with how many reports support and contradict it. */
function claimsOf(...reports: string[]): (readonly [string, number, number])[] {
  const steps = reports.map((report, at) => reported(at === 0 ? 'provider-a' : 'provider-b', report, [`https://${String(at)}.example/1`]));
  const synthesis = synthesize({ query: 'Compare LTO and NMC batteries', mode: 'fast', tier: 'L', steps });
  expectVerbatim(synthesis, steps);
  return synthesis.claims.map(({ claim, supporting, contradicting }) => [claim, supporting.length, contradicting.length] as const);
}

/** Of 100 KB. */
const QUADRATIC_TAKES_MS = 4_000;

describe('a row of a table', () => {
  const head = ['Property', 'LTO', 'NMC'];
  const row = ['Cycle life', '10,000 cycles', '2,000 cycles'];

  it('says of each cell what its column is', () => {
    expect(claimsOf(table(head, row))).toEqual([['Cycle life | LTO: 10,000 cycles | NMC: 2,000 cycles', 1, 0]]);
  });

  it.each([
    [['Lake', 'Value'], ['Shore', '412 km'], 'Shore | 412 km'],
    [['Year', 'Riders'], ['2021', '61,204'], '2021 | Riders: 61,204'],
    [['Year', 'Event'], ['1871', 'Closure'], '1871 | Closure'],
    [['Mixture', 'What it produces'], ['Bleach and vinegar', 'Chlorine gas'], 'Bleach and vinegar | What it produces: Chlorine gas'],
    [['Method', 'Why'], ['Slow fading', 'Little crying'], 'Slow fading | Little crying'],
    [['If you…', 'Then…'], ['hate crowds', 'Stay the night'], 'If you hate crowds | Then: Stay the night'],
  ])('is a claim however short: %j, %j', (short, cells, claim) => {
    expect(claimsOf(table(short, cells))).toEqual([[claim, 1, 0]]);
  });

  it.each([
    ['an empty corner', '| | Oil | Gas |\n|---|---|---|\n| Lifetime | 20 years | 15 years |\n| Who pays | You | Seller |'],
    ['no corner', '| Oil | Gas |\n|---|---|\n| Lifetime | 20 years | 15 years |\n| Who pays | You | Seller |'],
    ['no corner, above a longer line', '| Oil | Gas |\n|---|---|---|\n| Lifetime | 20 years | 15 years |\n| Who pays | You | Seller |'],
    ['no bars at its sides', 'Oil | Gas\n--- | --- | ---\nLifetime | 20 years | 15 years\nWho pays | You | Seller'],
  ])('is a claim below %s', (_, report) => {
    expect(claimsOf(report).map(([claim]) => claim)).toEqual([
      'Lifetime | Oil: 20 years | Gas: 15 years',
      'Who pays | Oil: You | Gas: Seller',
    ]);
  });

  it('is looked for below a long line in a time that grows with its length', () => {
    const started = performance.now();
    const quotes = quotesOf(`Oil | Gas\n${' '.repeat(100_000)}x\nLifetime | 20 years\n\nThe mill of Kelm closed in 1990.`);
    expect(performance.now() - started).toBeLessThan(QUADRATIC_TAKES_MS);
    expect(quotes.map(({ text }) => text)).toContain('The mill of Kelm closed in 1990.');
  });

  it('has no heads of another table where its own are empty', () => {
    const report = `${table(head, row)}\n\n| | |\n|---|---|\n| Price | $90 |\n| Colour | white |`;
    expect(claimsOf(report).map(([claim]) => claim)).toEqual(expect.arrayContaining(['Price | $90', 'Colour | white']));
  });

  it('is agreed whatever the order of the columns', () => {
    const claims = claimsOf(table(head, row), table(['', 'NMC', 'LTO'], ['Cycle life', '2,000 cycles', '10,000 cycles']));
    expect(claims).toEqual([['Cycle life | LTO: 10,000 cycles | NMC: 2,000 cycles', 2, 0]]);
  });

  it('is disputed in the cells that differ, and agreed in the others', () => {
    const claims = claimsOf(table(head, row), table(head, ['Cycle life', '10,000 cycles', '3,000 cycles']));
    expect(claims).toEqual([
      ['Cycle life | LTO: 10,000 cycles', 2, 0],
      ['Cycle life | NMC: 2,000 cycles', 1, 1],
      ['Cycle life | NMC: 3,000 cycles', 1, 1],
    ]);
  });

  it('is told by two cells where other rows begin with the same one', () => {
    const limits = (...rows: string[][]): string => table(['Region', 'Substance', 'Limit', 'Since'], ...rows);
    const two = [
      ['North', 'LTO dust', '4 mg', '2021'],
      ['North', 'NMC dust', '10 mg', '2024'],
    ];
    const claims = claimsOf(limits(...two), limits(two[1] ?? [], ['South', 'NMC dust', '9 mg', '2022']));
    expect(claims.map(([claim]) => claim)).toContain('North | Substance: LTO dust | Limit: 4 mg | Since: 2021');
    expect(claims.filter(([, , contradicting]) => contradicting > 0)).toEqual([]);
  });

  it('tells below "Before" what held once, which nobody denies who says that it ended', () => {
    const disputed = (column: string): boolean =>
      claimsOf(table(['Rule', column], ['Maximum fine', '5,000 euros']), 'The maximum fine is 7,000 euros [1].').some(
        ([, , against]) => against > 0,
      );
    expect(['Before', 'Until now', 'Formerly', 'Now'].map(disputed)).toEqual([false, false, false, true]);
  });

  it('does not say of one column what stands in the next', () => {
    const claims = claimsOf(table(head, row), table(['Property', 'NMC', 'LTO'], row));
    expect(claims.map(([, supporting, contradicting]) => [supporting, contradicting])).toEqual(Array.from({ length: 4 }, () => [1, 1]));
    expect(claimsOf(table(head, row), 'LTO has a cycle life of 2,000 cycles [1].').filter(([, supporting]) => supporting > 1)).toEqual([]);
  });

  it('confirms what a sentence of another report says', () => {
    const claims = claimsOf(
      table(['Chemistry', 'Cycle life', 'Cost'], ['LTO', '10,000 cycles', '900 $/kWh']),
      'LTO has a cycle life of 10,000 cycles [1].',
    );
    expect(claims).toContainEqual(['LTO has a cycle life of 10,000 cycles.', 2, 0]);
  });

  it('has another unit below another head', () => {
    const claims = claimsOf(table(['Type', 'Price (USD)'], ['LTO', '799']), table(['Type', 'Price (EUR)'], ['LTO', '799']));
    expect(claims.map(([, supporting, contradicting]) => [supporting, contradicting])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it.each([
    ['a rank', ['Rank', 'Company', 'Deliveries', 'Margin'], ['1', 'Tesla', '1.8 million', '9 %'], ['1', 'BYD', '1.8 million', '5 %']],
    ['a step', ['Step', 'Town', 'Days'], ['1', 'Kelm', '30'], ['1', 'Ulm', '30']],
    ['a year', ['Year', 'Winner', 'Goals'], ['2022', 'Kelm', '3'], ['2022', 'Ulm', '3']],
    ['a quarter', ['Quarter', 'Revenue', 'Margin'], ['Q1 2024', '21 billion', '9 %'], ['Q1 2024', '43 billion', '9 %']],
  ])('is not about %s', (_, head, one, other) => {
    expect(claimsOf(table(head, one), table(head, other)).map(([, supporting, contradicting]) => [supporting, contradicting])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('has figures of what its heading says, below years', () => {
    const figures = (heading: string, ...cells: string[]): string =>
      `## ${heading}\n\n${table(['Company', '2023', '2024'], ['Kelm', ...cells])}`;
    const claims = claimsOf(figures('Revenue growth', '19 %', '1 %'), figures('Profit margin', '15 %', '7 %'));
    expect(claims).toEqual([
      ['Kelm | Revenue growth, 2023: 19 % | Revenue growth, 2024: 1 %', 1, 0],
      ['Kelm | Profit margin, 2023: 15 % | Profit margin, 2024: 7 %', 1, 0],
    ]);
  });

  it.each([
    ['the head of the first column names measures', 'Kelm in spring', ['Metric', 'Q1 2026', 'Q1 2025']],
    ['the heading announces several', 'Kelm, Q1 2026: key figures', ['', 'Q1 2026', 'Q1 2025']],
  ])('names its own measure where %s', (_, heading, columns) => {
    expect(claimsOf(`## ${heading}\n\n${table(columns, ['Revenue', '$1.84bn', '$1.64bn'])}`)).toEqual([
      [expect.stringMatching(/^(\[.*:\] )?Revenue \| Q1 2026: \$1\.84bn \| Q1 2025: \$1\.64bn$/), 1, 0],
    ]);
  });

  it('is of the thing in the head of its column', () => {
    const claims = claimsOf(
      table(['Metric', 'Kelm'], ['Deliveries in 2023', '1.8 million']),
      table(['Metric', 'Ulm'], ['Deliveries in 2023', '1.9 million']),
    );
    expect(claims.map(([, supporting, contradicting]) => [supporting, contradicting])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('is cut at its lines and not at those inside of a cell, and its heads have no marks', () => {
    const report = '| Model | Trim \\| Line | Range [1] |\n| - | - | - |\n| Model Y | Long \\| Range | 500 km |';
    expect(claimsOf(report).map(([claim]) => claim)).toEqual(['Model Y | Trim | Line: Long | Range | Range: 500 km']);
  });

  it('stands in the report without the bars between its cells, and with those inside of one', () => {
    const markdownOf = (...reports: string[]): string =>
      synthesize({
        ...{ query: 'Compare LTO and NMC batteries', mode: 'fast', tier: 'L' },
        steps: reports.map((report, at) => reported(at === 0 ? 'provider-a' : 'provider-b', report, [])),
      }).markdown;
    expect(markdownOf(table(head, row))).toContain('1. Cycle life — LTO: 10,000 cycles; NMC: 2,000 cycles (provider-a; low)');
    const disputed = sectionOf(markdownOf(table(head, row), table(head, ['Cycle life', '10,000 cycles', '3,000 cycles'])), 'Disputed');
    expect(disputed).toContain('“Cycle life — NMC: 2,000 cycles” (provider-a) | “Cycle life — NMC: 3,000 cycles” (provider-b)');
    expect(markdownOf('| Task | Command |\n| - | - |\n| Count batteries | `ls \\| wc` prints 12 |')).toContain(
      'Count batteries \\| Command: ls \\| wc prints 12 (',
    );
  });

  it.each([
    ['more cells than heads', table(['Type', 'Price'], ['LTO', '799 dollars', '12 kg'])],
    ['without a head', '| | |\n| - | - |\n| LTO batteries | cost 799 dollars |'],
    ['without a first cell', table(['Type', 'Price', 'Weight'], ['', '799 dollars', '12 kg'])],
    [
      'of very many cells',
      table(
        ['Type', ...Array.from({ length: 40 }, (_, at) => `C${String(at)}`)],
        ['LTO', ...Array.from({ length: 40 }, (_, at) => `${String(at)} dollars`)],
      ),
    ],
  ])('loses nothing: %s', (_, report) => {
    expect(claimsOf(report).some(([claim]) => claim.includes('dollars'))).toBe(true);
  });
});
