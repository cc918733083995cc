import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';

import { globSync } from 'tinyglobby';

import { PROVIDERS } from '@lib/domain/vocabulary';
import { ADAPTERS, KEY_VARIABLES } from '@lib/providers/registry';

const ROOT = resolve(__dirname, '../..');
const NAMES = ADAPTERS.map(({ name }) => name);

describe('an adapter', () => {
  it.each(NAMES)('%s is declared in the folder of its name', (name) => {
    expect(existsSync(join(ROOT, 'libs/providers', name, 'declaration.ts'))).toBe(true);
  });

  it('is named, and its key, by nothing but its folder and the registry', () => {
    const folders = NAMES.map((name) => `libs/providers/${name}/**`);
    // The examples in the description of an answer may name one.
    const ignore = [...folders, 'libs/providers/registry.ts', 'libs/store/views/*.view.ts'];
    const files = globSync(['{src,libs}/**/*.ts'], { cwd: ROOT, ignore });
    const named = new RegExp(`(['"\`])(?:${NAMES.join('|')})\\1|(?:providers|\\.)/(?:${NAMES.join('|')})/|${KEY_VARIABLES.join('|')}`);
    expect(files.length).toBeGreaterThan(200);
    expect(files.filter((file) => named.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });
});

describe('the registry', () => {
  const loadedAfter = (statement: string): string[] => {
    const script = `import(${JSON.stringify(join(ROOT, 'dist/libs/providers/registry.js'))}).then(async (registry) => {
      ${statement}
      console.log(JSON.stringify(Object.keys(require.cache)));
    })`;
    const printed = execFileSync(process.execPath, ['-r', 'reflect-metadata', '-e', script], { cwd: ROOT, encoding: 'utf8' });
    return (JSON.parse(printed) as string[]).map((path) => relative(ROOT, path));
  };

  it('loads no adapter before one is asked for', () => {
    const loaded = loadedAfter('');
    expect(loaded).toContain('dist/libs/providers/corpus/options.js');
    expect(loaded.filter((path) => /\/(adapter|language-model)\.js$/.test(path) && path.split('/').length > 4)).toEqual([
      'dist/libs/providers/language-model/language-model.js',
    ]);
    expect(loaded.filter((path) => /node_modules\/(undici|unpdf|htmlparser2|tinyglobby|minisearch|compromise)\//.test(path))).toEqual([]);
  });

  it('loads the adapters that are asked for, and no other', () => {
    const configuration = { [PROVIDERS[0]]: { adapter: 'simulated', options: {} } };
    const loaded = loadedAfter(`await registry.createProviders(${JSON.stringify(configuration)}, {}, {});`);
    expect(loaded).toContain('dist/libs/providers/simulated/adapter.js');
    expect(loaded).not.toContain('dist/libs/providers/corpus/adapter.js');
    expect(loaded).not.toContain('dist/libs/providers/openai/adapter.js');
  });

  it('starts an engine over documents without what only a question needs', () => {
    const configuration = { [PROVIDERS[0]]: { adapter: 'corpus', options: { strategy: 'lexical', breadth: 10 } } };
    const loaded = loadedAfter(`await registry.createProviders(${JSON.stringify(configuration)}, {}, { corpusDir: null });`);
    expect(loaded).toContain('dist/libs/providers/corpus/adapter.js');
    expect(loaded.filter((path) => path.includes('node_modules/compromise/'))).toEqual([]);
  });
});
