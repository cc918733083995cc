import { NOT_ANSWERED } from '@lib/domain/quoting-report';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';
import { ask } from '../providers/ask-corpus';
import { folderOf } from '../providers/corpus-folder';
import { sectionOf } from './steps';

const folder = folderOf({
  'tamarol.md':
    '# Tamarol\n\n## Dose\n\nThe usual dose of tamarol for adults is 20 mg twice a day, taken with a meal.\n\n## Storage\n\nStore tamarol tablets below 25 degrees in the closed bottle.\n',
  'league.md': '# Aln League\n\n## Points\n\nA win in the Aln League is worth three points, and a draw is worth one point.\n',
  'wren.md': '# Wren\n\n## Rotation\n\nWren rotates a log file when the file has reached 10 MB.\n\n- v3:\n- v4:\n',
});

/** What the report on a question says is missing, and its answer. */
async function partsOf(query: string): Promise<{ missing: string; answer: string }> {
  const { markdown, citations } = await ask(folder, { query });
  const step = { stepId: 'stp_a', provider: 'provider-a', status: 'completed', reportMarkdown: markdown, citations } as const;
  const report = synthesize({
    ...{ query, mode: 'fast', tier: 'M' },
    steps: [{ ...step, errorMessage: null, failure: null, truncated: false }],
  }).markdown;
  return { missing: sectionOf(report, 'What is missing'), answer: sectionOf(report, 'Answer') };
}

describe('a word of the question that no document covers is named and quoted under what is missing', () => {
  it.each([
    ['health', 'What is the usual dose of tamarol for adults with scurvy?', 'scurvy'],
    ['sports', 'How many points is a win in the Aln League worth in overtime?', 'overtime'],
    ['software', 'When does Wren rotate a log file on the mainframe?', 'mainframe'],
  ])('%s', async (_field, query, word) => {
    expect((await partsOf(query)).missing).toMatch(new RegExp(`^- provider-a did not find or answer: “.*${word}.*”`, 'm'));
  });

  it.each(['How often is the tamarol log rotated on the mainframe?', 'How frequently is tamarol taken by horses?'])(
    'but not the measure that is asked for: %s',
    async (query) => {
      const { missing } = await partsOf(query);
      expect(missing).toMatch(/mainframe|horses/);
      expect(missing).not.toMatch(/often|frequently/);
    },
  );

  it('and that another engine found no answer in the same documents is said only where none has one', async () => {
    const query = 'What is the usual dose of tamarol for adults?';
    const { markdown, citations } = await ask(folder, { query });
    const rest = { status: 'completed', errorMessage: null, failure: null, truncated: false } as const;
    const found = { stepId: 'stp_a', provider: 'provider-a', reportMarkdown: markdown, citations, ...rest } as const;
    const nothing = `Answering from 3 local documents.\n\n${NOT_ANSWERED}: nothing that comes close to it covers “dose”.\n`;
    const none = { stepId: 'stp_b', provider: 'provider-b', reportMarkdown: nothing, citations: [], ...rest } as const;
    const missingOf = (...steps: SynthesisStep[]) =>
      sectionOf(synthesize({ query, mode: 'fast', tier: 'M', steps }).markdown, 'What is missing');
    expect([missingOf(found, none), missingOf(none)]).toEqual(['', expect.stringContaining(NOT_ANSWERED)]);
  });

  it('and none where all are covered', async () => {
    const { missing, answer } = await partsOf('What is the usual dose of tamarol for adults?');
    expect([missing, answer.includes('20 mg twice a day')]).toEqual(['', true]);
  });
});
