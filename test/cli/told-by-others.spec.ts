import { research } from '../system/support/command';
import { answering, says } from './http-answers';

const ESCAPE = '\u001b';
const SERVICE = says(200, '{"info":{"title":"Research Threads"}}', 'application/json');
const HOSTILE = says(400, `no ${ESCAPE}[2Jpage\u202e`);

it.each([
  [['ask', 'q'], 'PORT', [SERVICE, HOSTILE], 'was answered with 400: no [2Jpage\n'],
  [['drain', 'worker'], 'ADMIN_PORT', [HOSTILE], 'answered 400: no [2Jpage\n'],
])(
  'what another program answers controls no terminal: %j',
  async (parameters, variable, answers, told) => {
    const { port } = await answering(...answers);
    const { code, stderr } = await research(parameters, { [variable]: port, API_KEY: 'rt_live_any' });
    expect(code).not.toBe(0);
    expect(stderr).toContain(told);
    expect(stderr).not.toContain(ESCAPE);
  },
  60_000,
);
