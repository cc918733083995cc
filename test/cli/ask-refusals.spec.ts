import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { research } from '../system/support/command';
import { answering, says } from './http-answers';

jest.setTimeout(60_000);

const SERVICE = says(200, '{"info":{"title":"Research Threads"}}', 'application/json');
const UNKNOWN_KEY = says(401, '{"error":"A valid API key is required","code":"invalid_api_key"}');

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'research-ask-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('documents that are none', () => {
  const refusedWith = async (corpus: string): Promise<string> => {
    const { code, stdout, stderr } = await research(['ask', '--corpus', corpus, 'q'], { DATA_DIR: join(folder, 'data'), PORT: '0' });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    return stderr;
  };

  it('are refused for a folder without a document, before anything is started', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'picture.png'), '');
    expect(await refusedWith(empty)).toBe(
      `Nothing can be answered: there is no document in ${empty}. Name a folder with documents, such as Markdown, HTML, PDF, Word or CSV files.\n`,
    );
  });

  it('are refused for a file, which is named as one', async () => {
    const file = join(folder, 'notes.md');
    writeFileSync(file, '# Notes\n');
    expect(await refusedWith(file)).toBe(`${file} is no folder: name the one that it lies in.\n`);
  });

  it.each(['', ' '])('are refused for %j, which names no folder', async (nothing) => {
    expect(await refusedWith(nothing)).toContain('must name a folder of documents');
  });
});

describe('a service that refuses the key', () => {
  const refusedWith = async (environment: Record<string, string>, unknown = UNKNOWN_KEY): Promise<string> => {
    const { port } = await answering(SERVICE, unknown);
    const { code, stderr } = await research(['ask', 'q'], { PORT: port, ...environment });
    expect(code).toBe(3);
    return stderr;
  };

  it('is told with the variable that holds the key', async () => {
    expect(await refusedWith({ API_KEY: 'rt_live_any' })).toMatch(
      /401: A valid API key is required\. It refuses the key in API_KEY: set API_KEY to a key of that service\.\n$/,
    );
    expect(await refusedWith({ BOOTSTRAP_API_KEY: `rt_live_${'a'.repeat(12)}_${'b'.repeat(43)}`, DATA_DIR: folder })).toContain(
      'the key in BOOTSTRAP_API_KEY:',
    );
  });

  it('is told with the file that holds the key', async () => {
    writeFileSync(join(folder, 'api-key'), 'rt_live_another_service\n', { mode: 0o600 });
    expect(await refusedWith({ DATA_DIR: folder })).toContain(`the key in ${join(folder, 'api-key')}:`);
    expect(await refusedWith({ DATA_DIR: folder, API_KEY: '' })).toContain(`the key in ${join(folder, 'api-key')}:`);
  });

  it('is told in sentences, also where the service says one', async () => {
    const sentence = says(401, '{"error":"Send a valid API key."}');
    expect(await refusedWith({ API_KEY: 'rt_live_any' }, sentence)).toContain('401: Send a valid API key. It refuses');
  });
});

it('without a question it is said that an example is asked, and how to ask another', async () => {
  const { port } = await answering(SERVICE, says(400, '{"error":"No."}'));
  const asked = async (...question: string[]) => (await research(['ask', ...question], { PORT: port, API_KEY: 'rt_live_any' })).stderr;
  expect(await asked()).toMatch(/^No question was given, so an example is asked; ask yours with make ask Q="…" or research ask "…"\.\n/);
  expect(await asked('q')).not.toContain('example');
});
