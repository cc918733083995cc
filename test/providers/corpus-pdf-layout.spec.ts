import { ask, indexOf } from './ask-corpus';
import { folderOf } from './corpus-folder';
import { pdfOf, type PdfLine } from './pdf-file';

const answerOf = async (pages: readonly (readonly PdfLine[])[], query: string): Promise<string> => {
  const { markdown } = await ask(folderOf({ 'pump.pdf': pdfOf(pages) }), { query });
  return markdown.split(/^## Sources/m)[0] ?? '';
};

const furnished = (page: number, lines: readonly PdfLine[]): PdfLine[] => [
  { text: 'Wren pumps, service manual', size: 8, y: 770 },
  { text: `Page ${page} of 3`, size: 8, x: 300, y: 30 },
  ...lines,
];

const MANUAL = [
  furnished(1, [
    { text: 'Maintenance', size: 18 },
    { text: 'The oil of the pump is changed every 2000 hours. If the', gap: 1 },
  ]),
  furnished(2, [{ text: 'temperature of the bearing exceeds 85 degrees, the pump is stopped at once.' }]),
  furnished(3, [
    { text: 'Cold weather', size: 18 },
    { text: 'In frost the pump is emptied.', gap: 1 },
  ]),
];

const LEFT = [
  'The warranty covers all parts of the',
  'machine for two years from the date',
  'of delivery. It does not cover brushes',
  'and belts, which normal work consumes.',
  'It ends early where somebody else has',
  'opened the machine.',
];
const RIGHT = [
  'Claims are sent to the service office',
  'in Ulm by registered letter. The',
  'customer keeps the broken part for',
  'six weeks after the claim was accepted.',
  'Then it may be thrown away as metal',
  'or sent back.',
];

const table = (rows: readonly (readonly string[])[]): PdfLine[] =>
  rows.flatMap((cells, row) => cells.map((text, column) => ({ text, x: 72 + column * 130, y: 700 - row * 16 })));

describe('a page of a PDF', () => {
  it('is quoted without its header and footer, and a sentence goes on over the page', async () => {
    const answer = await answerOf(MANUAL, 'What happens if the temperature of the bearing exceeds 85 degrees?');
    expect(answer).toContain('If the temperature of the bearing exceeds 85 degrees, the pump is stopped at once. [');
    expect(answer).not.toMatch(/Page \d|service manual/);
  });

  it('has what its header says once', async () => {
    const { index } = await indexOf(folderOf({ 'manual.pdf': pdfOf(MANUAL) }));
    const texts = Array.from({ length: index.size }, (_, at) => index.passage(at)?.chunks.map(({ text }) => text) ?? []).flat();
    expect(texts.filter((text) => text.includes('service manual'))).toEqual(['Wren pumps, service manual']);
    expect(texts.filter((text) => text.startsWith('Page'))).toEqual([]);
  });

  it('has two columns one after the other, though the file has them line by line', async () => {
    const lines = LEFT.flatMap((text, at) => [
      { text, y: 700 - at * 14 },
      { text: RIGHT[at] ?? '', x: 330, y: 700 - at * 14 },
    ]);
    const answer = await answerOf([lines], 'Where are claims sent?');
    expect(answer).toContain('Claims are sent to the service office in Ulm by registered letter. [');
    expect(answer).not.toContain('all parts of the Claims');
  });

  it('has the row of a table below the heads of its columns, also where the table goes on overleaf', async () => {
    const prices = [
      table([
        ['Part', 'Number', 'Price'],
        ['Seal ring', 'A-117', '4.20 EUR'],
        ['Impeller', 'A-204', '88.00 EUR'],
      ]),
      table([
        ['Gasket', 'A-300', '2.10 EUR'],
        ['Flange', 'A-301', '9.90 EUR'],
      ]),
    ];
    expect(await answerOf(prices, 'What is the price of an impeller?')).toMatch(
      /Part \| Number \| Price \[1\] • Impeller \| A-204 \| 88\.00 EUR/,
    );
    expect(await answerOf(prices, 'What is the price of a flange?')).toMatch(
      /Part \| Number \| Price \[1\] • Flange \| A-301 \| 9\.90 EUR/,
    );
  });

  it('has paragraphs of the usual size and no headings though most of its lines are small cells', async () => {
    const rows = Array.from({ length: 20 }, (_, row) =>
      [`Part ${row}`, `${row * 3} mm`].map((text, column) => ({ text, size: 8, x: 72 + column * 130, y: 400 - row * 10 })),
    );
    const text = (words: string, y: number): PdfLine => ({ text: words, size: 10, y });
    const pages = [
      [
        { text: 'Pump parts', size: 18, y: 740 },
        text('The pump is emptied in frost, and its valves are left open until spring comes.', 700),
        text('The bearing of the pump is greased once in every month of the winter by hand.', 660),
        text('The belt of the pump is replaced by the maker of the machine and by nobody else.', 620),
        text('The seals of the pump are kept in a dry place, away from any light and from frost.', 580),
        ...rows.flat(),
      ],
    ];
    const { index } = await indexOf(folderOf({ 'parts.pdf': pdfOf(pages) }));
    const headings = Array.from({ length: index.size }, (_, at) => index.passage(at)?.headings.join(' > '));
    expect([...new Set(headings)]).toEqual(['Pump parts']);
  });

  it('has no heads over names with their values', async () => {
    const lines = table([
      ['--check', 'checks the pump'],
      ['--vent', 'vents the pump'],
    ]);
    expect(await answerOf([lines], 'Which option vents the pump?')).not.toMatch(/checks the pump \[1\] • --vent/);
  });

  it('has the steps of a procedure in their order, with their numbers', async () => {
    const steps = ['1. Open the inlet valve.', '2. Vent the pump.', '3. Switch on the motor.', '4. Open the outlet valve slowly.'];
    const answer = await answerOf([[{ text: 'Start-up', size: 18 }, ...steps.map((text) => ({ text }))]], 'How do I start up the pump?');
    expect(answer).toContain(
      '(1) Open the inlet valve. [1] (2) Vent the pump. [1] (3) Switch on the motor. [1] (4) Open the outlet valve slowly. [1]',
    );
  });

  it('of a scan has no text, and the log says so', async () => {
    const { index, logged } = await indexOf(folderOf({ 'scan.pdf': pdfOf([[], []], { title: 'Contract' }) }));
    expect(index.documents).toBe(0);
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'warn', path: 'scan.pdf', reason: expect.stringContaining('a PDF without text') as string }),
    );
  });
});

it('reads a page with a table of tens of thousands of short cells in bounded time', async () => {
  const cells = Array.from({ length: 40_000 }, (_, at): PdfLine => ({
    text: 'ab',
    size: 0.05,
    x: 60 * (at % 2),
    y: 790 - 0.06 * Math.floor(at / 2),
  }));
  const startedAt = process.cpuUsage();
  const fact = { text: 'The oil of the pump is changed every 2000 hours.', size: 0.05 };
  const answer = await answerOf([cells, [fact]], 'When is the oil of the pump changed?');
  const { user, system } = process.cpuUsage(startedAt);
  expect((user + system) / 1_000).toBeLessThan(6_000);
  expect(answer).toContain('changed every 2000 hours');
});
