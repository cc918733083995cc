import { ask, indexOf } from './ask-corpus';
import { folderOf } from './corpus-folder';
import { docxOf, paragraph, run, table, xlsxOf, type Cell } from './office-file';

const LIFT = 'How much does the north crane lift?';
const HEADED = [paragraph('Harbour rules', 'Title'), paragraph('Cranes', 'Heading1')];

async function quoted(
  name: string,
  content: Buffer,
  query = LIFT,
): Promise<{ lines: string[]; urls: string[]; titles: (string | null)[] }> {
  const { markdown, citations } = await ask(folderOf({ [name]: content }), { query });
  const lines = Array.from(markdown.matchAll(/^- (.+)$/gm), ([, line = '']) => line.replace(/ \[\d+\]/g, ''));
  return { lines, urls: citations.map(({ url }) => url), titles: citations.map(({ title }) => title) };
}

describe('a Word document', () => {
  it('is quoted below its headings and cited by its paragraphs, of which empty ones count', async () => {
    const body = [...HEADED, paragraph(''), paragraph('The north crane lifts 20 tonnes < 30 & more than 10.')];
    expect(await quoted('rules of 2025.docx', docxOf(...body))).toEqual({
      lines: ['The north crane lifts 20 tonnes \\< 30 & more than 10.'],
      urls: ['corpus:/rules%20of%202025.docx#paragraph=4-4'],
      titles: ['Cranes'],
    });
  });

  it('is named by its title where it has no heading', async () => {
    const { titles } = await quoted('a.docx', docxOf(paragraph('Harbour rules', 'Title'), paragraph('The north crane lifts 20 tonnes.')));
    expect(titles).toEqual(['Harbour rules']);
  });

  it.each([
    ['hidden text', `<w:p>${run('The north crane lifts 20 tonnes.')}${run(' Secret: 31 tonnes.', '<w:vanish/>')}</w:p>`],
    [
      'hidden text of several formats',
      `<w:p>${run('The north crane lifts 20 tonnes.')}${run(' Secret.', '<w:b/><w:vanish w:val="1"/><w:sz w:val="20"/>')}</w:p>`,
    ],
    [
      'text in a hidden style',
      paragraph('The north crane lifts 20 tonnes.') + paragraph('Secret: the north crane lifts 31 tonnes.', 'Secret'),
    ],
    ['its contents', paragraph('The north crane lifts 20 tonnes 7', 'toc1') + paragraph('The north crane lifts 20 tonnes.')],
  ])('is read as Word shows it: without %s', async (_, body) => {
    expect((await quoted('a.docx', docxOf(...HEADED, body))).lines).toEqual(['The north crane lifts 20 tonnes.']);
  });

  it('shows what is not hidden after all, what fields give, and whether a box is checked', async () => {
    const box = (checked: string): string =>
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('x')}</w:sdtContent></w:sdt>`;
    const field = `<w:fldSimple w:instr=" DOCPROPERTY Lift &gt; 1 ">${run('20 tonnes', '<w:vanish w:val="0"/>')}</w:fldSimple>`;
    const body = `<w:p>${box('1')}${run(' The north crane lifts ')}${field}${run('.')}</w:p><w:p>${box('0')}${run(' The north crane lifts more.')}</w:p>`;
    const { lines } = await quoted('a.docx', docxOf(...HEADED, body));
    expect(lines.join(' ')).toBe('☒ The north crane lifts 20 tonnes. ☐ The north crane lifts more.');
  });

  it('has bold lines as headings', async () => {
    const bold = (text: string): string => `<w:p>${run(text, '<w:b/>')}</w:p>`;
    const body = [bold('§ 3 Piers'), paragraph('Gulls sit there.'), bold('§ 4 North crane'), paragraph('It lifts 20 tonnes.')];
    const { lines, titles } = await quoted('a.docx', docxOf(...HEADED, ...body), 'How much does it lift at the north crane?');
    expect([lines[0], titles[0]]).toEqual(['It lifts 20 tonnes.', 'Cranes › § 4 North crane']);
  });

  it('has what leads to a table nowhere else', async () => {
    const rows = table(['Crane', 'Lift'], ['North', '20 t']);
    const body = [paragraph('The lift depends on the crane:'), rows, paragraph('The north crane lifts at noon.')];
    const { lines } = await quoted('a.docx', docxOf(...HEADED, ...body), 'When does the north crane lift?');
    expect(lines).toContain('The north crane lifts at noon.');
  });

  it('loses no further title', async () => {
    const body = [paragraph('Harbour rules', 'Title'), paragraph('North crane', 'Title'), paragraph('It lifts 20 tonnes.')];
    expect((await quoted('a.docx', docxOf(...body), 'How much does it lift at the north crane?')).titles).toEqual(['North crane']);
  });

  it('has tables whose first row names their columns', async () => {
    const rows = table(['Crane', 'Age', 'Lift'], ['North crane', '12 years', '20 tonnes'], ['South pier', '3 years', '31 tonnes']);
    const { lines, urls } = await quoted('a.docx', docxOf(...HEADED, rows));
    expect(lines[0]).toContain('Crane | Age | Lift • North crane | 12 years | 20 tonnes');
    expect(urls[0]).toBe('corpus:/a.docx#paragraph=3-8');
  });
});

describe('a workbook', () => {
  const FEES: Cell[][] = [
    ['All cranes'],
    [],
    ['Crane', 'Lift in tonnes', 'Since'],
    ['North crane', 20.5, { day: 45748 }],
    ['South pier', 0.1 + 0.2, null],
  ];

  it('is quoted by the row, below its heads, and cited by sheet and row', async () => {
    const { lines, urls, titles } = await quoted('a.xlsx', xlsxOf({ Staff: [['Ines', 'harbour master']], 'Cranes & lifts': FEES }));
    expect(lines[0]).toBe('Crane | Lift in tonnes | Since • North crane | 20.5 | 2025-04-01 • South pier | 0.3');
    expect([urls[0], titles[0]]).toEqual(['corpus:/a.xlsx#sheet=Cranes%20%26%20lifts&row=3-5', 'Cranes & lifts']);
  });

  it('has long numbers, times and moments as they are', async () => {
    const rows = [
      ['Crane', 'Code', 'Begins', 'Checked'],
      ['North crane', 4006381333931, { day: 0.375 }, { day: 45748.5 + 1e-7 }],
    ];
    expect((await quoted('a.xlsx', xlsxOf({ Cranes: rows }))).lines[0]).toBe(
      'Crane | Code | Begins | Checked • North crane | 4006381333931 | 09:00 | 2025-04-01T12:00',
    );
  });

  it('is read as Excel shows it: nothing of hidden sheets, rows and columns, and no chart', async () => {
    const lift = [
      ['Crane', 'Cost', 'Lift'],
      ['North crane', 'secret', '20 tonnes'],
      ['Secret crane', 'secret', '31 tonnes'],
    ];
    const other = (tonnes: string): string[][] => [
      ['Crane', 'Cost', 'Lift'],
      ['North crane', 'secret', `${tonnes} tonnes`],
    ];
    const sheets = { Shown: lift, Hidden: other('40'), 'Very hidden': other('50'), Chart: [] };
    const states = { Hidden: 'hidden', 'Very hidden': 'veryHidden' } as const;
    const { lines, titles } = await quoted('a.xlsx', xlsxOf(sheets, { sheets: states, charts: ['Chart'], rows: [3], columns: [2] }));
    expect(lines).toEqual(['Crane | Lift • North crane | 20 tonnes']);
    expect(titles).toEqual(['Shown']);
  });

  it.each([
    ['per cent', 0.19, { builtIn: 9 }, '19%'],
    ['per cent with decimals', 0.1875, '0.00%', '18.75%'],
    ['a currency', 1200, '#,##0.00 "€"', '1,200.00 €'],
    ['a currency of a language, with its point for decimals', 1200.5, '[$€-407] #,##0.00', '€ 1,200.50'],
    ['a currency as bookkeepers set it', -90, '_-* #,##0.00\\ "€"_-;-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', '-90.00 €'],
    ['a unit', 3.14, '0.0" kg"', '3.1 kg'],
    ['another unit for what is larger', 2500, '[>=1000]0.0,"k€";0"€"', '2.5k€'],
    ['a word for nothing', 0, '0;-0;"none"', 'none'],
    ['no more than the number', 1234.5, '#,##0', '1234.5'],
    ['nothing at all', 1234.5, ';;;', '1234.5'],
    ['a currency that the file does not name', 12, { builtIn: 44 }, '12'],
    ['no format', 12.5, '"€" [ "', '12.5'],
    ['more than Excel allows', 0.5, `${'"€"'.repeat(20_000)}0%`, '0.5'],
  ])('has numbers as Excel shows them where the format tells %s', async (_, number, format, shown) => {
    const rows: Cell[][] = [
      ['Crane', 'Lift'],
      ['North crane', { number, format }],
    ];
    expect((await quoted('a.xlsx', xlsxOf({ Cranes: rows }))).lines[0]).toBe(`Crane | Lift • North crane | ${shown}`);
  });

  it('says which cells have an error, or a formula that was never calculated', async () => {
    const rows: Cell[][] = [
      ['Crane', 'Lift', 'Age'],
      ['North crane', { formula: 'A1*2' }, { error: '#N/A' }],
    ];
    expect((await quoted('a.xlsx', xlsxOf({ Cranes: rows }))).lines[0]).toBe(
      'Crane | Lift | Age • North crane | (formula without a saved value) | #N/A',
    );
  });

  it('has heads that are dates', async () => {
    const months = [45658, 45689, 45717].map((day) => ({ day }));
    const rows: Cell[][] = [
      ['Crane', ...months],
      ['North crane lift', 19, 20, 21],
      ['South pier lift', 29, 30, 31],
    ];
    const { lines } = await quoted('a.xlsx', xlsxOf({ Cranes: rows }));
    expect(lines[0]).toContain('Crane | 2025-01-01 | 2025-02-01 | 2025-03-01 • North crane lift | 19 | 20 | 21');
  });

  it('has tables below each other, each with its own heads', async () => {
    const rows: Cell[][] = [
      ['Pier', 'Colour', 'Year'],
      ['East', 'red', 1990],
      ['West', 'blue', 1991],
      [],
      ['Cranes'],
      ['Crane', 'Lift'],
      ['North crane', '20 t'],
    ];
    expect((await quoted('a.xlsx', xlsxOf({ Harbour: rows }))).lines[0]).toBe('Crane | Lift • North crane | 20 t');
  });

  it('has no noise of binary fractions', async () => {
    expect((await quoted('a.xlsx', xlsxOf({ Cranes: FEES }), 'How much does the south pier lift?')).lines[0]).toContain('South pier | 0.3');
  });
});

describe('a file of an office program', () => {
  const GOOD = { 'good.docx': docxOf(paragraph('The north crane lifts 20 tonnes.')) };
  const OLD = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

  it.each([
    ['is none', 'a.docx', Buffer.from('no document'), 'it is no Word document, or a broken one'],
    ['is another packed file', 'a.docx', xlsxOf({ a: [['b', 'c']] }), 'it is no Word document, or a broken one'],
    ['is cut off', 'a.docx', docxOf(paragraph('North crane')).subarray(0, 600), 'it is no Word document, or a broken one'],
    ['is encrypted or old', 'a.docx', OLD, 'it is encrypted, or of Word before 2007: save it as .docx'],
    ['is no workbook', 'a.xlsx', Buffer.from('no workbook'), 'it is no workbook of Excel 2007 or later, or a broken or encrypted one'],
    ['is an old workbook', 'a.xlsx', OLD, 'it is no workbook of Excel 2007 or later, or a broken or encrypted one'],
    [
      'is of a format that nothing reads',
      'A.PPTX',
      Buffer.from('x'),
      expect.stringMatching(/^its format \(\.pptx\) is not read: save it as .*PDF/),
    ],
  ])('that %s is skipped and told, and the others are read', async (_, name, content, reason) => {
    const { index, logged } = await indexOf(folderOf({ ...GOOD, [name]: content }));
    expect(index.documents).toBe(1);
    expect(logged.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', path: name, reason, message: 'a document is skipped' },
    ]);
  });

  it('that cannot be read is named where nothing answers', async () => {
    const folder = folderOf({ ...GOOD, 'pay/salaries.docx': OLD, 'copy.docx': GOOD['good.docx'] });
    const missing = 'The documents do not include what could not be read: pay/salaries.docx.';
    expect((await ask(folder, { query: 'What is the salary of Jane?' })).markdown).toContain(missing);
    expect((await ask(folder, { query: LIFT })).markdown).not.toContain('could not be read');
  });

  it('that somebody has open is read once, and what the program writes beside it is not told', async () => {
    const { index, logged } = await indexOf(folderOf({ ...GOOD, '~$good.docx': Buffer.from('Ines') }));
    expect(index.documents).toBe(1);
    expect(logged.filter(({ level }) => level === 'warn')).toEqual([]);
  });
});
