import { ask, linesOf } from './ask-corpus';
import { folderOf } from './corpus-folder';

const LIFT = 'How much does the north crane lift?';

async function quoted(name: string, content: string | Buffer): Promise<{ lines: string[]; places: string[] }> {
  const folder = folderOf({ [name]: content });
  const { markdown, citations } = await ask(folder, { query: LIFT });
  const lines = Array.from(markdown.matchAll(/^- (.+)$/gm), ([, line = '']) => line.replace(/ \[\d+\]/g, ''));
  return { lines, places: citations.map((citation) => linesOf(folder, citation)) };
}

describe('a table of values', () => {
  const ROW = 'Crane | Age | Lift • North crane | 12 years | 20 tonnes';

  it.each([
    ['commas', 'a.csv', 'Crane,Age,Lift\nNorth crane,12 years,20 tonnes\nSouth pier,3 years,31 tonnes\n'],
    ['semicolons, as spreadsheets of many countries write', 'a.csv', 'Crane;Age;Lift\r\nNorth crane;12 years;20 tonnes\r\n'],
    ['tabs', 'a.tsv', 'Crane\tAge\tLift\nNorth crane\t12 years\t20 tonnes'],
    ['bars', 'a.CSV', 'Crane|Age|Lift\nNorth crane|12 years|20 tonnes\n'],
    ['a delimiter that its first line names', 'a.csv', 'sep=;\nCrane;Age;Lift\nNorth crane;12 years;20 tonnes\n'],
    ['quoted cells', 'a.csv', '"Crane", "Age","Lift"\n"North crane","12 years", "20 tonnes"\n'],
    ['a byte order mark', 'a.csv', '\uFEFFCrane,Age,Lift\nNorth crane,12 years,20 tonnes\n'],
    ['lines above its heads', 'a.csv', 'All cranes,,\n\nCrane,Age,Lift\nNorth crane,12 years,20 tonnes\n'],
    [
      'a short table above its heads',
      'a.csv',
      'Company,ACME,\nPeriod,Summer,\n\nCrane,Age,Lift\nNorth crane,12 years,20 tonnes\nSouth pier,3 years,31 tonnes\n',
    ],
    ['a title with another delimiter', 'a.csv', 'Cranes, all of them\nCrane;Age;Lift\nNorth crane;12 years;20 tonnes\n'],
    ['UTF-16', 'a.csv', Buffer.from('\uFEFFCrane,Age,Lift\nNorth crane,12 years,20 tonnes\n', 'utf16le')],
  ])('is quoted by the row, below its heads: %s', async (_, name, content) => {
    expect((await quoted(name, content)).lines[0]?.slice(0, ROW.length)).toBe(ROW);
  });

  it('is cited with the lines of the row and of its heads', async () => {
    const { places } = await quoted(
      'a.csv',
      'Crane,Note,Lift\nSouth pier,"two\nlines",31 tonnes\n\nNorth crane,"three,\n""short""\nlines",20 tonnes\n',
    );
    expect(places[0]).toBe('Crane,Note,Lift\nSouth pier,"two\nlines",31 tonnes\n\nNorth crane,"three,\n""short""\nlines",20 tonnes');
  });

  it.each([
    ['line feeds', '\n'],
    ['as Excel writes them', '\r\n'],
    ['carriage returns', '\r'],
  ])('is cited with its own line, whatever ends the lines: %s', async (_, end) => {
    const rows = Array.from({ length: 60 }, (__, at) => `Pier ${String(at)},3 years,31 tonnes`);
    const folder = folderOf({ 'a.csv': ['Crane,Age,Lift', ...rows, 'North crane,12 years,20 tonnes', ''].join(end) });
    const { citations } = await ask(folder, { query: LIFT });
    expect(citations[0]?.url).toBe('corpus:/a.csv#L62-L62');
  });

  it.each([
    ['a first row of values', 'North crane,2019-04-01,20\nSouth pier,2020-05-01,31\n', 'North crane | 2019-04-01 | 20'],
    ['heads that are years', 'Crane,2024,2025\nNorth crane lift,19 t,20 t\n', 'Crane | 2024 | 2025 • North crane lift | 19 t | 20 t'],
    ['rows of different lengths', 'Crane,Lift\nNorth crane,20 t,checked\n', 'Crane | Lift • North crane | 20 t | checked'],
    ['a quotation mark that is left open', 'Crane,Lift\n"North crane,20 t\nSouth pier,31 t\n', 'Crane | Lift • "North crane | 20 t'],
    ['a quotation mark inside a cell', 'Crane,Lift\nNorth crane,20" t\n', 'Crane | Lift • North crane | 20" t'],
  ])('may be irregular: %s', async (_, content, line) => {
    expect((await quoted('a.csv', content)).lines[0]).toBe(line);
  });

  it('may be hostile: the other documents are read all the same', async () => {
    const folder = folderOf({
      'a.csv': `Crane,Lift\nNorth crane,20 t\n`,
      'commas.csv': ','.repeat(1_000_000),
      'heads.csv': `${'a'.repeat(4_000)},${'b'.repeat(3_980)}\n${'1,2\n'.repeat(75_000)}`,
      'wide.csv': `${'a'.repeat(1_900)},b\n${'1,2\n'.repeat(400_000)}`,
      'quotes.csv': '"'.repeat(1_000_001),
      'binary.csv': Buffer.from([0x43, 0, 1, 2, 3, 0xff]),
      'rows.csv': `a,b\n${'1,2\n'.repeat(300_000)}`,
    });
    expect((await ask(folder, { query: LIFT })).markdown).toContain('North crane | 20 t');
  });
});
