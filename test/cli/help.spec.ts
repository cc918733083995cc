import { research } from '../system/support/command';

it.each([
  ['keys rotate', ['--overlap', '24h']],
  ['drain provider', ['--for', '1h'], ['--wait', '15m']],
  ['drain worker', ['--wait', '15m']],
])('the help of %s shows the defaults as its options take them', async (command, ...defaults) => {
  const { code, stdout } = await research([...command.split(' '), '--help'], {});
  const help = stdout.replace(/\s+/g, ' ');
  expect(code).toBe(0);
  for (const [option, standard] of defaults) expect(help).toMatch(new RegExp(`${option} <duration> [^(]*\\(default: ${standard}\\)`));
});

it('the help of doctor names every role that it knows', async () => {
  const { stdout } = await research(['doctor', '--help'], {});
  expect(stdout.replace(/\s+/g, ' ')).toContain('some of api, saga, worker, synthesizer, webhooks separated by commas');
});
