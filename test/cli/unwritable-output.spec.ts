import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { createMigratedDatabase, type TestDatabase } from '../servers/database';
import { PROGRAM_ENVIRONMENT } from '../support/program-environment';

const RESEARCH = resolve(__dirname, '../../dist/src/cli/main.js');

let database: TestDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database.drop());

/** A client of `research mcp` that ends, or has no room, while its requests are answered: what is said on standard error after the first line. */
function saidBy(output: string): string[] {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const [first, next] = [
    { id: 1, method: 'initialize', params },
    { id: 2, method: 'tools/list' },
  ].map((request) => JSON.stringify({ jsonrpc: '2.0', ...request }));
  const script = `{ echo '${first}'; for n in 1 2 3; do sleep 1; echo '${next}'; done; } | '${process.execPath}' '${RESEARCH}' mcp --url http://127.0.0.1:9 ${output}`;
  const { stderr } = spawnSync('sh', ['-c', script], { env: { ...PROGRAM_ENVIRONMENT, API_KEY: 'rt_live_any' }, encoding: 'utf8' });
  return stderr.trimEnd().split('\n').slice(1);
}

it('a server of MCP whose client ends says nothing of its pipe', () => {
  expect(saidBy('| head -c 1')).toEqual([]);
});

it('a server of MCP whose output has no room says so once', () => {
  expect(saidBy('> /dev/full')).toEqual([expect.stringMatching(/^The output cannot be written: ENOSPC/)]);
});

it('a command whose output stands on a disk without room says so, and does not end as if a history was changed', () => {
  const output = openSync('/dev/full', 'w');
  const env = { ...PROGRAM_ENVIRONMENT, DATABASE_URL: database.url };
  const { status, stderr } = spawnSync(process.execPath, [RESEARCH, 'verify'], {
    env,
    stdio: ['ignore', output, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(output);
  expect(stderr).toMatch(/^The output cannot be written: ENOSPC.* Make room for it.*\n$/);
  expect(status).toBe(3);
});
