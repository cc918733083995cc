import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import fc from '../support/properties';

import { research } from '@lib/providers/research';
import type { ResearchReport } from '@lib/providers/research-provider';
import { SimulatedProvider } from '@lib/providers/simulated/adapter';
import { recordedName } from '@lib/providers/simulated/recorded-reports';
import { SimulatedOptions } from '@lib/providers/simulated/options';

import { folderOf } from './corpus-folder';
import { testProviderContract } from './provider.contract';
import { newRun, requestOf } from './request';

const QUERY = 'When was the lighthouse of Kelm built?';
const NAME = recordedName('provider-a', QUERY);

const recorded = (folder: string): SimulatedProvider => new SimulatedProvider({ ...new SimulatedOptions(), reports: folder });
async function answer(folder: string): Promise<ResearchReport> {
  return (await research(recorded(folder), requestOf({ query: QUERY }), newRun)).report;
}
const sourcesOf = ({ citations }: ResearchReport) => citations.map(({ index, url, title }) => ({ index, url, title }));

testProviderContract('simulated with recorded reports', async () => {
  const report = 'Built in 1874 [1]. Lit in 1875 [2][1].\n\n## Sources\n\n1. [Kelm](https://kelm.example/a)\n2. https://kelm.example/b\n';
  return { provider: recorded(folderOf({ [NAME]: report })), request: { query: QUERY } };
});

describe('a recorded report', () => {
  it('lies under the provider and the digest of the question', () => {
    expect(recordedName('provider-b-lite', 'abc')).toBe('provider-b-lite/ba7816bf8f01cfea.md');
  });

  it.each([
    ['marked lines', '[1] The history of Kelm https://kelm.example/a', 'The history of Kelm'],
    ['a numbered list', '## References\n\n1. [The history of Kelm](https://kelm.example/a)', 'The history of Kelm'],
    ['a numbered list with plain URLs', '**Sources:**\n1. The history of Kelm - <https://kelm.example/a>.', 'The history of Kelm'],
    ['footnotes', '[^1]: https://kelm.example/a', null],
    ['definitions', '[1]: https://kelm.example/a "The history of Kelm"', 'The history of Kelm'],
    ['a list of marks', '### Sources\n- [1] The history of Kelm (<https://kelm.example/a>) (provider-a)', 'The history of Kelm'],
  ])('has the sources of %s', async (_, list, title) => {
    const report = await answer(folderOf({ [NAME]: `# Kelm\n\nIt was built in 1874 [^1].\n\n${list}\n` }));
    expect(report.markdown).toBe('# Kelm\n\nIt was built in 1874 [1].');
    expect(sourcesOf(report)).toEqual([{ index: 1, url: 'https://kelm.example/a', title }]);
  });

  it('keeps every text that is no reference', async () => {
    const text =
      '1. [A step](https://kelm.example/step) of the building\n\n```\n[1] https://kelm.example/code\n```\n\n## Sources\n\nNone was named.';
    expect(await answer(folderOf({ [NAME]: text }))).toMatchObject({ markdown: text, citations: [] });
  });

  it('shows marks of no source as text, and takes no source that a click could execute', async () => {
    const report = await answer(folderOf({ [NAME]: 'Built in 1874 [1], lit in 1875 [7].\n\n## Sources\n1. [x](javascript:alert(1))\n' }));
    expect(report.markdown).toContain('Built in 1874 \\[1], lit in 1875 \\[7].');
    expect(report.citations).toEqual([]);
  });

  it('survives any text', async () => {
    const noise = fc.array(
      fc.constantFrom(
        '[1]',
        '[^2]: ',
        '\n',
        '## Sources\n',
        '1. ',
        '[a](',
        'https://a.example/',
        ')',
        '```\n',
        '\r',
        '\0',
        '<',
        '　',
        '\uFEFF',
        'x',
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(noise, async (pieces) => {
        const outcome = await answer(folderOf({ [NAME]: pieces.join('') })).catch((error: unknown) => error);
        expect(outcome).toHaveProperty(outcome instanceof Error ? 'errorClass' : 'markdown');
      }),
      { numRuns: 100 },
    );
  });

  it('is read in no time however it is made', async () => {
    const size = 300_000;
    const hostile = [
      '[1] ' + 'a '.repeat(size),
      '## Sources\n' + `1. ${'['.repeat(size)}\n`,
      '[1]: https://'.repeat(size / 20),
      '# '.repeat(size),
    ];
    for (const text of hostile) expect((await answer(folderOf({ [NAME]: `Kelm.\n\n${text}` }))).markdown).toContain('Kelm.');
  });
});

describe('a question without a usable report', () => {
  const outside = folderOf({ 'secret.md': 'A secret.' });
  const folders: [reason: string, make: () => string][] = [
    ['is missing', () => folderOf({ [recordedName('provider-b', QUERY)]: 'The report of another provider.' })],
    ['is missing', () => '/nowhere/at-all'],
    ['is binary', () => folderOf({ [NAME]: Buffer.from([0x57, 0, 1]) })],
    ['is not UTF-8', () => folderOf({ [NAME]: Buffer.from('d\xe9j\xe0', 'latin1') })],
    ['holds no text', () => folderOf({ [NAME]: '\n[1] https://kelm.example/a\n' })],
    ['more than', () => folderOf({ [NAME]: 'Kelm. '.repeat(1_000_000) })],
    ['leads out of the folder', () => linked()],
    ['is no file', () => folderOf({ [`${NAME}/inside.md`]: 'Kelm.' })],
    ['is no file', () => pipe()],
  ];
  const linked = () => folderOf({ 'provider-a/other.md': 'x' }, { [NAME]: join(outside, 'secret.md') });
  const pipe = () => {
    const folder = folderOf({});
    mkdirSync(dirname(join(folder, NAME)));
    execFileSync('mkfifo', [join(folder, NAME)]);
    return folder;
  };

  it.each(folders)('fails for good, uncharged and without the path of the folder, because the file %s', async (reason, make) => {
    const folder = make();
    const error = await answer(folder).catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      errorClass: 'invalid_request',
      details: { runEnded: true, charge: { micros: 0 } },
      message: expect.stringContaining(reason) as string,
    });
    const { message } = error as Error;
    expect(message).toContain(NAME);
    expect(message).not.toContain(folder);
  });
});
