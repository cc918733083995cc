import { defineConfig, globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';

/** Design rule 3: sagas and the event bus of @nestjs/cqrs forget everything at a restart, and one exception silences a saga. */
const NOT_DURABLE = 'lost at a restart: record an event and let the agenda bring the work back';

const NOT_IMPORTED = [
  { name: '@nestjs/cqrs', importNames: ['Saga', 'EventBus', 'EventsHandler', 'EventPublisher', 'ofType'], message: NOT_DURABLE },
  { name: 'node:test', message: 'tests run in jest' },
];
const NO_SAGA = {
  selector: 'Decorator > CallExpression:matches([callee.name="Saga"], [callee.property.name="Saga"])',
  message: `@Saga() is ${NOT_DURABLE}`,
};
/** `expect`, helpers named after it, `then` and its kin of the specifications, and properties. What only awaits something says nothing when it fails. */
const ASSERTION =
  ':matches(CallExpression[callee.name=/^expect/], CallExpression[callee.property.name=/^(then|thenNothing|thenTypes|thenThrows|assert)$/])';
const NO_TEST_WITHOUT_ASSERTION = {
  selector: `CallExpression:matches([callee.name=/^(it|test)$/], [callee.callee.object.name=/^(it|test)$/]) > :function:not(:has(${ASSERTION}))`,
  message: 'a test that asserts nothing cannot fail: expect what it is about',
};

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', '.cache/', '.data/', 'test/api/generated-client/', 'test/clients/programs/']),
  {
    files: ['**/*.ts'],
    extends: [typescript.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      // Our interfaces are mostly implemented by closures, which have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // Handlers are async by contract, also where one of them has nothing to await.
      '@typescript-eslint/require-await': 'off',
      'no-restricted-imports': ['error', { paths: NOT_IMPORTED }],
      'no-restricted-syntax': ['error', NO_SAGA],
    },
  },
  {
    // Not in src: the classes that NestJS injects must stay imports of values, or their metadata is lost.
    files: ['libs/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }] },
  },
  {
    files: ['src/cli/**/*.ts', 'src/main.ts', 'bench/**/*.ts', 'image/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/properties.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [...NOT_IMPORTED, { name: 'fast-check', message: 'test/support/properties sets the seed' }] },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Matchers of jest are typed any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      'no-restricted-syntax': ['error', NO_SAGA, NO_TEST_WITHOUT_ASSERTION],
      'no-restricted-properties': [
        'error',
        ...['it', 'test', 'describe'].map((object) => ({ object, property: 'only', message: 'the other tests would not run' })),
        { object: 'jest', property: 'mock', message: 'tests assert behaviour through the public surface' },
      ],
      'no-restricted-globals': ['error', ...['fit', 'fdescribe'].map((name) => ({ name, message: 'the other tests would not run' }))],
    },
  },
);
