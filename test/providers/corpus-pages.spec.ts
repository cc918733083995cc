import { ask, linesOf } from './ask-corpus';
import { folderOf } from './corpus-folder';

/** The lines of lists in a report, without marks of sources. */
async function quotedFor(content: string, query: string, name = 'page.html'): Promise<string[]> {
  const { markdown } = await ask(folderOf({ [name]: content }), { query });
  return Array.from(markdown.matchAll(/^- (.+)$/gm), ([, line = '']) => line.replace(/ \[\d+\]/g, ''));
}

const page = (body: string): string => `<html><body><h1>Cranes of the harbour</h1>\n${body}\n</body></html>`;
const row = (name: string, ...cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<${name}>${cell}</${name}>`).join('')}</tr>\n`;
const LIFT = 'How much does the north crane lift?';

describe('a row of a table of a page', () => {
  it('is one quotation below the heads of its columns, in the lines where it stands', async () => {
    const rows = row('td', 'North crane', '20 tonnes') + row('td', 'South crane', '<p>31</p> <b>tonnes</b>');
    const folder = folderOf({ 'page.html': page(`<table>\n${row('th', 'Crane', 'Lift')}${rows}</table>`) });
    const { markdown, citations } = await ask(folder, { query: LIFT });
    expect(markdown).toMatch(/^- Crane \| Lift \[1\] • North crane \| 20 tonnes/m);
    expect(markdown).toContain('• South crane | 31 tonnes');
    for (const citation of citations) expect(linesOf(folder, citation)).toMatch(/<th>Lift[^]*crane/);
  });

  it.each([
    ['a head of its own', `${row('th', 'Crane', 'Lift')}<tr><th>North crane</th><td>20 t</td></tr>`, ['Crane | Lift • North crane | 20 t']],
    [
      'heads that are told by where they are',
      `<thead>${row('td', 'Crane', 'Lift')}</thead>${row('td', 'North crane', '20 t')}`,
      ['Crane | Lift • North crane | 20 t'],
    ],
    ['no heads', row('td', 'North crane', 'lifts 20 t'), ['North crane | lifts 20 t']],
    [
      'an empty cell',
      row('th', 'Crane', 'Age', 'Lift') + row('td', 'North crane', '', '20 t'),
      ['Crane | Age | Lift • North crane | | 20 t'],
    ],
    [
      'a cell that it shares with the row above',
      `${row('th', 'Crane', 'Season', 'Lift')}<tr><td rowspan="2">North crane</td><td>summer</td><td>20 t</td></tr>${row('td', 'winter', '9 t')}`,
      ['Crane | Season | Lift • North crane | summer | 20 t', 'Crane | Season | Lift • North crane | winter | 9 t'],
    ],
    [
      'heads above those of several columns',
      `<tr><th rowspan="2">Crane</th><th colspan="2">Lift</th></tr>${row('th', 'summer', 'winter')}${row('td', 'North crane', '20 t', '9 t')}`,
      ['Crane | Lift summer | Lift winter • North crane | 20 t | 9 t'],
    ],
  ])('has its cells where they belong: %s', async (_, rows, quoted) => {
    expect(await quotedFor(page(`<table>${rows}</table>`), LIFT)).toEqual(quoted);
  });

  it('is quoted behind a sentence that forbids what is in the table', async () => {
    const table = `<p>These cranes must not be used:</p><table>${row('th', 'Crane', 'Lift')}${row('td', 'North crane', '20 t')}</table>`;
    expect(await quotedFor(page(table), LIFT)).toEqual(['These cranes must not be used: Crane | Lift • North crane | 20 t']);
  });

  it.each([
    ['headings', '<h2>Lifts</h2><p>The north crane lifts 20 tonnes.</p>'],
    ['another table', `<table>${row('td', 'The north crane lifts 20 tonnes.')}</table>`],
  ])('is none where the table only lays out the page: it holds %s', async (_, cell) => {
    expect(await quotedFor(page(`<table><tr><td>Harbour</td><td>${cell}</td></tr></table>`), LIFT)).toEqual([
      'The north crane lifts 20 tonnes.',
    ]);
  });

  it('takes no time to speak of where a table claims to be larger than any', async () => {
    const cells = '<td colspan="99999999" rowspan="99999999">north crane</td>'.repeat(2_000);
    expect(
      await quotedFor(page(`<table><tr>${cells}</tr><tr>${cells}</tr></table><p>The north crane lifts 20 tonnes.</p>`), LIFT),
    ).not.toEqual([]);
  });

  it.each(['<ul><li>north crane ', '<dl><dt>crane<dd>north crane ', '<table><tr><td>north crane '])(
    'takes neither time nor memory to speak of where thousands are in one another and none is closed: %s',
    async (opened) => {
      const texts = await quotedFor(page(`<p>The north crane lifts 20 tonnes.</p>${opened.repeat(10_000)}`), LIFT);
      expect(texts.some((text) => text.includes('lifts 20 tonnes'))).toBe(true);
    },
  );
});

describe('an item of a list of a page', () => {
  it.each([
    [
      'a paragraph',
      '<p>Cranes must not:</p><ul><li>lift living dogs</li><li>swing over ships</li></ul>',
      'Cranes must not: • lift living dogs',
    ],
    [
      'the item above',
      '<ul><li>Cranes never do this:<ul><li>lift living dogs</li></ul></li></ul>',
      'Cranes never do this: • lift living dogs',
    ],
    ['its term', '<dl><dt>Forbidden</dt><dd>to lift living dogs</dd></dl>', 'Forbidden • to lift living dogs'],
    ['a paragraph before another', '<p>Cranes must not:</p><p>lift dogs that are alive</p>', 'Cranes must not: lift dogs that are alive'],
  ])('is quoted behind what it hangs on: %s', async (_, body, line) => {
    const [first] = await quotedFor(page(body), 'Can a crane lift dogs?');
    expect(first?.startsWith(line)).toBe(true);
  });

  it('is not quoted behind what stands before another list', async () => {
    const body = '<p>Cranes must not:</p><ul><li>swing over ships</li></ul><ul><li>lift dogs in baskets</li></ul>';
    expect(await quotedFor(page(body), 'Can a crane lift dogs?')).toContain('lift dogs in baskets');
  });
});

describe('an item of a list in a plain text', () => {
  it.each([
    ['at once', 'Cranes must not:\n- swing over ships\n- lift living dogs\n\nThe harbour likes dogs of all kinds.\n'],
    ['behind a blank line each', 'Cranes must not:\n\n- swing over ships\n\n- lift living dogs\n\nThe harbour likes dogs of all kinds.\n'],
  ])('is quoted behind what leads to its list, and what follows the list is not: %s', async (_, text) => {
    const quoted = await quotedFor(text, 'What about dogs?', 'cranes.txt');
    for (const line of quoted.filter((each) => each.includes('living'))) expect(line).toMatch(/^Cranes must not: • /);
    expect(quoted.join('\n')).toContain('lift living dogs');
    expect(quoted).toContain('The harbour likes dogs of all kinds.');
  });
});

describe('code of a page', () => {
  const commands = page(`<p>Check the north crane with:</p>
<pre><code class="language-sh"><span>crane --north \\</span>
  --check
<div>crane --report</div></code></pre>
<p>The south crane needs no check.</p><footer>Copyright of the north crane check</footer>`);

  it('has its lines, behind what leads to it, in the lines where it stands', async () => {
    const folder = folderOf({ 'page.html': commands });
    const { markdown, citations } = await ask(folder, { query: 'How do I check the north crane?' });
    expect(markdown).toContain(
      '- Check the north crane with:\n\n  ```sh\n  crane --north \\\n    --check\n  crane --report\n  ```\n\n  [1]',
    );
    expect(citations[0] && linesOf(folder, citations[0])).toMatch(/^<pre>[^]*--report/);
  });

  it('is followed by what stands below it, without the footer of the page', async () => {
    const quoted = await quotedFor(commands, 'Does the south crane need a check?');
    expect(quoted.join()).toContain('The south crane needs no check.');
    expect(quoted.join()).not.toContain('Copyright');
  });

  it('that is a text of many lines is read as one', async () => {
    const text = Array.from({ length: 60 }, (_, at) => `Line ${at} tells of chain ${at}.\n`).join('\n');
    const folder = folderOf({ 'mail.html': `<pre>\n${text}</pre><p>The end of the mail is here.</p>` });
    const { citations } = await ask(folder, { query: 'What does line 57 tell of chain 57?' });
    expect(citations[0] && linesOf(folder, citations[0])).toContain('Line 57 tells of chain 57.');
    expect((await ask(folder, { query: 'Where is the end of the mail?' })).markdown).toContain('The end of the mail is here.');
  });
});

describe('a page as it is written by hand or by a kit', () => {
  it.each([
    [
      'a heading',
      (question: string, answer: string) => `<h3><button aria-expanded="false">${question}</button></h3><div><p>${answer}</p></div>`,
    ],
    [
      'a summary',
      (question: string, answer: string) => `<details><summary><button>${question}</button></summary><p>${answer}</p></details>`,
    ],
    ['a term', (question: string, answer: string) => `<dl><dt><button>${question}</button></dt><dd>${answer}</dd></dl>`],
  ])('has its questions in buttons, each within %s', async (_, entry) => {
    const hires = entry('Which deposit is due for a hired crane?', 'It must be paid in cash, and it amounts to 120 euros.');
    const returns = '<h3>How long may I keep a crane?</h3><p>A crane may be kept for 30 days. <button>Copy the link</button></p>';
    const folder = folderOf({ 'page.html': page(returns + hires) });
    const deposit = (await ask(folder, { query: 'Which deposit is due for a hired crane?' })).markdown;
    expect(deposit).toContain('120 euros');
    // Once by the report itself, and once by the page.
    expect(deposit.match(/Which deposit/g)?.length).toBeGreaterThan(1);
    const { markdown } = await ask(folder, { query: 'How long may I keep a crane?' });
    expect(markdown).toContain('30 days');
    expect(markdown).not.toContain('Copy the link');
    const elsewhere = markdown.split(/^#+ /m).filter((section) => section.includes('120 euros') && !section.includes('Which deposit'));
    expect(elsewhere).toEqual([]);
  });

  it('needs no tags around its head and its body, and has one title, which no drawing has', async () => {
    const icon = '<svg><title>Menu icon</title><path d="M0 0"/></svg>';
    const html = `<!doctype html><html><head><title>Pump manual</title><style>p{}</style><meta charset="utf-8">
      <p>The filter of the pump must be cleaned every 40 hours.</p>${icon}`;
    const { markdown, citations } = await ask(folderOf({ 'page.html': html }), {
      query: 'How often must the filter of the pump be cleaned?',
    });
    expect(markdown).toContain('every 40 hours');
    expect(markdown).not.toContain('Pump manual must');
    expect(citations.map(({ title }) => title)).toEqual([expect.stringMatching(/^Pump manual(?!.*(?:icon|p\{))/)]);
    const untitled = await ask(folderOf({ 'page.html': html.replace('<title>Pump manual</title>', '') }), {
      query: 'How often must the filter of the pump be cleaned?',
    });
    expect(untitled.citations.map(({ title }) => title).join()).not.toContain('icon');
  });
});
