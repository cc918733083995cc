import type { Citation } from '@lib/domain/citation';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';

/** A passage that an engine quotes: the path of its document, its title, and its text without the mark. */
type Passage = readonly [path: string, title: string, text: string];

const HANDBOOK = 'Staff get a day off on their birthday. Every full-time employee receives 28 days of paid annual leave per calendar year.';
const FAQ = 'Full-time staff receive 25 days of paid annual leave each year.';

/** The report of an engine with these passages in its answer, then those that are no part of it. */
function quoting(answer: readonly Passage[], further: readonly Passage[] = []): SynthesisStep {
  let reportMarkdown = 'Answering from 2 local documents.\n\n';
  const citations: Citation[] = [];
  const quote = ([path, title, text]: Passage): void => {
    const index = citations.length + 1;
    reportMarkdown += `### ${title}\n\n- `;
    const startIndex = reportMarkdown.length;
    reportMarkdown += `${text} [${index}]`;
    const place = { url: `corpus:/${path}#L${index}-L${index}`, title, snippet: null, publishedAt: null, domain: null };
    citations.push({ index, ...place, startIndex, endIndex: reportMarkdown.length });
    reportMarkdown += '\n\n';
  };
  answer.forEach(quote);
  if (further.length > 0) reportMarkdown += '## Further passages\n\n';
  further.forEach(quote);
  const rest = { status: 'completed', errorMessage: null, failure: null, truncated: false } as const;
  return { stepId: 'step-1', provider: 'provider-a', reportMarkdown, citations, ...rest };
}

const HEADING = '## The documents may contradict each other';

/** The lines of the report that hold documents against each other. */
function contradictionsIn(...steps: SynthesisStep[]): string[] {
  const { markdown } = synthesize({ query: 'How many days of annual leave do I get?', mode: 'fast', tier: 'M', steps });
  const [, section = ''] = markdown.split(`${HEADING}\n\n`);
  return (section.split('\n\n')[0] ?? '').split('\n').filter((line) => line !== '');
}

describe('documents that contradict each other', () => {
  it('are held against each other sentence by sentence, each with its source', () => {
    expect(
      contradictionsIn(
        quoting([
          ['handbook.md', 'Handbook › Leave', HANDBOOK],
          ['faq.md', 'Questions › How many days of leave do I get?', FAQ],
        ]),
      ),
    ).toEqual([
      '- “Every full-time employee receives 28 days of paid annual leave per calendar year.” [1] and “Full-time staff receive 25 days of paid annual leave each year.” [2] (figures differ)',
    ]);
  });

  it('are found once if several engines quote them, also if each quotes one of them', () => {
    const [one, other] = [quoting([['handbook.md', 'Leave', HANDBOOK]]), quoting([['faq.md', 'Leave', FAQ]])];
    const second = { ...other, stepId: 'step-2', provider: 'provider-b' } as const;
    expect(contradictionsIn(one, second)).toHaveLength(1);
    const both = quoting([
      ['handbook.md', 'Leave', HANDBOOK],
      ['faq.md', 'Leave', FAQ],
    ]);
    expect(contradictionsIn(both, { ...both, stepId: 'step-2', provider: 'provider-b' })).toHaveLength(1);
  });

  it('are not seen where one of them says both, as in the recorded claims', () => {
    const open = 'The office of Kelm is open to visitors on Sundays.';
    const closed = 'The office of Kelm is not open to visitors on Sundays.';
    const other: Passage = ['b.md', 'Visits', `Tickets are free. ${open}`];
    expect(contradictionsIn(quoting([['a.md', 'Visits', open], ['a.md', 'Notes', closed], other]))).toEqual([]);
    expect(contradictionsIn(quoting([['a.md', 'Notes', closed], other]))).toHaveLength(1);
  });

  it.each<[string, Passage, Passage]>([
    ['two passages of one document', ['handbook.md', 'Leave', HANDBOOK], ['handbook.md', 'Leave in short', FAQ]],
    ['what agrees', ['handbook.md', 'Leave', HANDBOOK], ['faq.md', 'Leave', FAQ.replace('25', '28')]],
    [
      'parameters of two functions',
      ['client.md', 'new Client', '`timeout` {number} The time after which an idle socket times out. Default: `4000`.'],
      ['pool.md', 'new Pool', '`timeout` {number} The time after which an idle socket never times out. Default: `300`.'],
    ],
    [
      'code',
      ['one.md', 'Use', 'For example:\n\n  ```js\n  // Staff receive 28 days of paid annual leave each year.\n  ```\n\n '],
      ['faq.md', 'Leave', FAQ],
    ],
    ['documents about different things', ['a.md', 'Lark K200 › Leave', HANDBOOK], ['b.md', 'Lark K300 › Leave', FAQ]],
  ])('are not seen in %s', (_, one, other) => {
    expect(contradictionsIn(quoting([one, other]))).toEqual([]);
  });

  it('are not looked for in passages that are no part of the answer', () => {
    expect(contradictionsIn(quoting([['handbook.md', 'Leave', HANDBOOK]], [['faq.md', 'Leave', FAQ]]))).toEqual([]);
  });

  it('are compared as text, whatever Markdown the passages contain', () => {
    const hostile =
      '# 28 [1]: <x> | ``` **days** of ![paid](annual) leave. Every full-time employee receives 28 days of paid annual leave.';
    const lines = contradictionsIn(
      quoting([
        ['handbook.md', 'Leave › # ](x', hostile],
        ['faq.md', 'Leave', FAQ],
      ]),
    );
    expect(lines).toEqual([expect.stringContaining('“Every full-time employee receives 28 days of paid annual leave.” [1] and')]);
  });
});
