import { readFileSync } from 'node:fs';
import { readEnv } from '@lib/settings/read-env';
import { SettingsError } from '@lib/settings/settings-error';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const WITNESS = `witness.example/w1+0123abcd+${Buffer.alloc(33, 4).toString('base64')}`;

function problemsOf(environment: NodeJS.ProcessEnv) {
  try {
    return readEnv(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

it('reads the settings of checkpoints', () => {
  const env = readEnv({
    CHECKPOINT_MS: '0',
    CHECKPOINT_KEY: `${key(1)}, ${key(2)}`,
    CHECKPOINT_ORIGIN: 'audit.example.org/research',
    CHECKPOINT_DIR: '/srv/checkpoints',
    CHECKPOINT_WITNESSES: `${WITNESS} https://witness.example/, ${WITNESS} http://127.0.0.1:8080/w`,
  });
  expect(env).toMatchObject({
    CHECKPOINT_MS: 0,
    CHECKPOINT_KEY: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)],
    CHECKPOINT_ORIGIN: 'audit.example.org/research',
    CHECKPOINT_DIR: '/srv/checkpoints',
    CHECKPOINT_WITNESSES: [
      { key: WITNESS, url: 'https://witness.example' },
      { key: WITNESS, url: 'http://127.0.0.1:8080/w' },
    ],
  });
});

it('allows no pause between checkpoints in which the alert for an old one would begin', () => {
  const [, seconds = 0] =
    /research_checkpoint_age_seconds\) > (\d+)/.exec(readFileSync('k8s/components/monitoring/rules.yaml', 'utf8')) ?? [];
  const thresholdMs = Number(seconds) * 1000;
  expect(thresholdMs).toBeGreaterThan(0);
  expect(readEnv({ CHECKPOINT_MS: '1800000' }).CHECKPOINT_MS * 1.5).toBeLessThan(thresholdMs);
  expect(problemsOf({ CHECKPOINT_MS: String(thresholdMs) })).toEqual([expect.objectContaining({ name: 'CHECKPOINT_MS' })]);
});

it.each([
  ['CHECKPOINT_MS', '-1'],
  ['CHECKPOINT_MS', '1800001'],
  ['CHECKPOINT_MS', '5m'],
  ['CHECKPOINT_ORIGIN', 'two words'],
  ['CHECKPOINT_ORIGIN', 'a+b'],
  ['CHECKPOINT_ORIGIN', 'a\nb.example'],
  ['CHECKPOINT_ORIGIN', 'x'],
  ['CHECKPOINT_WITNESSES', WITNESS],
  ['CHECKPOINT_WITNESSES', `${WITNESS} http://witness.example`],
  ['CHECKPOINT_WITNESSES', `${WITNESS} http://127.0.0.1.witness.example`],
  ['CHECKPOINT_WITNESSES', `${WITNESS} https://user:word@witness.example`],
  ['CHECKPOINT_WITNESSES', `${WITNESS} https://witness.example?x`],
  ['CHECKPOINT_WITNESSES', `${WITNESS} file:///etc/passwd`],
  ['CHECKPOINT_WITNESSES', `witness https://witness.example`],
  ['CHECKPOINT_WITNESSES', Array.from({ length: 17 }, () => `${WITNESS} https://witness.example`).join()],
])('refuses %s=%s and says what would be right', (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.objectContaining({ name, remedy: expect.stringContaining('must be') })]);
});

it.each([
  ['a short one', 'AAAA'],
  ['no base64', `${key(1).slice(0, -2)}!!`],
  ['the same twice', `${key(1)},${key(1)}`],
  ['too many', [1, 2, 3, 4, 5].map(key).join()],
  ['an empty one', `${key(1)},`],
])('refuses %s as keys, and does not show it', (_, value) => {
  const problems = problemsOf({ CHECKPOINT_KEY: value });
  expect(problems).toEqual([{ name: 'CHECKPOINT_KEY', value: null, remedy: expect.stringContaining('32 bytes in base64') }]);
});
