import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { isFinalStatus } from '@lib/domain/vocabulary';
import type { FoundJob } from '@lib/store/views/job-places';
import { ETAG } from '../api/conditional';
import { retryAfterSeconds } from './retry-after';

export const JOB_HEADERS = {
  ...ETAG,
  'Retry-After': { description: 'Seconds until the next poll, unless the job is final.', schema: { type: 'integer' } },
  'Preference-Applied': {
    description: 'For how many seconds at most the answer was waited for, if it was: `wait=30`.',
    schema: { type: 'string' },
  },
} as const;

/** Documents the header with which a client waits for a job. */
export const ApiPreferWait = (): MethodDecorator =>
  ApiHeader({
    name: 'Prefer',
    required: false,
    description:
      '`wait=N`: answer when the job differs from `If-None-Match`, or without that header when it is final, after N seconds at the latest. ' +
      'More than 30 count as 30; what cannot be read is ignored.',
    schema: { type: 'string' },
    example: 'wait=30',
  });

export function sayWhenToComeAgain(reply: FastifyReply, { status, createdAt }: Pick<FoundJob, 'status' | 'createdAt'>): void {
  if (!isFinalStatus(status)) reply.header('retry-after', retryAfterSeconds(Date.now() - createdAt.getTime()));
}
