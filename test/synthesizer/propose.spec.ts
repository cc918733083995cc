import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { LanguageModel } from '@lib/providers/language-model/language-model';
import { ProviderError } from '@lib/providers/research-provider';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import type { RunTask } from '../../src/reports/report-pool';
import { propose, type ProposalLimits } from '../../src/synthesizer/propose';
import { runHere } from '../support/run-task';
import { reported } from '../synthesis/steps';

const SECRET = 'What did the minister pay for?';
const INPUT = {
  ...{ query: SECRET, mode: 'fast' as const, tier: 'S' as const },
  steps: [reported('provider-a', 'The minister paid for the bridge.', []), reported('provider-b', 'The minister paid for the road.', [])],
};
const CHARGE = { micros: 70, provenance: 'computed' as const };

/** What comes of it and what is logged where the model does this. */
async function proposedBy(write: LanguageModel['write'], { input = INPUT, runTask = runHere, ...changes }: Changes = {}) {
  const logged: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  const limits = { reservedMicros: 1_001, milliseconds: 60_000, signal: new AbortController().signal, ...changes };
  return { proposals: await propose({ write }, input, runTask, limits, logger), logged: logged.join('') };
}

interface Changes extends Partial<ProposalLimits> {
  input?: SynthesisInput;
  runTask?: RunTask;
}

/** Breaks off with the reason of its signal. */
const waiting: LanguageModel['write'] = (_prompt, _reserved, signal) =>
  new Promise((_, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
  });

it.each([
  [
    'refuses in the words that it was asked in',
    new ProviderError('content_filtered', `The provider said: ${SECRET}`, { charge: CHARGE }),
    { accepted: null, charge: CHARGE, spentMicros: 70 },
    'content_filtered',
  ],
  [
    'refuses without a price',
    new ProviderError('overloaded', SECRET, {}),
    { accepted: null, charge: null, spentMicros: 500 },
    'overloaded',
  ],
  ['breaks with words of its own', new TypeError(SECRET), { accepted: null, charge: null, spentMicros: 500 }, 'TypeError'],
  ['breaks with what is no error', SECRET as unknown as Error, { accepted: null, charge: null, spentMicros: 500 }, 'string'],
])('a model that %s costs what it said or its share, and nothing of that is logged', async (_, error, expected, failure) => {
  const { proposals, logged } = await proposedBy(() => Promise.reject(error));
  expect(proposals).toEqual(expected);
  expect(JSON.parse(logged)).toMatchObject({ reason: 'proposals_failed', failure });
  expect(logged).not.toContain('minister');
});

it('an answer that is none is paid for, and nothing of it is logged', async () => {
  const { proposals, logged } = await proposedBy(async () => ({ text: SECRET, isCutOff: false, charge: CHARGE }));
  expect(proposals).toEqual({ accepted: null, charge: CHARGE, spentMicros: 70 });
  expect(logged).toContain('proposals_unreadable');
  expect(logged).not.toContain('minister');
});

it('reports of one provider are compared by nobody, at no cost', async () => {
  const input = { ...INPUT, steps: INPUT.steps.slice(0, 1) };
  const { proposals, logged } = await proposedBy(() => Promise.reject(new Error('it was asked')), { input });
  expect(proposals).toEqual({ accepted: null, charge: { micros: 0, provenance: 'reported' }, spentMicros: 0 });
  expect(logged).toBe('');
});

it('a model is asked for half of what is reserved, and an answer that no thread can hold against the reports is paid for', async () => {
  const asked: number[] = [];
  const runTask: RunTask = async (task, ...given) => {
    if (task === 'verifyProposals') throw new Error('a thread that ended');
    return runHere(task, ...given);
  };
  const write: LanguageModel['write'] = async (_, reservedMicros) => {
    asked.push(reservedMicros);
    return { text: '{}', isCutOff: false, charge: CHARGE };
  };
  expect((await proposedBy(write, { runTask })).proposals).toEqual({ accepted: null, charge: CHARGE, spentMicros: 70 });
  expect(asked).toEqual([500]);
});

it('a model that was never asked, since no thread could put the question, cost nothing', async () => {
  const runTask: RunTask = () => Promise.reject(new Error('a thread that ended'));
  const { proposals, logged } = await proposedBy(() => Promise.reject(new Error('it was asked')), { runTask });
  expect(proposals).toEqual({ accepted: null, charge: { micros: 0, provenance: 'reported' }, spentMicros: 0 });
  expect(JSON.parse(logged)).toMatchObject({ reason: 'proposals_failed' });
});

it('a model that was never asked, since the question took all of its time, cost nothing', async () => {
  const runTask: RunTask = async (task, ...given) => {
    await sleep(100);
    return runHere(task, ...given);
  };
  let isAsked = false;
  const write: LanguageModel['write'] = () => {
    isAsked = true;
    return Promise.reject(new Error('it was asked'));
  };
  const { proposals, logged } = await proposedBy(write, { runTask, milliseconds: 20 });
  expect(proposals).toEqual({ accepted: null, charge: { micros: 0, provenance: 'reported' }, spentMicros: 0 });
  expect(JSON.parse(logged)).toMatchObject({ reason: 'proposals_failed' });
  expect(isAsked).toBe(false);
});

describe('a model that does not answer', () => {
  it('is left after half of the time, so that a summary can follow', async () => {
    const milliseconds = 200;
    const whole = AbortSignal.timeout(milliseconds);
    let isLate: boolean | null = null;
    const write: LanguageModel['write'] = (prompt, reserved, signal) => {
      signal.addEventListener('abort', () => (isLate = whole.aborted));
      return waiting(prompt, reserved, signal);
    };
    const { proposals } = await proposedBy(write, { milliseconds });
    expect(proposals).toEqual({ accepted: null, charge: null, spentMicros: 500 });
    expect(isLate).toBe(false);
  });

  it('until the deadline of the whole report proposed nothing', async () => {
    const whole = new AbortController();
    const write: LanguageModel['write'] = (prompt, reserved, signal) => {
      whole.abort(new DOMException('late', 'TimeoutError'));
      return waiting(prompt, reserved, signal);
    };
    expect((await proposedBy(write, { signal: whole.signal })).proposals).toEqual({ accepted: null, charge: null, spentMicros: 500 });
  });

  it.each([new Error('stopping'), new DOMException('stopping', 'AbortError')])(
    'is left for good where nobody needs the report any more: %s',
    async (reason) => {
      await expect(proposedBy(waiting, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    },
  );
});
