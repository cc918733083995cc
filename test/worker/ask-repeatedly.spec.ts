import { askRepeatedly, type Repetition } from '../../src/worker/ask-repeatedly';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

interface Try {
  earlierTries: number;
  atMs: number;
  answer: (reply: string) => void;
  fail: (error: Error) => void;
}

/** Asks with these rules; `tries` grows as it asks again, and `settled` says how it ended. */
function ask(rules: Partial<Repetition>) {
  const begunAt = performance.now();
  const tries: Try[] = [];
  let settled = 'open';
  const repetition = { until: begunAt + 10_000, againMs: 3_000, afterFailureMs: () => 500, isFinal: () => false, ...rules };
  void askRepeatedly<string>((earlierTries) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    tries.push({ earlierTries, atMs: performance.now() - begunAt, answer: resolve, fail: reject });
    return promise;
  }, repetition).then(
    (reply) => (settled = reply),
    (error: Error) => (settled = `failed: ${error.message}`),
  );
  const times = () => tries.map(({ atMs }) => atMs);
  return { tries, times, settled: () => settled };
}

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

it('asks again after each silence, until its time is over, and tells each try how many came before', async () => {
  const { tries, times } = ask({});
  await pass(60_000);
  expect(times()).toEqual([0, 3_000, 6_000, 9_000]);
  expect(tries.map(({ earlierTries }) => earlierTries)).toEqual([0, 1, 2, 3]);
});

it('sends nothing at the very end of its time', async () => {
  const { times } = ask({ until: performance.now() + 6_000 });
  await pass(60_000);
  expect(times()).toEqual([0, 3_000]);
});

it('asks no more once it has its answer, also where a later try fails', async () => {
  const { tries, times, settled } = ask({ afterFailureMs: () => 0 });
  await pass(3_000);
  tries[0]?.answer('of the first');
  await pass(0);
  tries[1]?.fail(new Error('of the second'));
  await pass(60_000);
  expect([times(), settled()]).toEqual([[0, 3_000], 'of the first']);
});

it('takes the first answer of any try, and asks no more', async () => {
  const { tries, settled } = ask({});
  await pass(3_000);
  tries[0]?.answer('of the first');
  await pass(60_000);
  expect([settled(), tries.length]).toEqual(['of the first', 2]);
});

it('hears an answer that comes after its time', async () => {
  const { tries, settled } = ask({ until: performance.now() + 1_000 });
  await pass(5_000);
  tries[0]?.answer('late');
  await pass(0);
  expect([settled(), tries.length]).toEqual(['late', 1]);
});

it('asks again as soon as it is told to after a failure, and counts the silence from then on', async () => {
  const pauses: number[] = [];
  const { tries, times, settled } = ask({ afterFailureMs: (number) => pauses.push(number) && 500 });
  await pass(1_000);
  tries[0]?.fail(new Error('busy'));
  await pass(5_000);
  expect([times(), pauses, settled()]).toEqual([[0, 1_500, 4_500], [1], 'open']);
});

it('fails with the failure where nobody asks again', async () => {
  const { tries, settled } = ask({ afterFailureMs: () => null });
  tries[0]?.fail(new Error('broken'));
  await pass(60_000);
  expect([settled(), tries.length]).toEqual(['failed: broken', 1]);
});

it('fails where the next try would come too late', async () => {
  const { tries, settled } = ask({ until: performance.now() + 400 });
  tries[0]?.fail(new Error('broken'));
  await pass(0);
  expect(settled()).toBe('failed: broken');
});

it('waits for the tries that are still open after one has failed', async () => {
  const { tries, settled } = ask({ afterFailureMs: () => null });
  await pass(3_000);
  tries[1]?.fail(new Error('the second'));
  await pass(0);
  expect(settled()).toBe('open');
  tries[0]?.fail(new Error('the first'));
  await pass(60_000);
  expect([settled(), tries.length]).toEqual(['failed: the first', 2]);
});

it('asks again after a silence also where a later try has failed and nobody repeats that', async () => {
  const { tries, times } = ask({ afterFailureMs: () => null });
  await pass(3_000);
  tries[1]?.fail(new Error('the second'));
  await pass(3_000);
  expect(times()).toEqual([0, 3_000, 6_000]);
});

it('leaves it to the latest try when the next one comes', async () => {
  const { tries, times } = ask({});
  await pass(3_000);
  tries[0]?.fail(new Error('the first'));
  await pass(2_999);
  expect(times()).toEqual([0, 3_000]);
  await pass(1);
  expect(times()).toEqual([0, 3_000, 6_000]);
});

it('ends with a failure that is final, whatever else is open', async () => {
  const pauses: number[] = [];
  const isFinal = ({ message }: Error) => message === 'refused';
  const { tries, settled } = ask({ isFinal, afterFailureMs: (number) => pauses.push(number) } as Partial<Repetition>);
  await pass(3_000);
  tries[0]?.fail(new Error('refused'));
  await pass(60_000);
  expect([settled(), tries.length, pauses]).toEqual(['failed: refused', 2, []]);
});

describe('an answer that is tentative', () => {
  const isTentative = (reply: unknown) => reply === 'refused';

  it('counts only once no other try is open, and nothing more is sent', async () => {
    const { tries, settled } = ask({ isTentative });
    await pass(3_000);
    tries[0]?.answer('refused');
    await pass(10_000);
    expect([settled(), tries.length]).toEqual(['open', 2]);
    tries[1]?.fail(new Error('the second'));
    await pass(0);
    expect(settled()).toBe('refused');
  });

  it('gives way to that of another try', async () => {
    const { tries, settled } = ask({ isTentative });
    await pass(3_000);
    tries[0]?.answer('refused');
    tries[1]?.answer('granted');
    await pass(0);
    expect(settled()).toBe('granted');
  });

  it('counts at once where it is the only one', async () => {
    const { tries, settled } = ask({ isTentative });
    tries[0]?.answer('refused');
    await pass(0);
    expect(settled()).toBe('refused');
  });
});
