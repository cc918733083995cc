import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

const answerTo = async (documents: Record<string, string>, query: string): Promise<string> =>
  (await ask(folderOf(documents), { query })).markdown.replace(/ \[\d+\]/g, '');

describe('a question as it is typed', () => {
  it.each([
    ['The limit for a hotel in London is 220 EUR a night.', 'whats the limit for a hotel in london', '220 EUR'],
    ['A kiosk that does not start needs a new fuse of 10 A.', 'what if a kiosk doesnt start', '10 A'],
    ['The length of a password is at least 14 characters.', 'password lenght', '14 characters'],
    ['A parcel is taken in at gate 1 from 7:00 to 16:00.', 'can a parcel be taken in at gate 1 at 5pm', 'to 16:00'],
    ['A parcel is taken in at gate 1 before noon.', 'is a parcel taken in at gate 1 at 5:30pm', 'before noon'],
    ['A machine finds 2.4 GHz networks only.', 'does the machine find a network of 5ghz', '2.4 GHz'],
    ['An engineer gets a laptop with 36 GB of memory.', 'laptop with 36gb', '36 GB'],
    ['The gateway waits for 30ms.', 'how many ms does the gateway wait', '30ms'],
    ['Deployments are frozen on Fridays after 14:00.', 'when are deploys frozen', 'Fridays'],
    ['A lost receipt is replaced by the form F-12.', 'lost a reciept', 'F-12'],
  ])('is answered: %s %s', async (text, query, answer) => {
    expect(await answerTo({ 'guide.md': `# Guide\n\n${text}\n` }, query)).toContain(answer);
  });
});

describe('a list that is not Markdown', () => {
  const COVERED = ['scale in the boiler', 'wear of seals', 'damage by vinegar', 'commercial use', 'machines opened by others'];

  it.each([
    [
      'HTML',
      'guide.html',
      `<h1>Warranty</h1>\n<p>The warranty does not cover:</p>\n<ul>\n${COVERED.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>\n`,
    ],
    ['text', 'guide.txt', `Warranty\n\nThe warranty does not cover:\n\n${COVERED.map((item) => `- ${item}`).join('\n')}\n`],
  ])('loses no item from its middle: %s', async (_, name, guide) => {
    const answer = await answerTo({ [name]: guide }, 'what is not covered by the warranty');
    const places = COVERED.map((item) => answer.indexOf(item)).filter((place) => place >= 0);
    const [first = 0, last = -1] = [
      COVERED.findIndex((item) => answer.includes(item)),
      COVERED.findLastIndex((item) => answer.includes(item)),
    ];
    expect(places.length).toBeGreaterThan(1);
    expect(places).toHaveLength(last - first + 1);
  });

  it('keeps the order of its steps, also if they stand in one line', async () => {
    const steps = ['Open the cover', 'Press the green lever', 'Remove the old core', 'Put in the new roll', 'Close the cover'];
    const guide = `<h1>Printer</h1><h2>Changing the printer roll</h2><p>To change the printer roll:</p><ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol>`;
    const answer = await answerTo({ 'guide.html': guide }, 'how do i change the printer roll');
    const places = steps.map((step) => answer.indexOf(step));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThanOrEqual(0);
  });
});

it('only the code of a numbered step is code', async () => {
  const step = (number: number, text: string, code: string) => `${number}. ${text}\n\n   \`\`\`sh\n   ${code}\n   \`\`\`\n`;
  const steps = [
    step(1, 'Check the lag:', 'ctl lag'),
    '2. Stop the writers first. Without that you lose data.\n',
    step(3, 'Fail over:', 'ctl failover'),
    '4. Start the writers again.\n',
  ];
  const answer = await answerTo({ 'runbook.md': `# Database\n\n## Failing over\n\n${steps.join('\n')}` }, 'how do i fail over');
  const blocks = Array.from(answer.matchAll(/^ *(`{3,})[^\n]*\n([^]*?)\n *\1 *$/gm), ([, , code = '']) => code.trim());
  expect(blocks).toContain('ctl failover');
  expect(blocks.join('\n')).not.toMatch(/writers|Fail over/);
});
