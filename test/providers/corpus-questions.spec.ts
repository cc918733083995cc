import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

const documents = folderOf({
  'plover/README.md': `# Plover

Plover is a queue for small servers.

## Retention

Finished jobs are removed after a week. The period can be changed.

Set \`keepFor\` to a number of days. With \`0\` nothing is ever removed.

## Editors

The editor that \`$PLOVER_EDITOR\` names is opened on the description of a job.

## Conflicts

When two workers conflict over a job, the older one wins.

## Health

\`/healthz\` tells whether the queue runs.

## Addresses

With \`127.0.0.1\` only programs of this machine are heard.
`,
  'open/README.md': `# Open

Open starts the program of a file. It opens the file with the editor of the desktop.

## Errors

A file that does not exist is an error.
`,
  'heron/README.md': `# Heron

Heron draws charts.

## Retention

Heron keeps finished jobs of drawing until it stops.

## Sockets

Heron opens a socket for each worker. It reads the settings of a chart from YAML.
`,
});

const answerTo = async (query: string): Promise<string> =>
  (await ask(documents, { query })).markdown.split(/^## (?:Further|Sources)/m)[0] ?? '';
/** The documents of the answer. */
const pathsFor = async (query: string): Promise<string[]> => {
  const { markdown, citations } = await ask(documents, { query });
  const answer = markdown.split('## Further passages')[0] ?? '';
  return citations.filter(({ index }) => answer.includes(`[${String(index)}]`)).map(({ url }) => url.replace(/^corpus:\/|#.*/g, ''));
};

describe('a question that names a package', () => {
  it('is answered from its documents first, though others say more of its words', async () => {
    expect((await pathsFor('How long does plover keep finished jobs?'))[0]).toBe('plover/README.md');
    expect((await pathsFor('How long does heron keep finished jobs?'))[0]).toBe('heron/README.md');
  });

  it('names none by an ordinary word when it names another, nor by one that only forms the sentence', async () => {
    expect((await pathsFor('Which editor does plover open for the description of a job?'))[0]).toBe('plover/README.md');
  });

  it('is declined if only other packages have what it asks for', async () => {
    expect(await pathsFor('From which YAML does plover read the settings of a chart?')).toEqual([]);
  });
});

describe('an answer in other words than its question', () => {
  it('asks the second time of what "it" was the first time', async () => {
    expect(await answerTo('How long does plover keep finished jobs, and how do I change it?')).not.toContain('do not answer');
  });

  it('need not repeat the addresses and files of who asks', async () => {
    expect(await answerTo("What's the number of days that plover on 10.20.30.40 keeps finished jobs, as in keep('./jobs.txt')?")).toContain(
      'Set `keepFor` to a number of days.',
    );
  });

  it.each([
    ["What is '/healthz' for?", 'tells whether the queue runs'],
    ['And plover (the "keepFor")?', 'Set `keepFor` to a number of days.'],
    ["What does plover do with set('keepFor')?", 'Set `keepFor` to a number of days.'],
    ['What does 127.0.0.1 mean for plover?', 'only programs of this machine'],
  ])('has what stands in an address, a path or a string if the documents have it: %s', async (query, answer) => {
    expect(await answerTo(query)).toContain(answer);
  });

  it.each(["What does plover do with set('keepWhile')?", 'What does 10.9.8.7 mean for plover?'])(
    'is none where nothing but a package and an example is asked for: %s',
    async (query) => {
      expect(await answerTo(query)).toContain('do not answer');
    },
  );

  it('has the words between two contractions in parentheses', async () => {
    expect(await pathsFor("How does plover keep finished jobs (it isn't in YAML, or I don't see it)?")).toEqual([]);
  });

  it('of a thread is of what is asked there, though that may be an example only', async () => {
    const context = { question: 'Which worker of plover wins when two conflict over a job?', claims: [], laterMessages: [] };
    const { markdown } = await ask(documents, { query: "And '/nowhere'?", context });
    expect(markdown).toMatch(/do not answer the question: .*“nowhere”/);
  });

  it('does not have to repeat what people say while they tell what happened', async () => {
    const query = 'Can somebody change the period of plover somewhere, maybe to something weird?';
    expect(await answerTo(query)).toContain('The period can be changed.');
  });

  it('begins with a number where an amount is asked for, though other lines have more of its words', async () => {
    const room = 'There is room for 40 nests.';
    const nests = `A colony of gannet may have nests on a cliff, and many nests have no colony.\n\n\`\`\`sh\ngannet list\n\`\`\`\n\n${room}`;
    const gannet = folderOf({ 'gannet/README.md': `# Gannet\n\nGannet is a store.\n\n## Nests\n\n${nests}\n` });
    const { markdown } = await ask(gannet, { query: 'How many nests may a colony of gannet have?' });
    expect(markdown).toContain(`## Gannet › Nests\n\n- ${room}`);
  });

  it('is quoted with the lines beside those that have the words', async () => {
    expect(await answerTo('After which period are finished jobs removed by plover?')).toContain('Set `keepFor` to a number of days.');
  });

  it('is found although it does not repeat what everybody says, nor the number that the question gives as an example', async () => {
    expect(await answerTo('Which worker wins if workers of plover conflict over a job, say job 17, unless told otherwise?')).toContain(
      'the older one wins',
    );
  });

  it('is found by the name of a variable without its dollar', async () => {
    expect(await answerTo('What does PLOVER_EDITOR name?')).toContain('`$PLOVER_EDITOR`');
  });

  it('need not repeat what was told before the question', async () => {
    const query = 'My colleague Wilma uploads photographs. Which worker wins in plover when two conflict over a job?';
    expect(await answerTo(query)).toContain('the older one wins');
  });
});

describe('a question with "compare" inside', () => {
  it('is no comparison of two things', async () => {
    const { markdown } = await ask(documents, {
      query: 'Does plover compare workers too when they conflict, or do I have to switch that on?',
    });
    expect(markdown).toContain('the older one wins');
    expect(markdown).not.toContain('## switch that on');
  });
});

describe('a question that takes as given what it is about', () => {
  const TOLD = 'slower machine the job of the accountants when workers of plover conflict';

  it.each([
    `Why does it give the ${TOLD}?`,
    `It gave the ${TOLD}, is that a bug?`,
    `It gave the ${TOLD}.`,
    `What else can it do but give the ${TOLD}?`,
    `Do we have to accept that it gives the ${TOLD}?`,
  ])('is answered by what comes close, though it is told in other words: %s', async (query) => {
    expect(await answerTo(query)).toContain('When two workers conflict over a job, the older one wins.');
  });

  it.each([
    // A way or an option may not be there.
    `How do I give the ${TOLD}?`,
    `Can it give the ${TOLD}?`,
    `Which option gives the ${TOLD}?`,
    `Any setting that gives the ${TOLD}?`,
    `What should we set to give the ${TOLD}?`,
    `What must I change in plover so that it gives the ${TOLD}?`,
    `Do I have to enable something that gives the ${TOLD}?`,
    `Is plover going to give the ${TOLD}?`,
    `Is the ${TOLD} intended to be another?`,
    `Looking for a flag that gives the ${TOLD}.`,
    // What it is about is lacking.
    'Why does plover conflict with PostgreSQL over a job?',
    // Nothing tells that these documents are meant.
    'Why does it give the slower machine the job of the accountants when workers conflict?',
  ])('is another than one that may be about nothing: %s', async (query) => {
    expect(await answerTo(query)).toContain('do not answer');
  });

  it('is not answered by what comes near in the documents of another package', async () => {
    expect(await pathsFor('Why is the editor that heron names opened on the description?')).toEqual([]);
  });
});
