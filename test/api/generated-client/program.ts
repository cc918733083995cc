// Compiled and run by generated-client.spec.ts against the types that openapi-typescript makes of openapi/openapi.json.
import createClient from 'openapi-fetch';
import type { paths } from './openapi';

const client = createClient<paths>({
  baseUrl: process.env.BASE_URL ?? '',
  headers: { Authorization: `Bearer ${process.env.API_KEY ?? ''}` },
});

function required<Data>({ data, error }: { data?: Data; error?: { code: string } }): Data {
  if (data === undefined) throw new Error(`refused: ${error?.code ?? 'no answer'}`);
  return data;
}

async function main(): Promise<void> {
  const thread = required(
    await client.POST('/v1/threads', { body: { message: 'How do hooks end?', budget: 'L', mode: 'fast', spidering: true } }),
  );
  const path = { threadId: thread.id, jobId: thread.job.id };
  const read = async (jobId: string) =>
    required(await client.GET('/v1/threads/{threadId}/jobs/{jobId}', { params: { path: { threadId: thread.id, jobId } } }));

  let job = await read(thread.job.id);
  while (job.status !== 'completed' && job.status !== 'failed' && job.status !== 'cancelled') {
    await new Promise((wake) => setTimeout(wake, 20));
    job = await read(thread.job.id);
  }
  const claims: string[] = (job.synthesisClaimsJson ?? []).map((claim) => claim.claim);
  const cost: number = job.totalCustomerCostCents;
  const urls: string[] = job.steps.flatMap((step) => step.citations.map((citation) => citation.url));

  const detail = required(
    await client.GET('/v1/jobs/{jobId}', { params: { path: { jobId: thread.job.id }, query: { include_steps: true } } }),
  );
  const started: (string | null)[] = (detail.steps ?? []).map((step) => step.startedAt);
  const { jobs, nextCursor } = required(await client.GET('/v1/jobs', { params: { query: { status: 'completed', limit: 1 } } }));
  const { providers, tiers } = required(await client.GET('/v1/providers'));
  const me = required(await client.GET('/v1/me'));
  const usage = required(await client.GET('/v1/usage', { params: { query: { period: '7d' } } }));
  const found = required(await client.GET('/v1/claims', { params: { query: { jobId: thread.job.id, limit: 1 } } }));
  const evidence = await Promise.all(
    found.claims.map(
      async ({ id: claimId }) => required(await client.GET('/v1/claims/{claimId}', { params: { path: { claimId } } })).evidence,
    ),
  );

  const pursued = required(
    await client.POST('/v1/threads/{threadId}/jobs/{jobId}/pursue', { params: { path }, body: { topic: 'And hooks of plugins?' } }),
  );
  const message = required(
    await client.POST('/v1/threads/{threadId}/messages', {
      params: { path: { threadId: thread.id } },
      body: { message: 'Only async ones.' },
    }),
  );
  const whole = required(await client.GET('/v1/threads/{threadId}', { params: { path: { threadId: thread.id } } }));
  const { messages } = required(await client.GET('/v1/threads/{threadId}/messages', { params: { path: { threadId: thread.id } } }));
  const { events } = required(await client.GET('/v1/threads/{threadId}/jobs/{jobId}/events', { params: { path } }));
  const list = required(await client.GET('/v1/threads', { params: { query: { limit: 5 } } }));
  const { deleted } = required(await client.DELETE('/v1/threads/{threadId}', { params: { path: { threadId: thread.id } } }));
  const gone = await client.GET('/v1/threads/{threadId}', { params: { path: { threadId: thread.id } } });

  process.stdout.write(
    JSON.stringify({
      spidering: thread.job.spideringEnabled,
      status: job.status,
      steps: job.steps.length,
      claims: claims.length,
      started: started.length,
      completed: jobs.map(({ query }) => query),
      nextCursor,
      providers: providers.filter(({ isUsable }) => isUsable).length,
      tiers: tiers.map(({ budgetTier }) => budgetTier),
      tenant: me.tenantId,
      used: usage.byTier.map(({ budgetTier, jobs: count }) => `${count} ${budgetTier}`),
      evidence: evidence.flat().length > 0,
      allClaims: found.total === claims.length,
      cost,
      urls: urls.length,
      parent: pursued.parentJobId === thread.job.id,
      tier: pursued.budgetTier,
      said: messages.map(({ content }) => content),
      messageId: messages.at(-1)?.id === message.id,
      jobs: whole.jobs.length,
      events: events.map(({ type }) => type),
      threads: list.threads.length,
      deleted,
      afterwards: gone.error?.code,
    }),
  );
}

void main();
