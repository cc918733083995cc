import { ask } from './ask-corpus';
import { folderOf, MANY_DOCUMENTS } from './corpus-folder';

const rows = Array.from(
  { length: 60 },
  (_, at) => `| \`setting${at}\` | ${at} | Whatever number ${at} of the settings of a plover is good for |`,
);
const plover = folderOf({
  'plover/README.md': `# Plover

Plover is a queue for small servers.

### \`jobLimit\`

+ Default: \`1048576\` (1MiB)

Defines the maximum size of a job, in bytes, that plover accepts.

## Polling

- \`interval\` (default: \`100\`). Interval of polling, in milliseconds. A shorter one costs more.
- \`binary\` (default: \`300\`). The same for binary files.

## Stopping

When you stop plover it does the following:

1. It refuses new jobs.
2. It waits for the running ones.
3. It closes its files.

## Retries

To let a job be tried again, pass \`retry\`:

\`\`\`js
plover.add(job, { retry: { times: 3 } });
\`\`\`

## Stores

| store | keeps | expires |
| --- | --- | --- |
| \`ShoreDisk\` | jobs | times |
| \`ShoreDisk\` | times | jobs |
| \`ShoreDisk\` | times | times |

## Colours

| colour | meaning |
| --- | --- |
| \`red\` | nothing |
| \`blue\` | a job of plover that sleeps while it waits |
| \`green\` | nothing |

## Settings

| name | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
| \`egret\` | 7 | Feathers that a job may lose |
`,
});
const answerTo = async (query: string): Promise<string> =>
  (await ask(plover, { query })).markdown.split(/^## (?:Further|Sources)/m)[0] ?? '';

describe('an answer from documents', () => {
  it('has the few words that state a default, though none of them is in the question', async () => {
    expect(await answerTo('How large may a job of plover be if I configure nothing?')).toContain('Default: `1048576` (1MiB)');
  });

  it('keeps an option with its explanation', async () => {
    expect(await answerTo('At what interval does plover poll by default?')).toMatch(
      /`interval` \(default: `100`\)\. (?:\[\d+\] )?Interval of polling, in milliseconds\./,
    );
  });

  it('gives steps in their order, after what introduces them', async () => {
    expect(await answerTo('What happens step by step when I stop plover?')).toMatch(
      /does the following: \[(\d+)\] \(1\) It refuses new jobs\. \(2\) It waits for the running ones\. \(3\) It closes its files\. \[\1\]/,
    );
  });

  it('shows code after the sentence that leads to it', async () => {
    expect(await answerTo('Show me an example of a job of plover that is tried again.')).toMatch(
      /pass `retry`:\s+```js\n {2}plover\.add\(job, \{ retry: \{ times: 3 \} \}\);\n {2}```\s+\[\d+\]/,
    );
  });

  it('finds a row far below the header of its table', async () => {
    expect(await answerTo('How many feathers may a job of plover lose?')).toContain('egret | 7 | Feathers that a job may lose');
  });

  it('has neighbouring rows of a table together and in their order, also where their words are the same', async () => {
    const answer = await answerTo('Which ShoreDisk stores of plover expire jobs?');
    expect(answer).toContain('ShoreDisk | jobs | times • ShoreDisk | times | jobs • ShoreDisk | times | times');
  });

  it('has the row that answers before those beside it that do not', async () => {
    const answer = await answerTo('Which colour has a job of plover that sleeps while it waits?');
    expect(answer).toContain('blue | a job of plover that sleeps while it waits [1]\n');
    expect(answer).not.toContain('nothing • ');
  });

  it('looks also for what was said before the question', async () => {
    expect(await answerTo('I want a job of plover to be tried again. What do I pass?')).toContain('retry: { times: 3 }');
  });
});

describe('an answer', () => {
  const rook = folderOf({
    'rook.md': `# Rook

Rook is a queue.

## \`keep\`

How many finished jobs rook keeps before it deletes the oldest of them. Default: 50. Example file: keep-jobs.js

## Stopping

Rook deletes nothing while it stops. Jobs that are running are finished first.

## Logs

Each job has a log, in which rook writes what it does.
`,
  });

  it('has what fits the question less well below a heading of its own', async () => {
    const { markdown } = await ask(rook, { query: 'Does rook delete jobs?' });
    const [answer = '', less = ''] = markdown.split('\n## May also help\n');
    expect(answer.match(/^- .*/gm)).toEqual([expect.stringContaining('Rook deletes nothing while it stops.')]);
    expect(less.match(/^- .*/gm)).toContainEqual(expect.stringContaining('How many finished jobs rook keeps'));
  });

  it('keeps a short sentence with the one before it', async () => {
    const { markdown } = await ask(rook, { query: 'How many finished jobs does rook keep by default?' });
    expect(markdown).toContain('the oldest of them. [1] Default: 50. [1]\n');
    const heron = `How long heron sleeps between two looks at the lake${', and whatever else there is to be said of it'.repeat(8)}.`;
    const asleep = folderOf({ 'heron.md': `# Heron\n\n## \`sleep\`\n\n${heron} Default: 50.\n\n## Wings\n\nHeron has two wings.\n` });
    expect((await ask(asleep, { query: 'How long does heron sleep between two looks?' })).markdown).toContain('. [1] Default: 50. [1]\n');
  });
});

describe('a question that comes close to what the documents say', () => {
  it.each([
    ['What does the maxIdleTime setting of plover do?', 'maxidletime'],
    ['How do I let plover poll over HTTP/3?', 'HTTP/3'],
    ['How do I stop plover from Kubernetes?', 'kubernetes'],
  ])('%j is declined, with the word that nothing covers', async (query, word) => {
    const { markdown, citations } = await ask(plover, { query });
    expect(citations).toEqual([]);
    expect(markdown).toMatch(new RegExp(`do not answer the question: nothing that comes close to it covers .*“${word}”`));
  });

  it('is not said to lack a word that is quoted below', async () => {
    const birds = folderOf({
      'heron.md': '# Heron\n\nHeron is a pool of concurrent promises.\n',
      'egret.md': '# Egret\n\nEgret limits the number of calls that it makes.\n',
      'plover.md': '# Plover\n\nPlover is a queue for small servers. It writes to disk.\n\n## Files\n\nIt closes its files.\n',
      ...MANY_DOCUMENTS,
    });
    const { markdown } = await ask(birds, { query: 'Which number of callers of concurrent promises limits a heron?' });
    const [answer = '', close] = markdown.split('## Further passages');
    expect(close).toContain('Heron is a pool of concurrent promises. [1]');
    expect(answer).toContain('do not answer the question: no passage in them has enough of what it asks');
  });

  it('has no day where none is told', async () => {
    const { markdown } = await ask(plover, { query: 'In which year was plover published as a queue for small servers?' });
    const [answer = '', close] = markdown.split('## Further passages');
    expect(answer).toContain('do not answer the question');
    expect(answer).not.toMatch(/\[\d+\]/);
    expect(close).toContain('Plover is a queue for small servers. [1]');
  });
});

describe('a search of headings and file names alone', () => {
  const folder = folderOf({
    'notes.md': '# Notes\n\nThe lighthouse keeper paints the tower yearly.\n',
    'harbour.md': '# Harbour\n\nThe harbour lies behind the hill.\n',
  });

  it.each([
    [
      'Which lighthouse keeper paints?',
      /headings and file names tell: no section whose heading or file name comes close to it covers .*“lighthouse”/,
    ],
    ['Where are the notes?', /^- /m],
  ])('says that it looked at no more than these: %s', async (query, says) => {
    const { markdown } = await ask(folder, { query }, { strategy: 'structural' });
    expect(markdown).toMatch(says);
    expect(markdown).not.toMatch(/do not answer the question: |nothing that comes close|do not mention/);
  });

  it('says so of each question that it does not answer', async () => {
    const query = 'Where is the harbour? Which lighthouse keeper paints?';
    const { markdown } = await ask(folder, { query }, { strategy: 'structural' });
    expect(markdown).toMatch(
      /this part of the question, “Which lighthouse keeper paints\?”, as far as their headings and file names tell: /,
    );
  });
});
