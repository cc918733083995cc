import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Nodes } from 'mdast';
import { citation, failed, marksOf, reported, synthesisOf } from './steps';

const A = 'https://a.example/page';
const B = 'https://b.example/page';

function nodesOf(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])];
}

const parsed = (markdown: string): Nodes[] =>
  nodesOf(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));

describe('the report', () => {
  const steps = [
    reported(
      'provider-a',
      'Errors of hooks go to the error handler [1]. The default timeout is 30 seconds [2]. Plugins inherit the handler of their parent [2].',
      [A, 'https://c.example/x'],
    ),
    reported('provider-b', 'Errors of hooks go to the error handler [1]. The default timeout is 90 seconds [1].', [B]),
    failed('provider-c', 'the service was overloaded'),
    failed('provider-d', 'the budget did not allow it', 'skipped'),
  ];

  it('answers first, then says what is agreed, disputed, said by one alone, missing, and its sources', () => {
    const { markdown } = synthesisOf(...steps);
    expect(markdown.match(/^## .*$/gm)).toEqual([
      '## Answer',
      '## Agreed by several providers',
      '## Disputed',
      '## Without a result',
      '## Sources',
    ]);
    expect(markdown).toContain('- Errors of hooks go to the error handler. [1][2]\n');
    expect(markdown).toContain(
      '| “The default timeout is 30 seconds.” [3] | provider-a | “The default timeout is 90 seconds.” [2] | provider-b |',
    );
    expect(markdown.match(/“/g)).toHaveLength(2);
    expect(markdown).toContain('- provider-c failed: the service was overloaded');
    expect(markdown).toContain('- provider-d was skipped: the budget did not allow it');
    expect(markdown).toContain(`- [2] [\`${B}\`](<${B}>) (provider-b)`);
  });

  it('lists exactly the sources that its marks name, numbered as they appear', () => {
    const { used, listed } = marksOf(synthesisOf(...steps).markdown);
    expect(listed).toEqual([1, 2, 3]);
    expect([...new Set(used)].sort()).toEqual(listed);
  });

  it('gives one source one number, whoever returned it', () => {
    const page = 'https://www.a.example/page/#part';
    const { markdown } = synthesisOf(
      reported('provider-a', 'Errors of hooks go to the error handler [1].', [A]),
      reported('provider-b', 'Errors of hooks go to the error handler [1].', [page]),
    );
    expect(marksOf(markdown).listed).toEqual([1]);
    expect(markdown).toContain('(provider-a, provider-b)');
  });

  it('says so when there is nothing to claim', () => {
    const { markdown, claims } = synthesisOf(
      reported('provider-a', 'The documents do not answer this question.', []),
      failed('provider-b', 'timed out'),
    );
    expect(claims).toEqual([]);
    expect(markdown).toContain('No answer: none of the 1 report states anything that a source backs.');
    expect(markdown).toContain('provider-b failed: timed out');
    expect(markdown).not.toContain('## Sources');
  });

  it('takes no claim from a failed step, which changes no claim', () => {
    const [first, second] = steps;
    if (!first || !second) throw new Error('two steps are given above');
    const { claims } = synthesisOf(first, second);
    expect(synthesisOf(...steps).claims).toEqual(claims);
  });

  it.each([
    'The handler | shows <script>alert()</script> and <img src=x onerror=y> to 30 users [1].',
    'The handler ![shows](https://evil.example/p.png) a picture to 30 users of the page [1].',
    'The handler \\![shows\\](https://evil.example/p.png) a picture to 30 users of the page [1].',
    'The handler sends 30 users to https://evil.example/?q=[7] and to www.evil.example pages [1].',
    'The handler sends 30 users [to another page](javascript:alert(1)) of the site [1].',
    'The handler is &lt;b&gt;bold&lt;/b&gt; and ~~struck~~ for 30 users `|` [1].',
    '\\# The handler shows a heading to 30 users of the page [1].',
    '\\1. The handler shows a list to 30 users of the page [1].',
    'The handler \u202Eturns the text around\u202C for 30 users [1].',
  ])('neutralises what it quotes: %s', (hostile) => {
    const harmless = hostile.replace('30 users', '90 users');
    const given = [
      reported('provider-a', hostile, [A]),
      reported('provider-b', harmless, [B]),
      failed('provider-c', `${hostile}\n\n# Heading`),
    ];
    const { markdown } = synthesisOf(...given);
    const nodes = parsed(markdown);
    expect(nodes.filter(({ type }) => type === 'html' || type === 'image' || type === 'imageReference' || type === 'delete')).toEqual([]);
    expect(nodes.filter(({ type }) => type === 'heading').length).toBe(markdown.match(/^## /gm)?.length);
    for (const node of nodes) if (node.type === 'link') expect([A, B]).toContain(node.url);
    for (const row of nodes) if (row.type === 'tableRow') expect(row.children).toHaveLength(4);
    expect(nodes.filter(({ type }) => type === 'tableRow').length).toBeGreaterThan(1);
    expect(markdown).not.toMatch(/[\u202A-\u202E]/);
    const { used, listed } = marksOf(markdown);
    for (const mark of used) expect(listed).toContain(mark);
  });

  it('does not take a number in brackets that is no mark for one', () => {
    const { markdown } = synthesisOf(
      reported('provider-a', 'The handler reads the cell \\[99\\] and the cell `[98]` of a sheet [1].', [A]),
    );
    expect(markdown).toContain('- The handler reads the cell \\[99\\] and the cell \\[98\\] of a sheet. [1]\n');
    expect(marksOf(markdown).used).toEqual([1]);
  });

  it('neutralises titles and addresses of sources', () => {
    const step = reported('provider-a', 'The handler receives every error of a hook [1][2][3].', []);
    const sources = [
      citation(1, 'javascript:alert(1)', { title: 'One](https://evil.example)' }),
      citation(2, 'https://b.example/a>b (c) [4]\n# x', { title: '<b>Two</b> | ![x](y)' }),
      citation(3, 'https://c.example/', { title: 'Three [5]\n\n# four' }),
    ];
    const { markdown } = synthesisOf({ ...step, citations: sources });
    const links = parsed(markdown).flatMap((node) => (node.type === 'link' ? [node.url] : []));
    expect(links).toEqual(['https://b.example/a%3Eb%20(c)%20%5B4%5D%0A#%20x', 'https://c.example/']);
    expect(marksOf(markdown)).toEqual({ used: [1, 2, 3], listed: [1, 2, 3] });
    expect(parsed(markdown).filter(({ type }) => type === 'html' || type === 'image')).toEqual([]);
    expect([...markdown.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)).sort()).toEqual([1, 1, 2, 2, 3, 3]);
  });
});
