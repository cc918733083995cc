import type { Citation } from '@lib/domain/citation';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';

const CODE = 'To rotate at once, call:\n\n  ```js\n  wren.rotate();\n\n  wren.close();\n  ```\n\n  [1]';
const DEFAULT = 'Default: `14` [2]';
const LIMIT = 'Defines how many files may lie there at the same time before the oldest of them all is deleted [1]';

/** The report of an engine that read documents: its quotations, each with the citation that spans it. */
function quoting(provider: ProviderId, quotations: readonly string[], title = 'Wren › keepFiles'): SynthesisStep {
  let reportMarkdown = 'Answering from 2 local documents.\n\n## Wren › keepFiles\n\n';
  const citations = quotations.map((quotation): Citation => {
    const index = Number(/\[(\d+)\]$/.exec(quotation)?.[1]);
    const startIndex = reportMarkdown.length + 2;
    reportMarkdown += `- ${quotation}\n`;
    const endIndex = startIndex + quotation.length;
    const place = { url: `corpus:/wren.md#L${index}-L${index}`, title, snippet: null, publishedAt: null, domain: null };
    return { index, ...place, startIndex, endIndex };
  });
  const rest = { status: 'completed', errorMessage: null, failure: null, truncated: false } as const;
  return { stepId: `step-${provider}`, provider, reportMarkdown, citations, ...rest };
}

/** The same report, where its quotations only come close. */
function furtherOf(step: SynthesisStep, heading = 'Further passages'): SynthesisStep {
  const further = `## ${heading}\n\n`;
  const citations = step.citations.map((citation) => ({
    ...citation,
    startIndex: (citation.startIndex ?? 0) + further.length,
    endIndex: (citation.endIndex ?? 0) + further.length,
  }));
  return { ...step, reportMarkdown: step.reportMarkdown.replace('- ', `${further}- `), citations };
}

const synthesisOf = (...steps: SynthesisStep[]) => synthesize({ query: 'How many files does Wren keep?', mode: 'fast', tier: 'M', steps });

