const { existsSync, readdirSync, statSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { dirname, join } = require('node:path');

// The transformer keeps decorators' metadata, which NestJS needs; types are checked by `npm run types`, not here.
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

// A build puts the largest packages into one file (image/packages.ts). Each spec loads its packages anew, and so half a second faster. What was
// built of other versions is left aside.
const BUNDLED = join(__dirname, 'dist/node_modules');
const ALL = join(BUNDLED, 'packages.js');
const isOfTheseVersions = existsSync(ALL) && statSync(ALL).mtimeMs > statSync(join(__dirname, 'package-lock.json')).mtimeMs;
const bundled = isOfTheseVersions
  ? readdirSync(BUNDLED, { recursive: true })
      .filter((file) => file.endsWith('/index.js'))
      .map(dirname)
  : [];

module.exports = {
  testEnvironment: '<rootDir>/test/support/compiled-once.cjs',
  // Looked up in the context of a test, each of them takes a detour that costs a tenth of what tests compute. Left out is what tests replace, and
  // JSON, which a package of schemas has for the name of a class.
  sandboxInjectedGlobals: ['Object', 'Reflect', 'Math', 'Array', 'Map', 'Set', 'WeakMap', 'Number', 'String'],
  // Builds of older versions, for `make chaos`.
  modulePathIgnorePatterns: ['<rootDir>/.cache/'],
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: {
    ...Object.fromEntries(bundled.map((name) => [`^${name}$`, join(BUNDLED, name, 'index.js')])),
    '^@lib/(.+)$': '<rootDir>/libs/$1',
    // Adapters are imported when they are needed, by the names that they have once they are built.
    '^(\\./(?:adapter|folder/folder|folder/inspect-folder|language-model))\\.js$': '$1',
    // A thread or a process starts outside of jest, so it runs what was built.
    '^\\./(synthesis|exploration)-tasks$': '<rootDir>/dist/src/reports/$1-tasks.js',
    '^\\./model-tasks$': '<rootDir>/dist/libs/language/models/model-tasks.js',
    '^\\./reader-program$': '<rootDir>/dist/libs/providers/corpus/formats/reader-program.js',
  },
  // Most tests wait for servers and processes, not for the processor: with two workers two processors were idle for 40 % of the time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  setupFiles: ['reflect-metadata'],
  workerIdleMemoryLimit: '512MB',
  testTimeout: 60_000,
  globalSetup: '<rootDir>/test/servers/global-setup.ts',
  globalTeardown: '<rootDir>/test/servers/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  reporters: ['default', '<rootDir>/test/support/summary-reporter.cjs'],
};
