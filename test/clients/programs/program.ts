// Drives the service by the client that @hey-api/openapi-ts makes of the contract; prints what it saw as JSON.
import { randomUUID } from 'node:crypto';

import { createClient } from './client/client/index.js';
import * as research from './client/sdk.gen.js';

const connect = (baseUrl = '') => createClient({ baseUrl, auth: process.env.API_KEY ?? '' });
const client = connect(process.env.BASE_URL);
const stranger = connect(process.env.UNKNOWN_URL);

/** A route that may also answer with nothing, as that of events does to a stream, has `void` among its types. */
async function must<Data>(answer: Promise<{ data?: Data; error?: unknown }>): Promise<Exclude<Data, void>> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data as Exclude<Data, void>;
}

async function main(): Promise<void> {
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { message: 'How do hooks end?', budget: 'L' } as const;
  const thread = await must(research.createThread({ client, body, headers }));
  const again = await must(research.createThread({ client, body, headers }));
  const path = { threadId: thread.id, jobId: thread.job.id };
  let job = await must(research.getJob({ client, path }));
  while (!['completed', 'failed', 'cancelled'].includes(job.status)) {
    await new Promise((wake) => setTimeout(wake, 50));
    job = await must(research.getJob({ client, path }));
  }
  const found = await must(research.listClaims({ client, query: { jobId: job.id } }));
  const claimId = found.claims[0]?.id ?? '';
  const { evidence } = await must(research.getClaim({ client, path: { claimId } }));
  const pursued = await must(research.pursueJob({ client, path, body: { topic: 'And hooks of plugins?' } }));
  const query = { threadId: thread.id, limit: 1 };
  const first = await must(research.listJobs({ client, query }));
  const second = await must(research.listJobs({ client, query: { ...query, cursor: first.nextCursor ?? '' } }));
  const cancelled = await must(research.cancelJob({ client, path: { ...path, jobId: pursued.id } }));
  const { messages } = await must(research.listMessages({ client, path }));
  const detailOf = { path: { jobId: job.id }, query: { include_steps: true } };
  const detail = await must(research.getJobDetail({ client, ...detailOf }));
  const { events } = await must(research.listJobEvents({ client, path }));
  const unknownStep = (await must(research.getJobDetail({ client: stranger, ...detailOf }))).steps?.[0];
  const unknownClaim = await must(research.getClaim({ client: stranger, path: { claimId } }));
  const { deleted } = await must(research.deleteThread({ client, path }));
  const gone = await research.getThread({ client, path });
  const isFinal: boolean = cancelled.status === 'completed' || cancelled.status === 'cancelled';

  process.stdout.write(
    JSON.stringify({
      isRepeated: again.id === thread.id && again.job.id === thread.job.id,
      status: job.status,
      hasClaims: found.total > 0 && found.total === job.synthesisClaimsJson?.length,
      hasEvidence: evidence.length > 0 && evidence.every(({ quote, startIndex, endIndex }) => quote.length === endIndex - startIndex),
      parent: pursued.parentJobId === job.id,
      pages: [...first.jobs, ...second.jobs].map(({ id }) => id).join() === [pursued.id, job.id].join(),
      isCancelledFinal: isFinal,
      messageCost: messages[0]?.costCents,
      parentOfFirst: detail.parentJobId,
      isTimeRead: (detail.completedAt ?? '') >= detail.createdAt,
      firstFact: events[0]?.type,
      unknown: [unknownStep?.provider, unknownStep?.status, unknownClaim.confidenceLevel, unknownClaim.evidence[0]?.relation],
      deleted,
      afterwards: gone.error?.code,
    }),
  );
}

void main();
