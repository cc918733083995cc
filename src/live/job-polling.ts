import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { isFinalStatus } from '@lib/domain/vocabulary';
import type { FoundJob } from '@lib/store/views/job-places';
import { retryAfterSeconds } from './poll-pacing';

export const JOB_HEADERS = {
  'Retry-After': { description: 'Seconds until the next poll, unless the job is final.', schema: { type: 'integer' } },
  'Preference-Applied': {
    description: 'For how many seconds at most the answer was waited for, if it was: `wait=30`.',
    schema: { type: 'string' },
  },
} as const;

/** Documents the headers with which a client waits for a job. */
export const ApiPreferWait = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Prefer',
      required: false,
      description:
        '`wait=N`: answer when the job differs from `If-None-Match`, or without that header when it is final, after N seconds at the latest. ' +
        'A job that is final differs no more, so it is answered at once. More than 30 count as 30; what cannot be read is ignored.',
      schema: { type: 'string' },
      example: 'wait=30',
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The `ETag` of the answer that the client has.',
      schema: { type: 'string' },
      example: '"3-1"',
    }),
    ApiResponse({ status: 304, description: 'The job is as the client has it: nothing is sent again.', headers: JOB_HEADERS }),
  );

/** @param now by the database's clock, like the job's creation time */
export function sayWhenToComeAgain(reply: FastifyReply, { status, createdAt }: Pick<FoundJob, 'status' | 'createdAt'>, now: Date): void {
  if (!isFinalStatus(status)) reply.header('retry-after', retryAfterSeconds(now.getTime() - createdAt.getTime()));
}
