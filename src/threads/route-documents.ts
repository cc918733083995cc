import { idPattern } from '@lib/domain/ids';
import { exampleId } from '@lib/store/views/schema';
import type { AddMessageBody, CreateThreadBody, PursueJobBody } from './threads.dto';

/** What the OpenAPI document says about the routes beside their types. */
export const THREAD_ID = {
  name: 'threadId',
  description: 'Identifier of the thread.',
  schema: { type: 'string', pattern: idPattern('thr') },
  example: exampleId('thr'),
} as const;

export const JOB_ID = {
  name: 'jobId',
  description: 'Identifier of the job.',
  schema: { type: 'string', pattern: idPattern('job') },
  example: exampleId('job'),
} as const;

export const LOCATION = {
  Location: { description: 'Path of what was created.', schema: { type: 'string', format: 'uri-reference' } },
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
