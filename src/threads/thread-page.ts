import type { FastifyRequest } from 'fastify';
import type { ThreadAsked, ThreadPage } from '@lib/store/views/reader';
import { THREAD_CURSORS, THREAD_START } from '@lib/store/views/thread-cursor';
import { knownTags } from '../api/conditional';
import { readLimit } from '../api/page';
import { QueryValues, type Query } from '../api/query-values';

/**
 * What a request asks of a thread: a page or all of it, unless the client already has that version.
 * @throws Problem invalid_request with every violation
 */
export const threadAskedBy = (request: FastifyRequest, query: Query): ThreadAsked => ({
  page: threadPageOf(new QueryValues(query)),
  knownTag: knownTags(request)[0],
});

function threadPageOf(values: QueryValues): ThreadPage | null {
  const limit = readLimit(values);
  const after = values.read('cursor', 'invalid_cursor', 'must be that of the Link to the next page', THREAD_CURSORS.placeIn);
  values.check();
  return after === undefined && !values.isGiven('limit') ? null : { after: after ?? THREAD_START, limit };
}
