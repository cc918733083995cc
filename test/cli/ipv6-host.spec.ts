import { research, start } from '../system/support/command';
import { answeringOn, says } from './http-answers';

jest.setTimeout(60_000);

const SERVICE = says(200, '{"info":{"title":"Research Threads"}}', 'application/json');
const on = (port: string, variable = 'PORT') => ({ HOST: '::1', [variable]: port, API_KEY: 'rt_live_any' });

it('ask finds the service that listens on an address of IPv6, and says how to ask it for the job', async () => {
  const { port, asked } = await answeringOn('::1', SERVICE, () => asking.kill('SIGINT'));
  const asking = start('cli/main.js', ['ask', 'q'], on(port));
  const { code, stderr } = await asking.ended;
  expect({ code, asked: asked.map(({ url }) => url) }).toEqual({ code: 130, asked: ['/openapi.json', '/v1/threads'] });
  expect(stderr).toContain(`Asking http://[::1]:${port}: q\n`);
  expect(stderr).toMatch(
    new RegExp(`If one was, it goes on at http://\\[::1\\]:${port} and .*\n  curl .* http://\\[::1\\]:${port}/v1/jobs\n$`),
  );
});

it('mcp and drain worker find it as well', async () => {
  const { port, asked } = await answeringOn('::1', says(200, '{"held":0}', 'application/json'));
  const served = await research(['mcp'], on(port));
  expect(served.stderr).toBe(`Serving MCP on standard input and output for http://[::1]:${port}\n`);
  expect(await research(['drain', 'worker'], on(port, 'ADMIN_PORT'))).toMatchObject({ code: 0, stderr: '' });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toContain('PUT /drain');
});
