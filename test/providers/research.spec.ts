import { randomBytes } from 'node:crypto';
import { research, RunLeft } from '@lib/providers/research';
import { ProviderError, type ResearchProvider, type RunState } from '@lib/providers/research-provider';

import { livingBytes } from '../support/heap';
import { fakeProvider, REPORT } from './fake-provider';
import { newRun, requestOf, withDeadline } from './request';

/** Bytes of an answer. */
const LONG = 3_000_000;

const running: RunState = { state: 'running', externalId: 'run-1', pollAfterMs: 1 };
const startsRun: ResearchProvider['submit'] = async (_, started) => {
  await started('run-1');
  return running;
};
const never = <Value>(): Promise<Value> => new Promise(() => undefined);

describe('a run', () => {
  it('is recorded when it starts, then polled until it has ended', async () => {
    const states: RunState[] = [running, running, { state: 'finished', raw: 'the answer' }];
    const provider = fakeProvider({ submit: startsRun, poll: async () => states.shift() ?? running });
    const recorded: string[] = [];
    const { report, rawSha256 } = await research(provider, requestOf(), {
      externalId: null,
      started: async (id) => void recorded.push(id),
    });
    expect(report).toEqual({ ...REPORT, citations: [{ ...REPORT.citations[0], domain: 'wren.example' }] });
    expect(rawSha256).toBe('a7c9985d46ca5719357525cc365641e45d6882fb66949d4c08989883f8148c8b');
    expect(recorded).toEqual(['run-1']);
    expect(provider.calls).toEqual(['submit', 'poll run-1', 'poll run-1', 'poll run-1']);
  });

  describe.each(['auth', 'quota', 'unavailable', 'timeout', 'invalid_request', 'model_gone'] as const)(
    'whose polls fail with %s, which says nothing about it,',
    (errorClass) => {
      const refused = async (): Promise<RunState> => Promise.reject(new ProviderError(errorClass, 'The provider did not say'));
      const followed = async (refusals: number, waits: number[] = []) => {
        const polls = [...Array<typeof refused>(refusals).fill(refused), async (): Promise<RunState> => ({ state: 'finished', raw: '{}' })];
        const provider = fakeProvider({ submit: startsRun, poll: async () => (polls.shift() ?? refused)() });
        const wait = async (milliseconds: number) => waits.push(milliseconds);
        return { provider, outcome: await research(provider, requestOf(), { ...newRun, wait }).catch((error: unknown) => error) };
      };

      it('is asked for again', async () => {
        const waits: number[] = [];
        const { outcome, provider } = await followed(3, waits);
        expect(outcome).toMatchObject({ report: { markdown: REPORT.markdown } });
        expect(provider.calls).toEqual(['submit', ...Array<string>(4).fill('poll run-1')]);
        expect(waits.at(-1)).toBeGreaterThan(10_000);
      });

      it('fails with what the provider said once that has lasted', async () => {
        const { outcome } = await followed(100);
        expect(outcome).toMatchObject({ errorClass, message: 'The provider did not say' });
      });

      it('fails with what the provider said also at its deadline', async () => {
        const provider = fakeProvider({ submit: startsRun, poll: refused });
        const failure = { errorClass: 'timeout', message: expect.stringContaining('The provider did not say') as string };
        await expect(research(provider, requestOf(withDeadline(100)), newRun)).rejects.toMatchObject(failure);
      });

      it('is not asked for again where the failure ended it', async () => {
        const ended = new ProviderError(errorClass, 'The run failed', { runEnded: true });
        const provider = fakeProvider({ submit: startsRun, poll: () => Promise.reject(ended) });
        await expect(research(provider, requestOf(), newRun)).rejects.toBe(ended);
        expect(provider.calls).toEqual(['submit', 'poll run-1']);
      });
    },
  );

  it('that an earlier attempt started is polled and not submitted again', async () => {
    const provider = fakeProvider({});
    await research(provider, requestOf({ attempt: 2 }), { ...newRun, externalId: 'run-0' });
    expect(provider.calls).toEqual(['poll run-0']);
  });

  it('is recorded also when the adapter only returns its id', async () => {
    const recorded: string[] = [];
    await research(fakeProvider({ submit: async () => running }), requestOf(), {
      externalId: null,
      started: async (id) => void recorded.push(id),
    });
    expect(recorded).toEqual(['run-1']);
  });

  it('that cannot be recorded is cancelled, and the refusal passed on', async () => {
    const refusal = new Error('the attempt is over');
    const provider = fakeProvider({ submit: startsRun });
    const started = (): Promise<void> => Promise.reject(refusal);
    await expect(research(provider, requestOf(), { externalId: null, started })).rejects.toBe(refusal);
    expect(provider.calls).toEqual(['submit', 'cancel run-1']);
  });

  it.each(['', 'two\nlines', 'x'.repeat(1001)])('with the unusable id %j is refused', async (id) => {
    const submit: ResearchProvider['submit'] = async (_, started) => {
      await started(id);
      return running;
    };
    await expect(research(fakeProvider({ submit }), requestOf(), newRun)).rejects.toMatchObject({ errorClass: 'malformed' });
  });

  it.each([NaN, -1, 0, Infinity])('is polled at a bearable pace when the provider says %d', async (pollAfterMs) => {
    const states: RunState[] = [
      { ...running, pollAfterMs },
      { state: 'finished', raw: '' },
    ];
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const provider = fakeProvider({ submit: startsRun, poll: async () => states.shift() ?? running });
    await research(provider, requestOf(), { ...newRun, wait });
    for (const milliseconds of waits) expect(milliseconds >= 10 && milliseconds <= 60_000).toBe(true);
    expect(waits).toHaveLength(2);
  });

  it.each([
    { deadlineMs: 30_000, pollAfterMs: 60_000, from: 15_000, to: 20_000 },
    { deadlineMs: 30_000, pollAfterMs: 1_000, from: 1_000, to: 1_000 },
    { deadlineMs: 9_000, pollAfterMs: 60_000, from: 60_000, to: 60_000 },
  ])('is polled once more shortly before its deadline: $deadlineMs ms with pauses of $pollAfterMs', async (row) => {
    const { deadlineMs, pollAfterMs, from, to } = row;
    const states: RunState[] = [{ state: 'finished', raw: '' }];
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const submit: ResearchProvider['submit'] = async () => ({ ...running, pollAfterMs });
    const provider = fakeProvider({ submit, poll: async () => states.shift() ?? running });
    await research(provider, requestOf(withDeadline(deadlineMs)), { ...newRun, wait });
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(from);
    expect(waits[0]).toBeLessThanOrEqual(to);
  });

  it('is submitted once, whatever the submit answers', async () => {
    for (const error of [new ProviderError('overloaded', 'busy', { retryAfterMs: 1 }), new TypeError('fetch failed')]) {
      const provider = fakeProvider({ submit: () => Promise.reject(error) });
      await expect(research(provider, requestOf(), newRun)).rejects.toThrow(error.message);
      expect(provider.calls).toEqual(['submit']);
    }
  });

  it('fails as unavailable when the adapter throws something else than it should', async () => {
    const provider = fakeProvider({ submit: () => Promise.reject(new TypeError('fetch failed')) });
    await expect(research(provider, requestOf(), newRun)).rejects.toMatchObject({ name: 'ProviderError', errorClass: 'unavailable' });
  });
});

