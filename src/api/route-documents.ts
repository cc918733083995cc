import { idPattern } from '@lib/domain/ids';
import { exampleId } from '@lib/store/views/schema';
import { DEFAULT_LIMIT, MAX_OFFSET } from './page';

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
  description: 'Results to skip: those of the list as it is now. Not together with `cursor`.',
  schema: { type: 'integer', minimum: 0, maximum: MAX_OFFSET, default: 0, example: 40 },
} as const;

/** Of a list that takes both. */
export const PAGED_BY_CURSOR =
  'Go on with `nextCursor` until it is null: so nothing is skipped or shown twice, whatever is added or deleted between two pages, as it is ' +
  'with `offset`.';

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

/** Of bodies: a client may leave out what has a default. */
export type Examples<Body> = Record<string, { summary: string; value: Partial<Body> }>;
