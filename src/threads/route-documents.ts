import { idPattern } from '@lib/domain/ids';
import { exampleId } from '@lib/store/views/schema';
import { THREAD_CURSORS } from '@lib/store/views/thread-cursor';
import { DEFAULT_LIMIT, MAX_OFFSET } from './page';
import type { AddMessageBody, CreateThreadBody, PursueJobBody } from './threads.dto';

/** What the OpenAPI document says about the routes beside their types. */
export const THREAD_ID = {
  name: 'threadId',
  description: 'Identifier of the thread.',
  schema: { type: 'string', pattern: idPattern('thr'), example: exampleId('thr') },
} as const;

export const JOB_ID = {
  name: 'jobId',
  description: 'Identifier of the job.',
  schema: { type: 'string', pattern: idPattern('job'), example: exampleId('job') },
} as const;

const LOCATION = {
  Location: { description: 'Path of what was created.', schema: { type: 'string', format: 'uri-reference' } },
} as const;

export const LIMIT = {
  name: 'limit',
  required: false,
  description: 'Most results to return. A value above 100 counts as 100.',
  schema: { type: 'integer', minimum: 1, default: DEFAULT_LIMIT, example: DEFAULT_LIMIT },
} as const;

export const OFFSET = {
  name: 'offset',
  required: false,
  description: 'Results to skip.',
  schema: { type: 'integer', minimum: 0, maximum: MAX_OFFSET, default: 0, example: 40 },
} as const;

/** Without it the whole thread is returned, so it has no default. */
export const THREAD_LIMIT = {
  name: 'limit',
  required: false,
  description: 'Most results to return of each kind. A value above 100 counts as 100. Without it all of them are returned.',
  schema: { type: 'integer', minimum: 1, example: 50 },
} as const;

export const THREAD_CURSOR = {
  name: 'cursor',
  required: false,
  description: 'Where the page begins, as the header `Link` of the page before has it.',
  schema: { type: 'string', example: THREAD_CURSORS.textOf({ message: 52, job: null }) },
} as const;

/** Of a list that may be asked for in pages. */
export const PAGED = {
  Link: {
    description: 'Of a page that is not the last one: the address of the next one, as `<address>; rel="next"`.',
    schema: { type: 'string' },
  },
} as const;

const REPLAYED = {
  'Idempotent-Replayed': {
    description: 'The request was done before with the same `Idempotency-Key`, and this is its first answer again; always `true`.',
    schema: { type: 'string' },
  },
} as const;

/** Of an answer that may be one that was given before. */
export const ANSWERED = { headers: REPLAYED };
export const CREATED = { headers: { ...LOCATION, ...REPLAYED } };

export const JOB_CREATED = {
  headers: {
    ...CREATED.headers,
    'Limit-Warning': {
      description: 'What the jobs of the day may cost, in cents, once that is more than the tenant is warned of.',
      schema: { type: 'string' },
    },
  },
} as const;

/** A client may leave out what has a default. */
type Examples<Body> = Record<string, { summary: string; value: Partial<Body> }>;

export const CREATE_THREAD_EXAMPLES: Examples<CreateThreadBody> = {
  question: { summary: 'A question', value: { message: 'How does Fastify handle an error thrown in a hook or a handler?' } },
  options: {
    summary: 'With every option',
    value: {
      message: 'How does Fastify handle an error thrown in a hook or a handler?',
      budget: 'L',
      mode: 'methodical',
      providers: ['provider-a', 'provider-c', 'provider-e'],
      spidering: false,
    },
  },
};

export const ADD_MESSAGE_EXAMPLES: Examples<AddMessageBody> = {
  message: { summary: 'A message', value: { message: 'Only errors of asynchronous hooks matter to me.' } },
};

export const PURSUE_JOB_EXAMPLES: Examples<PursueJobBody> = {
  topic: { summary: 'A topic', value: { topic: 'How do plugins change the scope of an error handler?' } },
  options: {
    summary: 'With options',
    value: { topic: 'How do plugins change the scope of an error handler?', budget: 'M', mode: 'fast', providers: ['provider-b'] },
  },
};
