import { THREAD_CURSORS } from '@lib/store/views/thread-cursor';
import { THREAD_LIST_CURSORS } from '@lib/store/views/list-cursors';
import { exampleId } from '@lib/store/views/schema';
import { optionalText } from '../api/optional-parameters';
import type { Examples } from '../api/route-documents';
import type { AddMessageBody, CreateThreadBody, PursueJobBody } from './threads.dto';

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

export const THREAD_LIST_CURSOR = optionalText(
  'cursor',
  '`nextCursor` of the page before.',
  THREAD_LIST_CURSORS.textOf({ createdAt: new Date('2026-11-21T09:30:00Z'), id: exampleId('thr') }),
);

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
