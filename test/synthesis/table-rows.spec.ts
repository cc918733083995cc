import { synthesize } from '@lib/synthesis/synthesize';
import { expectVerbatim, reported } from './steps';

const table = (head: readonly string[], ...rows: readonly string[][]): string =>
  [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Each claim with how many reports support and contradict it. */
function claimsOf(...reports: string[]): (readonly [string, number, number])[] {
  const steps = reports.map((report, at) => reported(at === 0 ? 'provider-a' : 'provider-b', report, [`https://${String(at)}.example/1`]));
  const synthesis = synthesize({ query: 'Compare LTO and NMC batteries', mode: 'fast', tier: 'L', steps });
  expectVerbatim(synthesis, steps);
  return synthesis.claims.map(({ claim, supporting, contradicting }) => [claim, supporting.length, contradicting.length] as const);
}

describe('a row of a table', () => {
  const head = ['Property', 'LTO', 'NMC'];
  const row = ['Cycle life', '10,000 cycles', '2,000 cycles'];

  it('says of each cell what its column is', () => {
    expect(claimsOf(table(head, row))).toEqual([['Cycle life | LTO: 10,000 cycles | NMC: 2,000 cycles', 1, 0]]);
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