describe('an aborted request', () => {
  const reason = new Error('the job was cancelled');

  it('cancels the run and rejects with the reason, also while the provider does not answer', async () => {
    const controller = new AbortController();
    const provider = fakeProvider({ submit: startsRun, poll: never });
    const wait = async (): Promise<void> => void queueMicrotask(() => controller.abort(reason));
    await expect(research(provider, requestOf({ signal: controller.signal }), { ...newRun, wait })).rejects.toBe(reason);
    expect(provider.calls.at(-1)).toBe('cancel run-1');
  });

  it('ends a wait between two polls', async () => {
    const controller = new AbortController();
    const provider = fakeProvider({ submit: startsRun, poll: async () => ({ ...running, pollAfterMs: 60_000 }) });
    const run = research(provider, requestOf({ signal: controller.signal }), newRun);
    setTimeout(() => controller.abort(reason), 30);
    await expect(run).rejects.toBe(reason);
    expect(provider.calls.filter((call) => call.startsWith('cancel'))).toEqual(['cancel run-1']);
  });

  it('leaves the run alone when another attempt may go on with it', async () => {
    const controller = new AbortController();
    const left = new RunLeft('the lease was lost');
    const provider = fakeProvider({ submit: startsRun, poll: never });
    const wait = async (): Promise<void> => void queueMicrotask(() => controller.abort(left));
    await expect(research(provider, requestOf({ signal: controller.signal }), { ...newRun, wait })).rejects.toBe(left);
    expect(provider.calls).not.toContain('cancel run-1');
  });

  it('leaves nothing of what was answered in memory, whoever may still end the attempt', async () => {
    const { signal } = new AbortController();
    const before = await livingBytes();
    for (let times = 0; times < 20; times += 1) {
      const submit = async (): Promise<RunState> => ({ state: 'finished', raw: randomBytes(LONG / 2).toString('hex') });
      await research(fakeProvider({ submit }), requestOf({ signal }), newRun);
    }
    expect((await livingBytes()) - before).toBeLessThan(5 * LONG);
    expect(signal.aborted).toBe(false);
  });

  it.each([
    ['', newRun],
    [' and cannot be recorded any more', { externalId: null, started: () => Promise.reject(new Error('the thread was deleted')) }],
  ])('cancels a run whose id comes only after the abort%s', async (_, options) => {
    const controller = new AbortController();
    const cancelled = new Promise<string>((resolve) => {
      const provider = fakeProvider({
        submit: async (_request, started) => {
          controller.abort(reason);
          await new Promise((later) => setImmediate(later));
          await started('run-late');
          return running;
        },
        cancel: async (externalId) => resolve(externalId),
      });
      research(provider, requestOf({ signal: controller.signal }), options).catch(() => undefined);
    });
    await expect(cancelled).resolves.toBe('run-late');
  });

  it('is not held up by a cancellation that fails', async () => {
    const controller = new AbortController();
    const provider = fakeProvider({ submit: startsRun, poll: never, cancel: () => Promise.reject(new Error('no such run')) });
    const wait = async (): Promise<void> => void queueMicrotask(() => controller.abort(reason));
    await expect(research(provider, requestOf({ signal: controller.signal }), { ...newRun, wait })).rejects.toBe(reason);
  });
});

