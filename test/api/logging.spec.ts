import { generateKey } from '@lib/store/access/key-format';
import { createLogger, NestLogger } from '../../src/api/logging';

const lines: string[] = [];
const loggerAt = (level: string) => createLogger(level, { write: (line) => void lines.push(line) });
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

beforeEach(() => {
  lines.length = 0;
});

it('writes JSON with the level and time in words', () => {
  loggerAt('info').info({ jobId: 'job_1' }, 'started');
  expect(logged()).toEqual([{ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), jobId: 'job_1', msg: 'started' }]);
});

it('keeps keys and Authorization headers to itself, wherever they stand', () => {
  const { keyText } = generateKey();
  const logger = loggerAt('info');
  logger.info({ [keyText]: keyText, deep: { list: [`Bearer ${keyText}`] } }, `with ${keyText}`);
  logger.info({ authorization: 'Basic "quoted\\" secret', headers: { Authorization: 'Digest secret' }, after: 'kept' }, 'headers');
  logger.child({ authorization: 'secret' }).error(new Error(`refused ${keyText}`));

  const text = lines.join('');
  expect(text).not.toContain('secret');
  expect(text).not.toContain(keyText.slice(8));
  expect(logged()[1]).toMatchObject({ authorization: '[redacted]', headers: { Authorization: '[redacted]' }, after: 'kept' });
});

it('says what Nest says, and its chatter only when asked', () => {
  const nest = new NestLogger(loggerAt('info'));
  nest.log('mapped a route', 'RouterExplorer');
  nest.warn('look here', 'Somewhere');
  nest.error('broken', 'a stack', 'Somewhere');
  expect(logged()).toMatchObject([
    { level: 'warn', context: 'Somewhere', msg: 'look here' },
    { level: 'error', context: 'Somewhere', stack: 'a stack', msg: 'broken' },
  ]);
});
