import fc from 'fast-check';

import { MAX_CITATIONS } from '@lib/providers/checked-report';
import { research, RunLeft } from '@lib/providers/research';
import { ProviderError, type ResearchProvider, type ResearchReport, type RunState } from '@lib/providers/research-provider';

import { newRun, requestOf, withDeadline } from './request';

const REPORT: ResearchReport = {
  markdown: 'Wren rotates its files daily [1].',
  citations: [source({})],
  charge: { micros: 1200, provenance: 'reported' },
  model: 'wren-1',
};

function source(changes: object) {
  const citation = { index: 1, url: 'https://wren.example/logs', title: 'Logs', snippet: null, startIndex: 0, endIndex: 32 };
  return { ...citation, publishedAt: null, domain: null, ...changes };
}

interface Fake extends ResearchProvider {
  calls: string[];
}

/** A provider of which a test says how it behaves; it notes the calls that reach it. */
function fake(behaviour: Partial<ResearchProvider>): Fake {
  const calls: string[] = [];
  return {
    adapter: 'fake',
    calls,
    submit: async (request, started) => {
      calls.push('submit');
      return behaviour.submit ? behaviour.submit(request, started) : { state: 'finished', raw: '{}' };
    },
    poll: async (externalId, request) => {
      calls.push(`poll ${externalId}`);
      return behaviour.poll ? behaviour.poll(externalId, request) : { state: 'finished', raw: '{}' };
    },
    cancel: async (externalId) => {
      calls.push(`cancel ${externalId}`);
      await behaviour.cancel?.(externalId);
    },
    parse: behaviour.parse ?? (() => REPORT),
  };
}

/** A provider whose response is read as this, whatever the types say. */
const reporting = (report: unknown): Fake => fake({ parse: () => report as ResearchReport });
const reportWith = (changes: object): Fake => reporting({ ...REPORT, ...changes });
const running: RunState = { state: 'running', externalId: 'run-1', pollAfterMs: 1 };
const startsRun: ResearchProvider['submit'] = async (_, started) => {
  await started('run-1');
  return running;
};
const never = <Value>(): Promise<Value> => new Promise(() => undefined);
const malformed = { name: 'ProviderError', errorClass: 'malformed' };

