import type { Delivery } from '@lib/messaging/transport';
import { oncePerJob } from '../../src/synthesizer/once-per-job';

/** A wake-up of a job that notes when it is told to come again. */
const wakeUp = (jobId: string) => {
  const again: number[] = [];
  const delivery: Delivery = {
    work: { kind: 'explore', jobId },
    deliveries: 1,
    ack: () => undefined,
    retryAfter: (ms) => void again.push(ms),
  };
  return { delivery, again };
};

it('lets a second wake-up of a job come again while the first is in hand, and works on other jobs meanwhile', async () => {
  const handled: string[] = [];
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const handle = oncePerJob(async ({ work }) => {
    handled.push(work.jobId);
    await finished;
  }, 70);
  const [first, second, other] = [wakeUp('job_1'), wakeUp('job_1'), wakeUp('job_2')];
  const working = [handle(first.delivery), handle(other.delivery)];
  await handle(second.delivery);
  expect([handled, first.again, second.again, other.again]).toEqual([['job_1', 'job_2'], [], [70], []]);
  finish();
  await Promise.all(working);
  await handle(second.delivery);
  expect(handled).toEqual(['job_1', 'job_2', 'job_1']);
});

it('takes a job again whose work failed', async () => {
  const handle = oncePerJob(() => Promise.reject(new Error('no')), 70);
  const { delivery, again } = wakeUp('job_1');
  await expect(handle(delivery)).rejects.toThrow('no');
  await expect(handle(delivery)).rejects.toThrow('no');
  expect(again).toEqual([]);
});
