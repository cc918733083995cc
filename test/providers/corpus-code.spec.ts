import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

/** The answer to a question about a guide whose last code is a log line. */
async function answerFrom(lead: string): Promise<string> {
  const code = "```js\nconst heron = require('heron')()\nheron.info('hello world')\n```";
  const guide = `# Heron\n\nCreate a logger of herons:\n\n${code}\n\n${lead}\n\n\`\`\`json\n{"level":30,"message":"hello world"}\n\`\`\`\n`;
  return (await ask(folderOf({ 'guide.md': guide }), { query: 'Which level has the message hello world?' })).markdown;
}

describe('code behind a sentence that says nothing without the code before it', () => {
  it.each(['This will output:', 'Output', 'Returns:', 'or', 'The result is:', 'which prints the following:'])(
    'is quoted together with that: %s',
    async (lead) => {
      const markdown = await answerFrom(lead);
      const [before = '', ...others] = markdown.split('"level":30');
      expect(others).toHaveLength(1);
      expect(before).toMatch(/- Create a logger of herons:\s+```js\s+const heron[^`]+$/);
      expect(before.replace(/ +$/gm, '')).toContain(`${lead}\n\n  {`);
    },
  );

  it('is left out where both are too long to be quoted', async () => {
    const lines = Array.from({ length: 38 }, (_, at) => `heron.info('line ${String(at)}')`).join('\n');
    const guide = `# Heron\n\nA logger:\n\n\`\`\`js\n${lines}\n\`\`\`\n\nThis will output:\n\n\`\`\`json\n{"level":30,\n"message":"hello world"}\n\`\`\`\n`;
    const { markdown } = await ask(folderOf({ 'guide.md': guide }), { query: 'Which level has the message hello world?' });
    expect(markdown).not.toContain('This will output');
  });

  it('stands by itself behind a sentence that says more', async () => {
    expect(await answerFrom('Herons of level 30 write this message:')).toMatch(
      /- Herons of level 30 write this message:\s+```json\s+\{"level":30/,
    );
  });
});
