import type { JobView } from '@lib/store/views/job.view';
import { terminalAnswer } from '../../src/cli/answer-text';
import { shortName, terminalReport } from '../../src/cli/terminal-report';
import { wrapped } from '../../src/cli/terminal-text';
import fc from '../support/properties';

const ESCAPE = '\u001b';
/** What is seen: a link as `<text|address>`, looks left out. */
const seen = (text: string): string =>
  text
    .replaceAll(new RegExp(`${ESCAPE}\\]8;;([^${ESCAPE}]+)${ESCAPE}\\\\(.*?)${ESCAPE}\\]8;;${ESCAPE}\\\\`, 'g'), '<$2|$1>')
    .replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, 'g'), '');

const REPORT = `## Answer

1. Hooks \\*run\\* in **order** [1][2] (provider-a; high)
2. Errors go to the handler [2] (provider-c; low)

## Disputed

| One side | The other side |
| --- | --- |
| “It holds” [1] | “It does not” |

### Other points

- Item with \`code\`

  \`\`\`js
  const a = 1;
  \`\`\`

## Sources

- [1] [Hooks & more](<https://www.example.org/a/b?c=1>) (provider-a)
- [2] [Errors](<corpus:/docs/Errors%20here.md#L1-L2>) (provider-c)
`;

it('a report is laid out: no Markdown is left, marks are short names that link, each source leads somewhere', () => {
  const text = terminalReport(REPORT, 200, (url) => url.replace('corpus:/', 'file:///'));
  expect(text).toContain(`${ESCAPE}[1mAnswer${ESCAPE}[22m`);
  expect(text).toContain(`${ESCAPE}[1morder${ESCAPE}[22m`);
  expect(seen(text).split('\n')).toEqual([
    'Answer',
    '',
    '1. Hooks *run* in order [<example.org|https://www.example.org/a/b?c=1>][<docs: Errors here.md|file:///docs/Errors%20here.md#L1-L2>] (provider-a; high)',
    '2. Errors go to the handler [<docs: Errors here.md|file:///docs/Errors%20here.md#L1-L2>] (provider-c; low)',
    '',
    'Disputed',
    '',
    'One side: “It holds” [<example.org|https://www.example.org/a/b?c=1>]',
    'The other side: “It does not”',
    '',
    'Other points',
    '',
    '•  Item with code',
    '   const a = 1;',
    '',
    'Sources',
    '',
    '•  [<example.org|https://www.example.org/a/b?c=1>] <Hooks & more|https://www.example.org/a/b?c=1> (provider-a)',
    '•  [<docs: Errors here.md|file:///docs/Errors%20here.md#L1-L2>] <Errors|file:///docs/Errors%20here.md#L1-L2> (provider-c)',
  ]);
});

it('numbers of two digits stand apart from their items', () => {
  expect(terminalReport('9. nine\n10. ten', 80)).toBe('9. nine\n10. ten');
});

it('items of a quoted list stand on lines of their own, within their claim', () => {
  const report = '1. It keeps these:\\\n   • seven daily files\\\n   • one file [1] (provider-a; medium)\n2. More';
  expect(terminalReport(report, 22)).toBe(
    '1. It keeps these:\n   • seven daily files\n   • one file [1]\n   (provider-a;\n   medium)\n2. More',
  );
});

it('what leads nowhere from here is a name without a link', () => {
  const text = terminalReport('- [1] [Run](<javascript:alert(1)>)\n- [2] [Doc](<corpus:/a.md>) [2]', 80, (url) =>
    url.startsWith('corpus:') ? null : url,
  );
  expect(text).not.toContain(`${ESCAPE}]8`);
  expect(seen(text)).toContain('[a.md]');
});

it('each claim stands there once: those of the report in it, the others after it', () => {
  const claim = (text: string) => ({ claim: text, confidence: 'low', supportingProviders: ['provider-a'], contradictingProviders: [] });
  const job = {
    status: 'completed',
    synthesisMarkdown: REPORT,
    synthesisClaimsJson: [claim('Hooks *run* in order'), claim('Errors go to the handler'), claim(`Nobody ${ESCAPE}[31msaid this`)],
    steps: [],
    totalCustomerCostCents: 3,
    budgetCapCents: 100,
    durationSeconds: 2,
  } as unknown as JobView;
  const text = seen(terminalAnswer(job, 80, (url) => url));
  for (const part of ['Errors go to the handler', 'in order', 'Nobody [31msaid this']) expect(text.split(part)).toHaveLength(2);
  expect(text).toContain('More claims\n\n- [low] Nobody');
  expect(text).toContain('Cost: 3 of at most 100 cents');
});

it('nothing in a report or an address leaves the marks that the terminal is given', () => {
  const hostile = [
    '](x)',
    '[1]',
    `${ESCAPE}]8;;http://evil${ESCAPE}\\`,
    '\u0007',
    '**',
    '`',
    '|',
    '\n- ',
    '\n\n',
    '<b>',
    'http://a/\u202e',
    'é',
    ' ',
  ];
  const texts = fc.array(fc.oneof(fc.constantFrom(...hostile), fc.string()), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, texts, (text, address) => {
      const plain = text.replace(/(?![\n\t])\p{Cc}/gu, '');
      const shown = terminalReport(`${plain}\n\n- [1] [t](<${address.replace(/[\p{Cc}<>]/gu, '')}>)`, 60, (url) => url);
      const rest = shown
        .replaceAll(new RegExp(`${ESCAPE}\\]8;;[\\x21-\\x7e]*${ESCAPE}\\\\`, 'g'), '')
        .replaceAll(new RegExp(`${ESCAPE}\\[(1|2|3|4|22|23|24)m`, 'g'), '');
      expect(rest).not.toMatch(/(?![\n\t])\p{Cc}/u);
    }),
  );
});

it('lines are broken between words, whatever marks stand in them', () => {
  expect(wrapped('one two three four', 9, '  ')).toBe('one two\n  three\n  four');
  expect(wrapped(`${ESCAPE}[1mone${ESCAPE}[22m two`, 10, '')).toBe(`${ESCAPE}[1mone${ESCAPE}[22m two`);
  expect(wrapped('averyverylongword x', 5, '')).toBe('averyverylongword\nx');
});

it('sources have short names, and those of documents say whose they are', () => {
  const long = 'long.'.repeat(20);
  const names = {
    'https://www.a.org/x': 'a.org',
    'corpus:/d/e%20f.md#L1': 'd: e f.md',
    'corpus:/fastify/docs/Reference/Server.md#L3-L9': 'fastify: Server.md',
    'corpus:/@fastify/cors/README.md': '@fastify/cors: README.md',
    'corpus:/README.md': 'README.md',
    'corpus:/%zz.md': '%zz.md',
    [`https://${long}org/`]: `${long.slice(0, 47)}…`,
    'no address': 'no address',
  };
  expect(Object.fromEntries(Object.keys(names).map((address) => [address, shortName(address)]))).toEqual(names);
});
