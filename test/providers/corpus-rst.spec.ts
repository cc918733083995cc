import { ask, linesOf } from './ask-corpus';
import { folderOf } from './corpus-folder';

async function quoted(content: string, query: string): Promise<{ lines: string[]; places: string[]; titles: (string | null)[] }> {
  const folder = folderOf({ 'cranes.rst': content });
  const { markdown, citations } = await ask(folder, { query });
  const lines = Array.from(markdown.matchAll(/^- (.+)$/gm), ([, line = '']) => line.replace(/ \[\d+\]/g, ''));
  return { lines, places: citations.map((citation) => linesOf(folder, citation)), titles: citations.map(({ title }) => title) };
}

const LIFT = 'How much does the north crane lift?';
const HEADS = `======
Cranes
======

Lifts of \`\`cranes\`\`
-------------------

`;

describe('a document in reStructuredText', () => {
  it.each([
    [
      'a simple table, a cell of which goes on in the next line',
      `===========  ==========\nCrane        Lift\n===========  ==========\nNorth crane  20 tonnes\n             in summer\nSouth pier   31 tonnes\n===========  ==========\n`,
      'Crane | Lift • North crane | 20 tonnes in summer',
    ],
    [
      'a grid table',
      `+-------------+-----------+\n| Crane       | Lift      |\n+=============+===========+\n| North crane | 20 tonnes |\n|             | in summer |\n+-------------+-----------+\n`,
      'Crane | Lift • North crane | 20 tonnes in summer',
    ],
    [
      'a table that is a list of lists',
      `.. list-table:: Lifts\n   :header-rows: 1\n\n   * - Crane\n     - Lift\n   * - North crane\n     - 20 tonnes\n       in summer\n`,
      'Crane | Lift • North crane | 20 tonnes in summer',
    ],
    [
      'a list of lists with other marks, and a list in a cell',
      `.. list-table::\n   :header-rows: 1\n\n   - * Crane\n     * Lift\n   - * North crane\n     * 20 tonnes\n       - in summer\n`,
      'Crane | Lift • North crane | 20 tonnes - in summer',
    ],
    [
      'a grid table, a cell of which spans two rows',
      `+-------------+-----------+\n| Crane       | Lift      |\n+=============+===========+\n| North crane | 20 tonnes |\n| at the quay +-----------+\n|             | in summer |\n+-------------+-----------+\n`,
      'Crane | Lift • North crane at the quay | 20 tonnes in summer',
    ],
    [
      'a table of values',
      `.. csv-table:: Lifts\n   :header: "Crane", "Lift"\n\n   "North crane", "20 tonnes, in summer"\n`,
      'Crane | Lift • North crane | 20 tonnes, in summer',
    ],
  ])('has rows below their heads: %s', async (_, table, line) => {
    const { lines, places } = await quoted(HEADS + table, LIFT);
    expect(lines.join('\n')).toContain(line);
    expect(places.join('\n')).toContain('North crane');
  });

  it('is cited by its lines, below the titles of its sections without their markup', async () => {
    const { lines, places, titles } = await quoted(
      `${HEADS}The :ref:\`north crane <north>\` lifts **20 tonnes**, as the\n\`manual <https://example.org>\`_ says [1]_.\n`,
      LIFT,
    );
    expect(lines[0]).toBe('The north crane lifts 20 tonnes, as the manual says .');
    expect(places[0]).toBe('The :ref:`north crane <north>` lifts **20 tonnes**, as the\n`manual <https://example.org>`_ says [1]_.');
    expect(titles[0]).toBe('Cranes › Lifts of cranes');
  });

  it.each([
    ['two colons', 'Start the north crane like this::\n\n    crane start --lift 20\n\nIt hums.\n'],
    ['a directive', 'Start the north crane like this:\n\n.. code-block:: sh\n   :linenos:\n\n   crane start --lift 20\n'],
  ])('has code behind what introduces it: %s', async (_, code) => {
    const { markdown } = await ask(folderOf({ 'cranes.rst': HEADS + code }), { query: 'How do I start the north crane?' });
    expect(markdown).toMatch(/Start the north crane like this:[^]*```\w*\n {2}crane start --lift 20\n {2}```/);
  });

  it.each([
    ['a definition', '``--lift``\n    Weight of the north crane, in tonnes.\n', '\\--lift • Weight of the north crane, in tonnes.'],
    ['an option', '.. option:: --lift\n\n   Weight of the north crane, in tonnes.\n', '\\--lift • Weight of the north crane, in tonnes.'],
    [
      'an option with its description beside it',
      '-l, --lift N  Weight of the north crane,\n              in tonnes.\n',
      '\\-l, --lift N • Weight of the north crane, in tonnes.',
    ],
    ['a setting', '.. confval:: lift\n\n   Weight of the north crane, in tonnes.\n', 'lift • Weight of the north crane, in tonnes.'],
    ['a field', ':lift: Weight of the north crane, in tonnes.\n', 'lift • Weight of the north crane, in tonnes.'],
  ])('describes a term: %s', async (_, described, line) => {
    expect((await quoted(HEADS + described, 'What is the weight of the north crane?')).lines).toContain(line);
  });

  it.each([
    ['a setting', '.. confval:: quay_limit\n\n   Upper bound, 12 tonnes.\n'],
    ['a definition', 'quay_limit\n    Upper bound, 12 tonnes.\n'],
    ['a field', ':quay_limit: Upper bound, 12 tonnes.\n'],
  ])('is found by the name of %s', async (_, described) => {
    expect((await quoted(HEADS + described, 'What is quay_limit?')).lines.join('\n')).toContain('Upper bound, 12 tonnes.');
  });

  it.each([
    ['right below another one', 'North crane\n~~~~~~~~~~~\nThe north crane lifts 20 tonnes.\n', 'Lifts of cranes › North crane'],
    [
      'with a full stop and marks that are rare',
      'Lifts etc.\n&&&&&&&&&&\n\nThe north crane lifts 20 tonnes.\n',
      'Lifts of cranes › Lifts etc.',
    ],
    ['of two characters', 'No\n^^\n\nThe north crane lifts 20 tonnes.\n', 'Lifts of cranes › No'],
  ])('has a title %s', async (_, section, title) => {
    expect((await quoted(HEADS.trimEnd() + '\n' + section, LIFT)).titles[0]).toBe(title);
  });

  it.each([
    ['behind the target of a link', '.. _north:\n\n   The north crane lifts 20 tonnes.\n'],
    ['behind two full stops alone', '..\n\n   The north crane lifts 20 tonnes.\n'],
    ['in a footnote that begins below its mark', '.. [1]\n   The north crane lifts 20 tonnes.\n'],
    ['with what a name between bars stands for', '.. |crane| replace:: north crane\n\nThe |crane| lifts 20 tonnes.\n'],
  ])('says what stands %s', async (_, content) => {
    expect((await quoted(HEADS + content, LIFT)).lines.join('\n')).toContain('The north crane lifts 20 tonnes.');
  });

  it('begins a new list where the marks change, and takes no initial for a mark', async () => {
    const list = 'North crane:\n\n(1) Take the key.\n\na. Turn it.\n\nA. Smith built the north crane.\n';
    const { markdown } = await ask(folderOf({ 'cranes.rst': HEADS + list }), { query: 'In which order do I start the north crane?' });
    expect(markdown).toMatch(/\(1\) Take the key\.[^]*\(1\) Turn it\./);
    expect(markdown).toContain('A. Smith built the north crane.');
  });

  it('has its title behind the target of a link', async () => {
    const { titles } = await quoted(`${HEADS}Gulls.\n\n.. _north:\nNorth crane\n-----------\n\nThe north crane lifts 20 tonnes.\n`, LIFT);
    expect(titles[0]).toBe('Cranes › North crane');
  });

  it('keeps items in order, and below the item that they belong to', async () => {
    const list = 'To start the north crane:\n\n#. Take the key.\n\n   * The red key is for the north crane.\n\n#. Turn it.\n';
    const { markdown } = await ask(folderOf({ 'cranes.rst': HEADS + list }), { query: 'In which order do I start the north crane?' });
    expect(markdown).toMatch(/\(1\) Take the key\.[^]*\(2\) Turn it\./);
    expect(markdown).toMatch(/Take the key\.( \[\d+\])? • The red key is for the north crane\./);
  });

  it.each([
    ['a note', '.. note:: The north crane\n   lifts 20 tonnes.\n', 'The north crane lifts 20 tonnes.'],
    [
      'what changed',
      '.. versionchanged:: 2.4 The north crane lifts 20 tonnes.\n',
      'Changed in version 2.4: The north crane lifts 20 tonnes.',
    ],
    ['a footnote', '.. [1] The north crane lifts 20 tonnes.\n', 'The north crane lifts 20 tonnes.'],
    ['a quotation', 'As we said:\n\n    The north crane lifts 20 tonnes.\n', 'The north crane lifts 20 tonnes.'],
  ])('says what stands in its directives: %s', async (_, content, line) => {
    expect((await quoted(HEADS + content, LIFT)).lines.join('\n')).toContain(line);
  });

  it.each([
    ['a comment', '.. The north crane lifts 20 tonnes.\n'],
    ['a comment of several lines', '..\n   The north crane lifts 20 tonnes.\n'],
    ['a table of contents', '.. toctree::\n\n   The north crane lifts 20 tonnes.\n'],
    ['raw output of another format', '.. raw:: latex\n\n   The north crane lifts 20 tonnes.\n'],
  ])('does not say what readers do not see: %s', async (_, content) => {
    const { lines } = await quoted(`${HEADS}${content}\nGulls sit on the north crane.\n`, LIFT);
    expect(lines.join('\n')).toContain('Gulls sit on the north crane.');
    expect(lines.join('\n')).not.toContain('20 tonnes');
  });

  it('may be hostile: the other documents are read all the same', async () => {
    const folder = folderOf({
      'a.rst': `${HEADS}The north crane lifts 20 tonnes.\n`,
      'bullets.rst': '- '.repeat(400_000),
      'indented.rst': Array.from({ length: 1_800 }, (_, at) => `${' '.repeat(at)}x`).join('\n'),
      'quotes.rst': `${'`'.repeat(300_000)} ${':a:`'.repeat(100_000)}`,
      'stars.rst': '*a '.repeat(300_000),
      'rules.rst': '=====  =====\n'.repeat(60_000),
      'grid.rst': `+--+\n${'| a |\n'.repeat(100_000)}`,
      'table.rst': `=====  =====\n${'a\n'.repeat(300_000)}`,
      'wide.rst': `${'= '.repeat(12_000)}=\n${'a\n'.repeat(12_000)}${'= '.repeat(12_000)}=\n`,
      'open.rst': '= =\nx\n\n'.repeat(100_000),
      'directives.rst': '.. note::\n   '.repeat(50_000),
    });
    expect((await ask(folder, { query: LIFT })).markdown).toContain('The north crane lifts 20 tonnes.');
  });
});
