import type { ResearchContext } from '@lib/providers/research-provider';
import type { CorpusStrategy } from '@lib/providers/corpus/finding/corpus-strategy';

import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

const NAMES = ['amber', 'birch', 'cedar', 'dahlia', 'elder', 'fennel', 'gorse', 'hazel'];
const folder = folderOf(
  Object.fromEntries(
    NAMES.flatMap((name) => [
      [`${name}/storage.md`, `# Storage of ${name}\n\nThe ${name} service keeps its records in a ledger of its own on the ${name} disk.\n`],
      [
        `${name}/limits.md`,
        `# Limits of ${name}\n\nThe limits of the ${name} service are raised by its operator, one ${name} node at a time.\n`,
      ],
      [`${name}/backup.md`, `# Backups of ${name}\n\nBackups of the limits and records of ${name} are taken nightly by the operator.\n`],
    ]),
  ),
);
const TOPIC = 'What are the limits and who raises them?';
const about = (name: string, changes: Partial<ResearchContext> = {}): ResearchContext => ({
  question: `Where does the ${name} service keep its records?`,
  claims: [`The ${name} service keeps its records in a ledger of its own on the ${name} disk.`],
  laterMessages: [],
  ...changes,
});
const pathsOf = async (context: ResearchContext | null, strategy: CorpusStrategy = 'lexical'): Promise<string[]> => {
  const { citations } = await ask(folder, { query: TOPIC, context }, { strategy, breadth: 2 });
  return citations.map(({ url }) => url.replace(/^corpus:\/|#.*$/g, ''));
};

describe('a job that pursues another', () => {
  it.each(['lexical', 'dense', 'structural', 'feedback', 'fused'] as const)('finds by %s what belongs to the parent', async (strategy) => {
    for (const name of ['cedar', 'gorse']) expect((await pathsOf(about(name), strategy))[0]).toBe(`${name}/limits.md`);
  });

  it('finds other passages than the same question alone, and than under another parent', async () => {
    const [alone, cedar, gorse] = [await pathsOf(null), await pathsOf(about('cedar')), await pathsOf(about('gorse'))];
    expect(new Set(cedar).intersection(new Set(gorse)).size).toBe(0);
    expect(new Set(gorse).intersection(new Set(alone)).size).toBe(0);
  });

  it('follows what was said after the parent', async () => {
    const later = about('cedar', { question: 'Where are records kept?', claims: [], laterMessages: ['I mean the hazel service.'] });
    expect((await pathsOf(later))[0]).toBe('hazel/limits.md');
  });

  it('puts what is known already behind what is new', async () => {
    const said = 'The limits of the cedar service are raised by its operator, one cedar node at a time.';
    const context = about('cedar', { claims: [said] });
    expect((await pathsOf(about('cedar')))[0]).toBe('cedar/limits.md');
    expect((await pathsOf(context))[0]).not.toBe('cedar/limits.md');
  });

  it('looks for what the brief names', async () => {
    const { citations } = await ask(folder, { query: TOPIC, brief: 'Unclear: what of the elder service?' }, { breadth: 2 });
    expect(citations[0]?.url).toMatch(/^corpus:\/elder\//);
  });
});
