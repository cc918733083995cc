import { ask, indexOf } from './ask-corpus';
import { folderOf } from './corpus-folder';
import { docxOf, paragraph, table, xlsxOf } from './office-file';

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
  const FEES = [
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
      ['North crane', 4006381333931, { day: 0.375 }, { day: 45748.5 + 1e-8 }],
    ];
    expect((await quoted('a.xlsx', xlsxOf({ Cranes: rows }))).lines[0]).toMatch(/• North crane \| 4006381333931 \| /);
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

  it('that somebody has open is read once, and what the program writes beside it is not told', async () => {
    const { index, logged } = await indexOf(folderOf({ ...GOOD, '~$good.docx': Buffer.from('Ines') }));
    expect(index.documents).toBe(1);
    expect(logged.filter(({ level }) => level === 'warn')).toEqual([]);
  });
});
