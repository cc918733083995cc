import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

const FEES = {
  'fees-2024.md': '# Fees 2024\n\nA mooring for a boat costs 40 euros a night.\n',
  'fees-2025.md': '# Fees 2025\n\nA mooring for a boat costs 45 euros a night.\n',
};
const asking = (when: string): string => `What does a mooring for a boat cost ${when}?`;

describe('a question about a year', () => {
  it.each([
    ['in 2024', '40 euros', '45 euros'],
    ['in 2025', '45 euros', '40 euros'],
  ])('is answered by what holds for that year: %s', async (when, right, wrong) => {
    const [answer = ''] = (await ask(folderOf(FEES), { query: asking(when) })).markdown.split('## Further passages');
    expect(answer).toContain(right);
    expect(answer).not.toContain(wrong);
  });

  it('is not answered if the documents only tell of later years, and the year is named', async () => {
    const { markdown } = await ask(folderOf(FEES), { query: asking('in 2019') });
    expect(markdown).toContain('The documents do not mention: 2019.');
    expect(markdown).toMatch(/These documents do not answer the question.*“2019”/);
  });

  it.each([
    ['of a year after all that the documents tell of', { ...FEES, 'fees-2024.md': '' }, 'in 2026'],
    ['since a year that no document mentions', FEES, 'since 2019'],
    ['for a number that looks like a year', FEES, 'for 2000 people'],
    ['if the documents tell of no year', { 'fees.md': '# Fees\n\nA mooring for a boat costs 45 euros a night.\n' }, 'in 2019'],
  ])('is answered %s', async (_, documents, when) => {
    const [answer] = (await ask(folderOf(documents), { query: asking(when) })).markdown.split('## Further passages');
    expect(answer).toContain('45 euros');
  });
});
