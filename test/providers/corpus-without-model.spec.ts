import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { folderOf } from './corpus-folder';

/** Asks the built engine. */
const PROGRAM = `
const { CorpusProvider } = require('./dist/libs/providers/corpus/adapter.js');
const warned = [];
const place = { cacheFolder: null, log: { info: () => undefined, warn: (fields, message) => warned.push({ ...fields, message }) } };
const provider = new CorpusProvider({ path: process.argv[1], packages: false }, place, { strategy: 'fused', breadth: 5 });
const asked = (query) => provider.submit({ query, mode: 'fast', brief: null, context: null, signal: new AbortController().signal });
(async () => {
  const reports = [];
  for (const query of process.argv.slice(2)) reports.push(provider.parse((await asked(query)).raw).markdown);
  console.log(JSON.stringify({ reports, warned }));
})();
`;

describe.each([
  ['no model', [], /ENOENT.*models.all-minilm-l6-v2.tokenizer\.json/],
  ['one model', ['all-minilm-l6-v2'], /ENOENT.*models.ms-marco-minilm-l12-v2.tokenizer\.json/],
])('with %s beside the built engine', (_, models, missing) => {
  it('documents are answered from all the same, and the log says once what is missing', () => {
    const place = mkdtempSync(join(tmpdir(), 'without-model-'));
    try {
      for (const folder of ['dist', 'models']) mkdirSync(join(place, folder));
      cpSync(resolve('dist/libs'), join(place, 'dist/libs'), { recursive: true });
      for (const model of models) symlinkSync(resolve('models', model), join(place, 'models', model));
      symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
      const documents = folderOf({ 'library.md': '# Library\n\nA lost book of the library costs 12 euros.\n' });
      const questions = ['How much does a lost book of the library cost?', 'What does the library ask for a lost book?'];
      const output = execFileSync(process.execPath, ['-e', PROGRAM, documents, ...questions], { cwd: place, encoding: 'utf8' });
      const { reports, warned } = JSON.parse(output) as { reports: string[]; warned: { reason: string; message: string }[] };
      for (const report of reports) expect(report).toContain('costs 12 euros');
      expect(warned).toEqual([
        { reason: expect.stringMatching(missing) as string, message: expect.stringContaining('rest more on their words') as string },
      ]);
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});
