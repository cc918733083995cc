import { noteAnswer, observing } from '@lib/providers/exchange';
import { ProviderError, type ResearchRequest } from '@lib/providers/research-provider';
import { GuardedProvider } from '../../src/worker/guarded-provider';
import { SubmitLimit } from '../../src/worker/submit-limit';
import { ControlledProvider } from '../support/controlled-provider';

const REQUEST = { signal: new AbortController().signal } as ResearchRequest;
const nothing = async (): Promise<void> => undefined;

/** A limit that gives these waits in turn, and remembers for how long it was told to hold back. */
function limitWith(...waits: number[]) {
  const held: number[] = [];
  let asked = 0;
  const limit = Object.assign(new SubmitLimit(null), {
    waitMs: async () => waits[asked++] ?? 0,
    holdBack: (milliseconds: number) => void held.push(milliseconds),
  });
  return { limit, held, asked: () => asked };
}

describe('before a step is claimed', () => {
  it.each([
    [[0], 0, 1],
    [[251, 0], 251, 1],
    [[30_000, 0], 30_000, 1],
  ])('waits of %j ms are told', async (waits, told, times) => {
    const { limit, asked } = limitWith(...waits);
    expect(await new GuardedProvider(new ControlledProvider(), limit).submitWaitMs()).toBe(told);
    expect(asked()).toBe(times);
  });

  it.each([
    [[250, 0], 0],
    [[20, 7], 7],
  ])('a short one is waited for in hand, and the limit is asked once more: %j', async (waits, told) => {
    const { limit, asked } = limitWith(...waits);
    const begun = performance.now();
    expect(await new GuardedProvider(new ControlledProvider(), limit).submitWaitMs()).toBe(told);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(waits[0] ?? 0);
    expect(asked()).toBe(2);
  });
});

describe('a submit', () => {
  const failWith = async (error: Error) => {
    const provider = new ControlledProvider();
    const { limit, held } = limitWith();
    const submitted = new GuardedProvider(provider, limit).submit(REQUEST, nothing);
    (await provider.submits.next()).fail(error as ProviderError);
    await expect(submitted).rejects.toBe(error);
    return held;
  };

  it('that is told to come back later holds the next ones back for as long', async () => {
    expect(await failWith(new ProviderError('rate_limited', 'Later.', { retryAfterMs: 4_000 }))).toEqual([4_000]);
    expect(await failWith(new ProviderError('rate_limited', 'Later.', {}))).toEqual([0]);
  });

  it('that this worker could not make leaves the next ones to other workers for a while', async () => {
    expect(await failWith(new ProviderError('not_called', 'Not called: no file is left.', {}))).toEqual([10_000]);
  });

  it('that fails otherwise holds nothing back', async () => {
    expect(await failWith(new ProviderError('overloaded', 'Busy.', { retryAfterMs: 4_000 }))).toEqual([]);
    expect(await failWith(new Error('rate_limited'))).toEqual([]);
  });
});

it('a cancellation reaches the provider at once', async () => {
  const provider = new ControlledProvider();
  await new GuardedProvider(provider, limitWith(30_000).limit).cancel('run-1');
  expect(await provider.cancels.next()).toBe('run-1');
});

it('what the provider says of a cancellation is passed on', async () => {
  const provider = Object.assign(new ControlledProvider(), { cancel: async () => 'not_offered' as const });
  expect(await new GuardedProvider(provider, limitWith().limit).cancel('run-1')).toBe('not_offered');
});

it('a poll that waited for its turn is answered into its own record, and not into that of the poll whose end let it go', async () => {
  const polls = 40;
  const release = Promise.withResolvers<void>();
  const provider = Object.assign(new ControlledProvider(), {
    poll: async (run: string) => {
      await release.promise;
      noteAnswer(Number(run), {});
      return { status: 'running' as const };
    },
  });
  const guarded = new GuardedProvider(provider, limitWith().limit);
  const exchanges = Array.from({ length: polls }, () => ({ status: null, requestId: null }));
  const all = exchanges.map((exchange, run) => observing(exchange, () => guarded.poll(String(run), REQUEST)));
  release.resolve();
  await Promise.all(all);
  expect(exchanges.map(({ status }) => status)).toEqual(exchanges.map((_, run) => run));
});
