import { SEPARATED_ROLES } from '../support/separated-roles';
import { startSystem } from './support/system';

/**
 * The tests of the routes once more, with the api on a role of the database that sees only the tenants that it names, and the others on theirs: what the
 * api reads or writes without naming its tenant, or may not, fails here.
 */
process.env.TEST_SEPARATE_ROLES = 'on';

const SPECS = [
  '../account/account.spec',
  '../audit/audit-event-streams.spec',
  '../audit/audit-events.spec',
  '../audit/audit-reads.spec',
  '../audit/audit-routes.spec',
  '../audit/past-jobs.spec',
  '../claims/claims.spec',
  '../jobs/job-list.spec',
  '../system/conditional.spec',
  '../system/contract.spec',
  '../system/tenants-and-keys.spec',
  '../system/thread-pages.spec',
  '../webhooks/webhooks.spec',
];

const answered = new Set<string>();
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  if (response.ok) answered.add(`${(init?.method ?? 'GET').toLowerCase()} ${pathname}`);
  return response;
};
afterAll(() => {
  globalThis.fetch = send;
});

for (const spec of SPECS) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  describe(spec, () => void require(spec));
}

it('asked every route of the contract', async () => {
  const system = await startSystem();
  for (const path of ['/v1/balance', '/health/live', '/health/ready']) await system.client.expect(200, 'GET', path);
  const sessions = await system.query<{ role: string }>(
    `select distinct usename as role from pg_stat_activity where datname = current_database() and usename <> current_user order by 1`,
  );
  expect(sessions.map(({ role }) => role)).toEqual([SEPARATED_ROLES.api, SEPARATED_ROLES.service]);
  await system.stop();
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { paths } = require('../../openapi/openapi.json') as { paths: Record<string, object> };
  const missing = Object.entries(paths).flatMap(([path, operations]) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return Object.keys(operations)
      .filter((method) => ![...answered].some((one) => one.startsWith(`${method} `) && pattern.test(one.split(' ')[1] ?? '')))
      .map((method) => `${method} ${path}`);
  });
  expect(missing).toEqual([]);
});