describe('a run', () => {
  it('is recorded when it starts, then polled until it has ended', async () => {
    const states: RunState[] = [running, running, { state: 'finished', raw: 'the answer' }];
    const provider = fake({ submit: startsRun, poll: async () => states.shift() ?? running });
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

  it('that an earlier attempt started is polled and not submitted again', async () => {
    const provider = fake({});
    await research(provider, requestOf({ attempt: 2 }), { ...newRun, externalId: 'run-0' });
    expect(provider.calls).toEqual(['poll run-0']);
  });

  it('is recorded also when the adapter only returns its id', async () => {
    const recorded: string[] = [];
    await research(fake({ submit: async () => running }), requestOf(), { externalId: null, started: async (id) => void recorded.push(id) });
    expect(recorded).toEqual(['run-1']);
  });

  it('that cannot be recorded is cancelled, and the refusal passed on', async () => {
    const refusal = new Error('the attempt is over');
    const provider = fake({ submit: startsRun });
    const started = (): Promise<void> => Promise.reject(refusal);
    await expect(research(provider, requestOf(), { externalId: null, started })).rejects.toBe(refusal);
    expect(provider.calls).toEqual(['submit', 'cancel run-1']);
  });

  it.each(['', 'two\nlines', 'x'.repeat(1001)])('with the unusable id %j is refused', async (id) => {
    const submit: ResearchProvider['submit'] = async (_, started) => {
      await started(id);
      return running;
    };
    await expect(research(fake({ submit }), requestOf(), newRun)).rejects.toMatchObject(malformed);
  });

  it.each([NaN, -1, 0, Infinity])('is polled at a bearable pace when the provider says %d', async (pollAfterMs) => {
    const states: RunState[] = [
      { ...running, pollAfterMs },
      { state: 'finished', raw: '' },
    ];
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const provider = fake({ submit: startsRun, poll: async () => states.shift() ?? running });
    await research(provider, requestOf(), { ...newRun, wait });
    for (const milliseconds of waits) expect(milliseconds >= 10 && milliseconds <= 60_000).toBe(true);
    expect(waits).toHaveLength(2);
  });

  it('is submitted once, whatever the submit answers', async () => {
    for (const error of [new ProviderError('overloaded', 'busy', { retryAfterMs: 1 }), new TypeError('fetch failed')]) {
      const provider = fake({ submit: () => Promise.reject(error) });
      await expect(research(provider, requestOf(), newRun)).rejects.toThrow(error.message);
      expect(provider.calls).toEqual(['submit']);
    }
  });

  it('fails as unavailable when the adapter throws something else than it should', async () => {
    const provider = fake({ submit: () => Promise.reject(new TypeError('fetch failed')) });
    await expect(research(provider, requestOf(), newRun)).rejects.toMatchObject({ name: 'ProviderError', errorClass: 'unavailable' });
  });
});

describe('an aborted request', () => {
  const reason = new Error('the job was cancelled');

  it('cancels the run and rejects with the reason, also while the provider does not answer', async () => {
    const controller = new AbortController();
    const provider = fake({ submit: startsRun, poll: never });
    const wait = async (): Promise<void> => void queueMicrotask(() => controller.abort(reason));
    await expect(research(provider, requestOf({ signal: controller.signal }), { ...newRun, wait })).rejects.toBe(reason);
    expect(provider.calls.at(-1)).toBe('cancel run-1');
  });

  it('ends a wait between two polls', async () => {
    const controller = new AbortController();
    const provider = fake({ submit: startsRun, poll: async () => ({ ...running, pollAfterMs: 60_000 }) });
    const run = research(provider, requestOf({ signal: controller.signal }), newRun);
    setTimeout(() => controller.abort(reason), 30);
    await expect(run).rejects.toBe(reason);
    expect(provider.calls.filter((call) => call.startsWith('cancel'))).toEqual(['cancel run-1']);
  });

  it('leaves the run alone when another attempt may go on with it', async () => {
    const controller = new AbortController();
    const left = new RunLeft('the lease was lost');
    const provider = fake({ submit: startsRun, poll: never });
    const wait = async (): Promise<void> => void queueMicrotask(() => controller.abort(left));
    await expect(research(provider, requestOf({ signal: controller.signal }), { ...newRun, wait })).rejects.toBe(left);
    expect(provider.calls).not.toContain('cancel run-1');
  });

  it('cancels a run whose id comes only after the abort', async () => {
    const controller = new AbortController();
    const cancelled = new Promise<string>((resolve) => {
      const provider = fake({
        submit: async (_, started) => {
          controller.abort(reason);
          await new Promise((later) => setImmediate(later));
          await started('run-late');
          return running;
        },
        cancel: async (externalId) => resolve(externalId),
      });
      research(provider, requestOf({ signal: controller.signal }), newRun).catch(() => undefined);
    });
    await expect(cancelled).resolves.toBe('run-late');
  });

  it('is not held up by a cancellation that fails', async () => {
    const controller = new AbortController();
    const provider = fake({ submit: startsRun, poll: never, cancel: () => Promise.reject(new Error('no such run')) });
    const wait = async (): Promise<void> => void queueMicrotask(() => controller.abort(reason));
    await expect(research(provider, requestOf({ signal: controller.signal }), { ...newRun, wait })).rejects.toBe(reason);
  });
});

describe('the deadline', () => {
  it('ends a run that never does, as a timeout, and cancels it', async () => {
    const provider = fake({ submit: startsRun, poll: async () => running });
    const run = research(provider, requestOf(withDeadline(60)), newRun);
    await expect(run).rejects.toMatchObject({ errorClass: 'timeout', details: { runEnded: true } });
    expect(provider.calls.at(-1)).toBe('cancel run-1');
  });

  it('ends a submit that does not listen', async () => {
    await expect(research(fake({ submit: never }), requestOf(withDeadline(30)), newRun)).rejects.toMatchObject({ errorClass: 'timeout' });
  });

  it.each([0, -5, NaN])('of %d ms means that nothing is submitted', async (deadlineMs) => {
    const provider = fake({});
    await expect(research(provider, requestOf(withDeadline(deadlineMs)), newRun)).rejects.toMatchObject({ errorClass: 'not_called' });
    expect(provider.calls).toEqual([]);
  });

  it('may be further away than a timer can count', async () => {
    await expect(research(fake({}), requestOf(withDeadline(2 ** 40)), newRun)).resolves.toHaveProperty('report');
  });
});

describe('a response', () => {
  it('longer than allowed is refused with both sizes', async () => {
    const provider = fake({ submit: async () => ({ state: 'finished', raw: 'é'.repeat(600) }) });
    const request = requestOf({ limits: { ...requestOf().limits, maxResponseBytes: 1000 } });
    await expect(research(provider, request, newRun)).rejects.toMatchObject({
      ...malformed,
      message: expect.stringMatching(/1200 .*1000/) as string,
    });
  });

  it('that cannot be read ends the run', async () => {
    const provider = fake({ parse: () => JSON.parse('<html>') as ResearchReport });
    await expect(research(provider, requestOf(), newRun)).rejects.toMatchObject({ ...malformed, details: { runEnded: true } });
  });

  it.each([null, 'text', 7, [], {}])('that is read as %j is refused', async (report) => {
    await expect(research(reporting(report), requestOf(), newRun)).rejects.toMatchObject(malformed);
  });

  it.each(['', '  \n', null, 12])('with the text %j is refused, and its charge kept', async (markdown) => {
    const run = research(reportWith({ markdown }), requestOf(), newRun);
    await expect(run).rejects.toMatchObject({ ...malformed, details: { charge: REPORT.charge } });
  });

  it.each([NaN, Infinity, -1, 0.5, 2 ** 60, '12', null])('with a charge of %p is refused', async (micros) => {
    const run = research(reportWith({ charge: { micros, provenance: 'reported' } }), requestOf(), newRun);
    await expect(run).rejects.toMatchObject(malformed);
  });

  it.each([undefined, null, { micros: 1 }, { micros: 1, provenance: 'invented' }])('with the charge %j is refused', async (charge) => {
    await expect(research(reportWith({ charge }), requestOf(), newRun)).rejects.toMatchObject(malformed);
  });
});

describe('the text of a report', () => {
  it('is well-formed Unicode without NUL, and spans still point at the same words', async () => {
    const markdown = 'A\0B \ud800 quoted\0 words [1].';
    const startIndex = markdown.indexOf('quoted');
    const provider = reportWith({ markdown, citations: [source({ startIndex, endIndex: markdown.indexOf(' [1]'), title: 'a\0\udfff' })] });
    const { report } = await research(provider, requestOf(), newRun);
    expect(report.markdown).toBe('AB \ufffd quoted words [1].');
    const [citation] = report.citations;
    expect(report.markdown.slice(citation?.startIndex ?? 0, citation?.endIndex ?? 0)).toBe('quoted words');
    expect(citation?.title).toBe('a\ufffd');
  });

  it('is well-formed for any text, with spans inside it', async () => {
    const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: -2, max: 44 }), fc.integer({ min: -2, max: 44 }), async (noise, startIndex, endIndex) => {
        const provider = reportWith({ markdown: `x${noise}`, citations: [source({ startIndex, endIndex })] });
        const { report } = await research(provider, requestOf(), newRun);
        expect(report.markdown).not.toMatch(/[\0\p{Surrogate}]/u);
        const [citation] = report.citations;
        if (citation?.startIndex === null) expect(citation.endIndex).toBeNull();
        else expect(citation?.endIndex).toBeLessThanOrEqual(report.markdown.length);
      }),
    );
  });
});

