import type { Usage } from '../../emulators/asked';
import { bearerKey, type ServerSentEvent, type Wire } from '../../emulators/wire';
import type { Written } from '../../emulators/findings';
import type { Run } from '../../emulators/run';

/** The least that an API can be, for tests of what all emulators share. */
export const plainWire: Wire = {
  basePath: '',
  runPrefix: 'run_',
  key: bearerKey,
  price: ({ inputTokens, outputTokens, searches }) => inputTokens + 2 * outputTokens + 10_000 * searches,
  error: (status, message, type = 'error') => ({ error: { status, message, type } }),
  submit: {
    method: 'POST',
    path: /^\/runs$/,
    answers: 'accepted',
    endsWithConnection: false,
    read: ({ question, step, limit }) => {
      if (typeof question !== 'string') throw new Error('The question is missing');
      return {
        question,
        model: null,
        stepId: typeof step === 'string' ? step : null,
        maxOutputTokens: typeof limit === 'number' ? limit : undefined,
      };
    },
    answer: describe,
  },
  poll: { method: 'GET', path: /^\/runs\/(?<id>[^/]+)$/, answer: describe },
  cancel: { method: 'POST', path: /^\/runs\/(?<id>[^/]+)\/cancel$/, answer: describe },
};

/** How a run stands. */
export interface Described {
  id: string;
  state: string;
  failure: object | null;
  refusal: string | null;
  report: Written;
  usage?: Usage;
  micros?: number;
}

function describe(run: Run): Described {
  const { id, state, failure, refusal, toldUsage, toldMicros } = run;
  const report = run.written((number) => ` [${number}]`);
  return { id, state, failure, refusal, report, usage: toldUsage, micros: toldMicros };
}

export const atOnceWire: Wire = { ...plainWire, submit: { ...plainWire.submit, answers: 'ended', endsWithConnection: true } };

export const streamedWire: Wire = {
  ...plainWire,
  submit: { ...plainWire.submit, answers: 'streamed', endsWithConnection: true, answer: stream },
};

async function* stream(run: Run): AsyncGenerator<ServerSentEvent> {
  yield { event: 'created', data: { id: run.id } };
  await run.ended;
  yield { event: 'ended', data: describe(run) };
}
