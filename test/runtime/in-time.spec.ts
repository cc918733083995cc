import timers from 'node:timers/promises';
import { endsWithin, inTime } from '../../src/runtime/in-time';

const never = new Promise<never>(() => undefined);

it('a time that is over already is no time, and no timer is asked for a negative one, of which Node would warn', async () => {
  const begun = jest.spyOn(timers, 'setTimeout');
  expect(await endsWithin(never, -5_000)).toBe(false);
  await expect(inTime(never, -5_000)).rejects.toThrow('no answer within -5000 ms');
  expect(begun.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([0, 0]);
  begun.mockRestore();
});
