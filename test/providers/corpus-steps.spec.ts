import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

const STEPS = [
  'Open the cover of the printer.',
  'Press the green lever.',
  'Put in the printer roll.',
  'Close the cover. Repeat step 2 on red.',
];
/** Makes a section too long to be quoted as a whole. */
const FILLER = 'Nothing else is told in this section, which goes on for a while all the same. '.repeat(16);
const html = (open: string): string =>
  `<h1>Kiosk</h1><h2>Printer roll</h2><p>${FILLER}</p>${open}${STEPS.map((step) => `<li><p>${step}</p></li>`).join('\n')}</ol>`;
const markdown = (numbers: readonly number[], more = ''): string =>
  `# Kiosk\n\n## Printer roll\n\n${STEPS.map((step, at) => `${numbers[at]}. ${step}\n`).join('')}${more}`;

async function quotedFrom(name: string, guide: string, query = 'How do I put in the printer roll?'): Promise<string> {
  const { markdown: report } = await ask(folderOf({ [name]: guide }), { query });
  return report.replace(/ \[\d+\]/g, '');
}

describe('a step of a numbered list is quoted with its number', () => {
  it.each([
    ['in Markdown', 'a.md', markdown([1, 2, 3, 4])],
    ['in Markdown that writes the same number everywhere', 'a.md', markdown([1, 1, 1, 1])],
    ['in a long section of Markdown', 'a.md', markdown([1, 2, 3, 4], `\n${FILLER}\n`)],
    ['in HTML', 'a.html', html('<ol>')],
    ['in text', 'a.txt', `Kiosk\n\n${STEPS.map((step, at) => `${at + 1}) ${step}`).join('\n')}\n`],
  ])('%s', async (_, name, guide) => {
    expect(await quotedFrom(name, guide)).toContain(`(2) ${STEPS[1]} (3) ${STEPS[2]}`);
  });

  it.each([
    ['Markdown', 'a.md', markdown([5, 6, 7, 8], `\n${FILLER}\n`)],
    ['HTML', 'a.html', html('<ol start="5">')],
  ])('counted from where its list begins: %s', async (_, name, guide) => {
    expect(await quotedFrom(name, guide)).toContain(`(7) ${STEPS[2]}`);
  });

  it('but none of its further paragraphs, and no item of a list without numbers', async () => {
    const guide = `<h1>Kiosk</h1><ol><li><p>Open the printer roll's cover.</p><p>The printer roll lies below it.</p></li></ol>
<ul><li>A printer roll is 30 m long.</li><li>A printer roll costs 2 EUR.</li></ul>`;
    const quoted = await quotedFrom('a.html', guide, 'How do I open the cover of the printer roll, and how long is a roll?');
    expect(quoted).toContain("(1) Open the printer roll's cover.");
    expect(new Set(quoted.match(/\(\d\)/g))).toEqual(new Set(['(1)']));
    expect(quoted).toContain('A printer roll is 30 m long.');
  });
});
