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
