import { readFileSync } from 'node:fs';

const text = readFileSync('docs/decisions.md', 'utf8');
const numbersIn = (matches: Iterable<RegExpMatchArray>) => [...matches].map(([, number]) => Number(number));
const byNumber = (one: number, other: number) => one - other;

it('the table of subjects names each decision, and none that is not there', () => {
  const decisions = numbersIn(text.matchAll(/^(\d+)\. \*\*/gm));
  const rows = [...text.matchAll(/^\| [^|]+ \| ([\d, ]+) \|$/gm)].map(([, numbers]) => numbers?.split(', ').map(Number) ?? []);
  expect(decisions.length).toBeGreaterThan(200);
  expect([...new Set(rows.flat())].sort(byNumber)).toEqual(decisions.sort(byNumber));
  for (const numbers of rows) expect(numbers).toEqual(numbers.toSorted(byNumber));
});