describe('what engines quote from documents', () => {
  it('takes no time if it is longer than any passage and full of fences', () => {
    const hostile = `Use this:${'\n```\n````\n['.repeat(20_000)}\n\`\`\`\`\` [1]`;
    const before = process.cpuUsage();
    synthesisOf(quoting('provider-a', [hostile]));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5_000);
  });

  it('is one claim of medium confidence that nobody is said to agree on, however many read it', () => {
    const { claims, markdown } = synthesisOf(quoting('provider-a', [DEFAULT]), quoting('provider-b', [DEFAULT]));
    expect(claims.map(({ claim, confidence, supporting }) => [claim, confidence, supporting.length])).toEqual([
      ['[keepFiles] Default: 14', 'medium', 2],
    ]);
    expect(markdown).not.toContain('Agreed by several providers');
  });

  it.each([
    ['Pets › Not allowed', '[Not allowed]'],
    ['Forbidden on board › Pets', '[Forbidden on board › Pets]'],
  ])('is named with a heading that denies it, however long it is: %s', (title, shown) => {
    const pets = 'All dogs, cats, geese and other animals that somebody may want to have with them on the upper deck [1]';
    const { claims } = synthesisOf(quoting('provider-a', [pets], title));
    expect(claims.map(({ claim }) => claim)).toEqual([`${shown} ${pets.slice(0, -4)}`]);
  });

  it('is named with the heading of its section, unless its first sentence has the words', () => {
    const named = (title: string) => synthesisOf(quoting('provider-a', [LIMIT], title)).claims.map(({ claim }) => claim);
    expect(named('Wren › maxFiles')).toEqual([`[maxFiles] ${LIMIT.slice(0, -4)}`]);
    expect(named('Wren › The Oldest')).toEqual([LIMIT.slice(0, -4)]);
    expect(named('Wren › What is to be thought of before an option is set')).toEqual([LIMIT.slice(0, -4)]);
    expect(named('Wren › keep(files[, days])')).toEqual([`[keep(files, days)] ${LIMIT.slice(0, -4)}`]);
    expect(named('Wren › [@wren/files][]')).toEqual([`[@wren/files] ${LIMIT.slice(0, -4)}`]);
    const two = 'Any number. This option, `maxFiles`, has no effect on what lies elsewhere and is read once at the start [1]';
    expect(synthesisOf(quoting('provider-a', [two], 'Wren › maxFiles')).claims[0]?.claim).toMatch(/^\[maxFiles\] Any number\. /);
  });

  it('is named so that sections of different documents with the same heading are told apart', () => {
    const step = quoting('provider-a', [DEFAULT, LIMIT]);
    const named = (titles: readonly string[], names: readonly string[]): string[] => {
      const citations = step.citations.map((citation, at) => ({ ...citation, title: titles[at] ?? '', url: `corpus:/${names[at]}#L1-L1` }));
      return synthesisOf({ ...step, citations }).claims.map(({ claim }) => /^\[([^\]]*)\]/.exec(claim)?.[1] ?? '');
    };
    expect(named(['Wren › Limits', 'Kelm › Limits'], ['wren.md', 'kelm.md'])).toEqual(['Wren › Limits', 'Kelm › Limits']);
    expect(named(['Wren › Limits', 'Wren › Limits'], ['a/limits%202024.md', 'limits.md'])).toEqual([
      'limits 2024.md › Limits',
      'limits.md › Limits',
    ]);
    expect(named(['Wren › Limits', 'Kelm › Limits'], ['wren.md', 'wren.md'])).toEqual(['Limits', 'Limits']);
  });

  it('keeps rows of a table as a table', () => {
    const { markdown } = synthesisOf(quoting('provider-a', ['Code | Remedy [1] • E1 | Keep \\`a\\` • E2 | Call rotate [1]']));
    expect(markdown).toContain(
      '1. keepFiles: [1] (provider-a; medium)\n\n   | Code | Remedy |\n   | --- | --- |\n   | E1 | Keep \\`a\\` |\n',
    );
    expect(markdown).toContain('   | E2 | Call rotate |\n');
  });

  it.each([
    [
      'with an empty corner',
      '\\| staging \\| production [1] • Log level \\| debug \\| info [1]',
      ['|  | staging | production |', '| Log level | debug | info |'],
    ],
    [
      'with empty cells inside of a row',
      'Data | Kept | In | By [1] • Redis | | | us [1]',
      ['| Data | Kept | In | By |', '| Redis |  |  | us |'],
    ],
    ['with numbers', 'Fee | Price [1] • Boat | 19.00 [1]', ['| Boat | 19.00 |']],
    ['with empty cells at the end of a row', 'Data | Kept | In [1] • Redis | no [1]', ['| Data | Kept | In |', '| Redis | no |  |']],
    [
      'behind a sentence',
      'You must not store data elsewhere. [1] Region | Price [1] • Ohio | 30 EUR [1]',
      ['data elsewhere. [1] (provider-a; medium)\n\n   | Region', '| Region | Price |', '| Ohio | 30 EUR |'],
    ],
  ])('keeps rows of a table as a table %s', (_, rows, lines) => {
    const { markdown } = synthesisOf(quoting('provider-a', [rows]));
    for (const line of [...lines, '   | --- |']) expect(markdown).toContain(line);
  });

  it('keeps rows as they are that have more cells than there are columns: a bar may be part of a cell', () => {
    const { markdown } = synthesisOf(quoting('provider-a', ['Name | Type [1] • keep | number | string [1]']));
    expect(markdown).toContain('[keepFiles] Name \\| Type\\\n   • keep \\| number \\| string [1]');
  });

  it('stands in the answer as the engine ranks it, code as a block', () => {
    const { markdown } = synthesisOf(quoting('provider-a', [CODE, DEFAULT]));
    expect(markdown).toContain(
      '1. [keepFiles] To rotate at once, call: [1] (provider-a; medium)\n\n   ```js\n   wren.rotate();\n\n   wren.close();\n   ```\n',
    );
    expect(markdown).toContain('2. [keepFiles] Default: 14 [2] (provider-a; medium)');
    expect(markdown).not.toContain('how many independent sources');
  });

  it('has the headings of code that no sentence leads to before it, as what they are', () => {
    const { markdown } = synthesisOf(quoting('provider-a', [CODE.replace('To rotate at once, call:\n\n  ', '')], 'Wren › Usage'));
    expect(markdown).toContain('1. Wren › Usage: [1]');
  });

  it('is a claim with its code, not the words alone that lead to it', () => {
    const example = 'For example:\n\n  ```ts\n  const dose = tamarol({ perDay: 2 });\n  ```\n\n  [2]';
    const { claims } = synthesisOf(quoting('provider-a', [CODE, example]));
    expect(claims.map(({ claim }) => claim)).toEqual([
      '[keepFiles] To rotate at once, call:\n\nwren.rotate();\n\nwren.close();',
      '[keepFiles] For example:\n\nconst dose = tamarol({ perDay: 2 });',
    ]);
  });

  it.each(['For example: [1]', 'v3: [1]', '**Default:** [1]', 'Usage [1]', 'The dose per day is given as follows. [1]', '• v3: • v4: [1]'])(
    'is no claim where it only leads to what is not quoted: %s',
    (leadIn) => {
      const { claims } = synthesisOf(quoting('provider-a', [leadIn, DEFAULT]));
      expect(claims.map(({ claim }) => claim)).toEqual(['[keepFiles] Default: 14']);
    },
  );

  it('ends before words that lead on, and keeps a list with what leads to it, an item a line', () => {
    const sets = '`keepFiles` sets how many files Wren keeps before it deletes the oldest of them. For example: [1]';
    const list = 'The court of Kelm hears these cases: [2] • appeals • disputes over water [2]';
    const { claims, markdown } = synthesisOf(quoting('provider-a', [sets, list]));
    expect(markdown).toContain('these cases:\\\n   • appeals\\\n   • disputes over water [2] (provider-a; medium)\n');
    expect(claims.map(({ claim }) => claim)).toEqual([
      'keepFiles sets how many files Wren keeps before it deletes the oldest of them.',
      '[keepFiles] The court of Kelm hears these cases: • appeals • disputes over water',
    ]);
  });

  it('keeps numbered steps on lines of their own', () => {
    const { markdown } = synthesisOf(quoting('provider-a', ['To rotate (see above): (1) stop Wren (2) move the file (3) start Wren [1]']));
    expect(markdown).toContain('(see above):\\\n   (1) stop Wren\\\n   (2) move the file\\\n   (3) start Wren [1] (provider-a; medium)');
  });

  it('is compared with another report without the number of its step', () => {
    const step = 'The printer of the kiosk holds 2 rolls of paper.';
    const other = { ...quoting('provider-b', []), reportMarkdown: `${step}\n` };
    const { claims } = synthesisOf(quoting('provider-a', [`(3) ${step} [1]`]), other);
    expect(claims.map(({ supporting }) => supporting.length)).toEqual([2]);
  });

  it('leaves the answer to others where the engine calls it further', () => {
    const step = quoting('provider-a', [DEFAULT]);
    const { markdown } = synthesisOf(quoting('provider-b', [CODE]), furtherOf(step));
    const [answer = '', also = ''] = markdown.split('## Also in the documents');
    expect([answer.includes('Default'), also.includes('Default: 14')]).toEqual([false, true]);
  });

  it('stands apart in the answer where every engine gives it as what fits the question less well', () => {
    const heading = 'May also help';
    const [less, best] = [quoting('provider-a', [CODE, LIMIT], 'Wren › files'), quoting('provider-b', [DEFAULT])];
    const { markdown } = synthesisOf(furtherOf(less, heading), best);
    expect(markdown.match(/^(?:\d+\. .{12}|May also help:)/gm)).toEqual([
      '1. [keepFiles] ',
      'May also help:',
      '2. [files] To r',
      '3. Defines how ',
    ]);
    const alone = synthesisOf(furtherOf(less, heading)).markdown;
    expect(alone).not.toContain('May also help');
    const both = synthesisOf(furtherOf(quoting('provider-a', [DEFAULT]), heading), best).markdown;
    expect(both).not.toContain('May also help');
  });

  it('says that there is none where all is further, and where that stands', () => {
    const step = quoting('provider-a', [DEFAULT]);
    const { markdown } = synthesisOf(furtherOf(step));
    expect(markdown).toMatch(/^No answer: the documents do not answer the question\..*“Also in the documents”/m);
    expect(markdown.split('## Also in the documents')[1]).toContain('Default: 14');
  });

  it('shows hostile code as text', () => {
    const hostile = '```\n  ~~~\n  </code><img src=x>\n  ```\n\n  [1]';
    const { markdown } = synthesisOf(quoting('provider-a', [hostile]));
    expect(markdown).toContain('   ```\n   ~~~\n   </code><img src=x>\n   ```');
  });
});
