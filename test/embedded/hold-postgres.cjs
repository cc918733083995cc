/** Starts a kept PostgreSQL on the folder given, prints its address, and holds it until this process is killed. */
const { transformFileSync } = require('@swc/core');
const { transform } = require('../../jest.config.cjs');

const [, swc] = Object.values(transform)[0];
require.extensions['.ts'] = (module, filename) => module._compile(transformFileSync(filename, swc).code, filename);

const { startPostgres } = require('../../src/embedded/postgres');

startPostgres({ dataDir: process.argv[2], keep: true }).then((server) => {
  process.stdout.write(`${JSON.stringify({ url: server.url, pid: server.pid })}\n`);
  setInterval(() => undefined, 60_000);
});