describe('the citations of a report', () => {
  it.each([
    ['no list', null],
    ['an index of 0', [source({ index: 0 })]],
    ['an index that is text', [source({ index: '1' })]],
    ['no object', ['https://wren.example']],
    ['no URL', [source({ url: undefined })]],
    ['one mark for two sources', [source({}), source({ url: 'https://other.example/' })]],
    ['more than anybody can look at', Array.from({ length: 10_000 }, (_, at) => source({ index: at + 1 }))],
  ])('with %s are refused', async (_, citations) => {
    await expect(research(reportWith({ citations }), requestOf(), newRun)).rejects.toMatchObject(malformed);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not a url', '', `https://wren.example/${'x'.repeat(9000)}`])(
    'lose the one whose URL is %.40j',
    async (url) => {
      const { report } = await research(reportWith({ citations: [source({ index: 2, url }), source({})] }), requestOf(), newRun);
      expect(report.citations.map(({ index }) => index)).toEqual([1]);
    },
  );

  it.each([
    [5, 3],
    [-1, 4],
    [0, 34],
    [0.5, 4],
    [null, 4],
    ['0', '4'],
  ])('lose the span %j to %j, which is none of the report', async (startIndex, endIndex) => {
    const { report } = await research(reportWith({ citations: [source({ startIndex, endIndex })] }), requestOf(), newRun);
    expect(report.citations[0]).toMatchObject({ startIndex: null, endIndex: null });
  });

  it('have every field, and the domain of their URL', async () => {
    const citations = [
      { index: 1, url: 'https://docs.wren.example:8443/a' },
      { index: 2, url: 'corpus:/a.md#L1-L2', domain: 'a lie' },
    ];
    const { report } = await research(reportWith({ citations }), requestOf(), newRun);
    const unsaid = { title: null, snippet: null, startIndex: null, endIndex: null, publishedAt: null };
    expect(report.citations).toEqual([
      { index: 1, url: 'https://docs.wren.example:8443/a', domain: 'docs.wren.example', ...unsaid },
      { index: 2, url: 'corpus:/a.md#L1-L2', domain: null, ...unsaid },
    ]);
  });

  it(`may be ${MAX_CITATIONS}`, async () => {
    const citations = Array.from({ length: MAX_CITATIONS }, (_, at) => source({ index: at + 1 }));
    expect((await research(reportWith({ citations }), requestOf(), newRun)).report.citations).toHaveLength(MAX_CITATIONS);
  });
});
