import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

/** The quoted lines of the answer to a question over two versions of a text. */
async function quotedOf([one, other]: readonly [string, string], query: string): Promise<string> {
  const { markdown, citations } = await ask(folderOf({ 'a/rules.md': one, 'b/rules.md': other }), { query });
  return citations.map(({ startIndex, endIndex }) => markdown.slice(startIndex ?? 0, endIndex ?? 0)).join('\n');
}

const HOTELS = (limit: string, meals: string, day: string): string => `# Expenses

## Hotels and meals

Book hotels through the travel desk. The limit is ${limit} EUR a night in all cities that have no limit of their own. Meals are refunded up
to ${meals} EUR a day while you travel; keep the receipt if a meal costs more than 15 EUR. Alcohol is never refunded. Hand in the claim in
Ledgerly before the ${day}th of the month to have it paid with the next salary.
`;

const EVERYBODY = (days: string): string =>
  `Everybody has ${days} days of paid holiday a year, plus the public holidays of the country that they work in.`;

describe('of two versions of a text the answer quotes both', () => {
  it.each([
    ['if they differ in a figure', [EVERYBODY('25'), EVERYBODY('27')]],
    ['if they differ in a word for a number', [EVERYBODY('twenty'), EVERYBODY('thirty')]],
    ['if one denies it', ['Paid holiday can be carried over to the next year.', 'Paid holiday cannot be carried over to the next year.']],
  ] as const)('%s', async (_, [one, other]) => {
    const quoted = await quotedOf([`# Time off\n\n${one}\n`, `# Time off\n\n${other}\n`], 'What is said about paid holiday?');
    expect(quoted).toContain(one);
    expect(quoted).toContain(other);
  });

  it('if whole sections of them are alike', async () => {
    const quoted = await quotedOf([HOTELS('120', '35', '20'), HOTELS('140', '45', '25')], 'What is the limit for hotels?');
    expect(quoted).toContain('120 EUR');
    expect(quoted).toContain('140 EUR');
  });
});

it('a text that only says more than another one is a repetition of it', async () => {
  const text = EVERYBODY('25');
  const quoted = await quotedOf([`# Time off\n\n${text}\n`, `# Time off\n\n${text} (2026)\n`], 'How many days of paid holiday do I have?');
  expect(quoted.match(/25 days/g)).toHaveLength(1);
});