describe('the deadline', () => {
  it('ends a run that never does, as a timeout, and cancels it', async () => {
    const provider = fakeProvider({ submit: startsRun, poll: async () => running });
    const run = research(provider, requestOf(withDeadline(60)), newRun);
    await expect(run).rejects.toMatchObject({ errorClass: 'timeout', details: { runEnded: true } });
    expect(provider.calls.at(-1)).toBe('cancel run-1');
  });

  it.each([
    ['ended with the stream of this call', null, true],
    ['goes on where an earlier call started it', 'run-0', false],
  ])('a run that cannot be cancelled %s', async (_, externalId, runEnded) => {
    const provider = fakeProvider({ submit: startsRun, poll: async () => running, cancel: async () => 'not_offered' });
    const run = research(provider, requestOf(withDeadline(60)), { ...newRun, externalId });
    await expect(run).rejects.toMatchObject({ errorClass: 'timeout', details: { runEnded } });
  });

  it('ends a submit that does not listen', async () => {
    await expect(research(fakeProvider({ submit: never }), requestOf(withDeadline(30)), newRun)).rejects.toMatchObject({
      errorClass: 'timeout',
    });
  });

  it.each([0, -5, NaN])('of %d ms means that nothing is submitted', async (deadlineMs) => {
    const provider = fakeProvider({});
    await expect(research(provider, requestOf(withDeadline(deadlineMs)), newRun)).rejects.toMatchObject({ errorClass: 'not_called' });
    expect(provider.calls).toEqual([]);
  });

  it('may be further away than a timer can count', async () => {
    await expect(research(fakeProvider({}), requestOf(withDeadline(2 ** 40)), newRun)).resolves.toHaveProperty('report');
  });
});
