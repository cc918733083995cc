import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(__dirname, '../..');
const EVENTS = join(ROOT, 'libs/domain/job/events.ts');
/** Everything that has to decide what a type of event means to it. The dispatch need not: it tells of every event, and follows the agenda. */
const DECIDERS = [
  'libs/domain/job/state.ts',
  'libs/domain/ledger.ts',
  'libs/store/history/upcasters.ts',
  'libs/store/views/job-topics.ts',
  'src/cli/progress.ts',
];

/** The files that do not compile if `text` stood in the file of the events. */
function brokenBy(text: string): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (path) => (resolve(path) === EVENTS ? text : readFile(path));
  const program = ts.createProgram(
    DECIDERS.map((path) => join(ROOT, path)),
    { ...options, noEmit: true },
    host,
  );
  const broken = DECIDERS.flatMap((path) => [...program.getSemanticDiagnostics(program.getSourceFile(join(ROOT, path)))]);
  return [...new Set(broken.map(({ file }) => relative(ROOT, file?.fileName ?? '')))].sort();
}

it('a new type of job event does not compile until the fold, the ledger, the upcasters, the topics and the progress have decided', () => {
  const text = readFileSync(EVENTS, 'utf8');
  expect(brokenBy(text)).toEqual([]);
  const planted = text.replace('export type JobEvent =', `export type JobEvent = | EventShape<'JobDreamt', { of: string }>`);
  expect(planted).not.toBe(text);
  expect(brokenBy(planted)).toEqual(DECIDERS);
}, 60_000);
