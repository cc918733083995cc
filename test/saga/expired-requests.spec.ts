import { pino } from 'pino';
import { removeExpiredRequests } from '../../src/saga/expired-requests';
import { eventually } from '../messaging/eventually';

let logged: { reason: string }[];
beforeEach(() => (logged = []));
const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line) as { reason: string }) });
const turn = () => new Promise((resolve) => setTimeout(resolve, 50));

it('requests that cannot be removed are said to be, once a round', async () => {
  const end = removeExpiredRequests({ removeExpired: () => Promise.reject(new Error('away')) }, logger);
  await eventually(1, async () => logged.length);
  await turn();
  await end();
  expect(logged.map(({ reason }) => reason)).toEqual(['requests_not_removed']);
});

it('they are removed until none is left, and a look that finds no more is not repeated at once', async () => {
  const found = [500, 500, 3];
  const asked: number[] = [];
  const removeExpired = async (limit: number): Promise<number> => {
    asked.push(limit);
    return found.shift() ?? 0;
  };
  const end = removeExpiredRequests({ removeExpired }, logger);
  await eventually(3, async () => asked.length);
  await turn();
  await end();
  expect(asked).toEqual([500, 500, 500]);
});

it('whoever stops waits for the statement that is under way, and begins no other', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  let asked = 0;
  const removeExpired = (): Promise<number> => {
    asked += 1;
    return promise;
  };
  let isOver = false;
  const over = removeExpiredRequests({ removeExpired }, logger)().then(() => (isOver = true));
  await turn();
  expect(isOver).toBe(false);
  resolve(500);
  await over;
  expect(asked).toBe(1);
});
