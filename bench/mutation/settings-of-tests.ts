import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageFolder } from '../package-folder';
import { ROOMS } from './rooms';

/** A test's default time limit, since a mutant often makes a test wait for something that never comes. */
const TEST_TIMEOUT_MS = 10_000;

interface JestConfig {
  transform: Record<string, [string, unknown]>;
  setupFiles: string[];
}

/** The project's own settings of jest, with our runner and the mutants of these files. Servers are started once, by us. */
export function settingsOfTests(room: string, files: readonly string[]): object {
  const root = packageFolder();
  const {
    globalSetup: _,
    globalTeardown: __,
    ...config
  } = createRequire(__filename)(join(root, 'jest.config.cjs')) as JestConfig & Record<string, unknown>;
  const [, swc] = Object.values(config.transform)[0] ?? [];
  return {
    ...config,
    rootDir: root,
    roots: ['<rootDir>/test', '<rootDir>/src', '<rootDir>/libs', '<rootDir>/emulators', '<rootDir>/bench'],
    testMatch: undefined,
    testRegex: (ROOMS[room] ?? []).map(({ source }) => `/${source}.*\\.ts$`),
    testPathIgnorePatterns: ['(?<!\\.spec)\\.ts$'],
    transform: { '^.+\\.ts$': [join(__dirname, 'transformer.js'), { root, files, swc }] },
    setupFiles: [...config.setupFiles, join(__dirname, 'shorter-properties.js')],
    runner: join(__dirname, 'runner.js'),
    testEnvironment: join(__dirname, 'environment.js'),
    testTimeout: TEST_TIMEOUT_MS,
    reporters: [],
    maxWorkers: 1,
  };
}
