import { synthesize } from '@lib/synthesis/synthesize';

import { ask, corpus } from './ask-corpus';
import { folderOf } from './corpus-folder';
import { requestOf } from './request';

const ITEMS = Array.from({ length: 12 }, (_, at) => {
  const name = `pause${String(at)}`;
  return `* \`${name}\`: how the feeder is held in its position number ${String(at)}. If the wind exceeds \`${name}\`, the seed is thrown away and a \`spill\` event tells how much of it was lost on the way down.`;
});

const documents = folderOf({
  'dunlin-queue/README.md': `# dunlin-queue

A queue of jobs.

## Directories

Directories of tests are skipped.

## Workers

The maximum of workers is 8.

## Tasks

A task is put at the end of the queue. The callback has the result of the task.

## Records

A record that is added twice with one id is an error since version 6. Set \`overwrite\` to keep the newer one.

## Letters

\`alpha\` comes first of all.

\`beta\` is what follows, and it is the letter of jobs.

\`gamma\` ends the alphabet of jobs.

${'Nothing else is told in this section, which goes on for a while all the same. '.repeat(16)}

## Feeders

The options of a feeder are:

${ITEMS.join('\n')}
`,
  'kolmo/README.md': `# kolmo

Draws lanterns.

## Plugins

${['Sweet apples of the garden', 'Kolmo plugin for RabbitMQ', 'Shadows of old trees'].map((item) => `- ${item}`).join('\n')}

${'Nothing else is told in this section, which goes on for a while all the same. '.repeat(16)}

## Directories

The option \`keepRoot\` preserves the root directory of the lanterns.
`,
  'chalk/README.md': `# chalk

Colours of the terminal.

## Colors

Set \`FORCE_COLOR=0\` to disable colors.

## Grandmother

Chalk paints faster than its grandmother.
`,
  'retry/README.md': '# retry\n\nRuns a function again.\n',
});

const shells = folderOf({
  'shells.md':
    '# Shells\n\n## openSync\n\n`openSync` is for shells that open at once. Those that take their time are passed over by openSync.\n',
  'harbour.md':
    '# Harbour\n\n## Visits\n\nA visitor of the harbour looks up the ferry in the timetable, and the captain returns a ticket.\n\n## Ferries\n\nThe ferry runs.\n',
});

const answerTo = async (query: string): Promise<string> => (await ask(documents, { query })).markdown;

/** Without what only comes close. */
const quotedFor = async (query: string): Promise<string> => {
  const markdown = await answerTo(query);
  return markdown.includes('do not answer') ? '' : (markdown.split(/^## (?:Further|Sources)/m)[0] ?? '');
};

describe('words of a question that the documents do not use', () => {
  it('are found by the words that developers use for them', async () => {
    expect(await answerTo('Which folders does dunlin-queue ignore?')).toContain('- Directories of tests are skipped.');
  });

  it('are not answered by their opposites', async () => {
    expect(await answerTo('What is the minimum of workers in dunlin-queue?')).toContain('do not answer the question');
  });

  it('have to be said although there is a package of that name', async () => {
    expect(await answerTo('How does dunlin-queue retry the result of a task?')).toMatch(/do not answer|do not cover “retry”/);
  });

  it('do not keep from being read what is found among the first', async () => {
    const run = await corpus(shells).submit(requestOf({ query: 'openSync and the visitor that looks up the ferry in the timetable' }));
    expect(run).toMatchObject({ raw: expect.stringContaining('Those that take their time are passed over') as string });
  });

  it('may be those that its package is imported by', async () => {
    const question = 'finds nothing to put for the accountants at the end of their tasks?';
    expect(await quotedFor(`Why is it that dunlinQueue ${question}`)).toContain('A task is put at the end of the queue.');
    expect(await quotedFor(`Why is it that duskQueue ${question}`)).toBe('');
  });

  it('are no names that have to be said where a word of the language names its package beside a made-up name', async () => {
    expect(await quotedFor('Does chalk paint faster than dunlin-queue or its grandmother?')).toContain(
      '- Chalk paints faster than its grandmother.',
    );
  });
});

describe('a story with a question', () => {
  const STORY = 'Our importer stumbles because one record is added twice to dunlin-queue, each time with the same id.';

  it.each([`${STORY} Bug or deliberate?`, `${STORY} Remedy?`])(
    'is what is asked about if the question has no subject: %s',
    async (query) => {
      expect(await answerTo(query)).not.toContain('do not answer the question');
    },
  );

  it('does not stand for a short question that has a subject of its own', async () => {
    expect(await quotedFor('Our server prints garbage to files since Monday. Disable chalk colors?')).toContain(
      '- Set `FORCE_COLOR=0` to disable colors.',
    );
  });

  it.each([
    'When our batch runs at night our lanterns are gone. Explain the option of kolmo that preserves the root.',
    'Should the batch fail, our photographs are gone. Which option of kolmo preserves the root',
    'In our harbour, which is old, nobody sleeps. Tell me the option of kolmo that preserves the root.',
    'Is ignored by Wilma. Our lanterns are gone. What option of kolmo preserves the root',
  ])('is no question because of the word it begins with: %s', async (query) => {
    expect(await quotedFor(query)).toContain('- The option `keepRoot` preserves the root directory');
  });

  it('is told from the question without a question mark', async () => {
    const { markdown } = await ask(documents, {
      query: 'My colleague Wilma brought photographs of the harbour. So which directories are skipped by dunlin-queue',
    });
    expect(markdown).toContain('- Directories of tests are skipped.');
  });

  it('is no claim of the report', async () => {
    const query = 'Does dunlin-queue bake bread? Some of our guests wait for breakfast in the morning.';
    const { markdown, citations } = await ask(documents, { query });
    const rest = { status: 'completed', errorMessage: null, failure: null, truncated: false } as const;
    const step = { stepId: 'step', provider: 'provider-a', reportMarkdown: markdown, citations, ...rest } as const;
    expect(synthesize({ query, mode: 'fast', tier: 'S', steps: [step] }).markdown).not.toMatch(/^\d+\. .*breakfast/m);
  });
});

describe('what is quoted', () => {
  it('has all of an item whose list is too long to be quoted with more than its beginnings', async () => {
    expect(await answerTo('Which options of dunlin-queue hold the feeder in its position number 7?')).toContain(
      'If the wind exceeds `pause7`, the seed is thrown away',
    );
  });

  it('has neighbouring paragraphs in one line', async () => {
    expect(await answerTo('Which letters of jobs, alpha, beta or gamma, does dunlin-queue have?')).toMatch(
      /- .*`beta` is what.*`gamma` ends/,
    );
  });

  it('begins with the item of a list that answers, without those beside it', async () => {
    expect(await answerTo('Which kolmo plugin is for RabbitMQ?')).toMatch(/^- (?!.*apples).*Kolmo plugin for RabbitMQ \[1\]/m);
  });

  it('says of a part that is answered by what was quoted before where its answer stands', async () => {
    const query = 'Which directories does dunlin-queue skip? Which directories does dunlin-queue ignore?';
    expect(await answerTo(query)).toMatch(
      /## Which directories does dunlin-queue ignore\?\s+The answer to this part is among what is quoted above\./,
    );
  });
});
