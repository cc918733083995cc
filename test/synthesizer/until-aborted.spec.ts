import { getEventListeners } from 'node:events';
import { untilAborted } from '../../src/synthesizer/until-aborted';

const never = new Promise<never>(() => undefined);

it('gives what the work gives, and leaves nothing behind on the signal', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
  await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('rejects with the reason of the signal, whether it aborts meanwhile or has aborted before', async () => {
  const controller = new AbortController();
  const waiting = untilAborted(never, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(untilAborted(never, controller.signal)).rejects.toThrow('enough');
});
