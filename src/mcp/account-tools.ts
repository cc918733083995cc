import { z } from 'zod';

import type { ProviderListView } from '@lib/store/views/account.view';
import type { BalanceView } from '@lib/store/views/balance.view';
import type { ThreadDetailView, ThreadListView } from '@lib/store/views/thread.view';
import { USAGE_PERIODS, type UsageView } from '@lib/store/views/usage.view';
import { counted } from '@lib/synthesis/report/wording';
import { cursor, limit, offset, threadId } from './arguments';
import { answerOf, pageOf } from './service-client';
import { dollars } from './texts';
import { READS, tool } from './tool';

const threads = tool({
  name: 'threads',
  title: 'Threads and their jobs',
  description: 'Lists the research threads, newest first; with threadId the messages and jobs of that thread, a page of each.',
  input: z.strictObject({ threadId: threadId.optional(), limit, offset, cursor }),
  output: z.looseObject({}),
  annotations: READS,
  run: async ({ threadId, cursor, ...query }, { send }) => {
    if (threadId === undefined) {
      const list = await answerOf<ThreadListView>(send, { method: 'GET', path: '/v1/threads', query: { ...query, cursor } });
      const lines = list.threads.map(({ id, title, updatedAt }) => `- ${id} (${updatedAt}) ${title}`);
      const more = list.nextCursor === null ? [] : [`More: call threads with no offset and cursor ${list.nextCursor}.`];
      return { text: [lines.length === 0 ? 'No threads here.' : 'Threads:', ...lines, ...more].join('\n'), data: { ...list } };
    }
    const asked = { method: 'GET' as const, path: `/v1/threads/${threadId}`, query: { limit: query.limit, cursor } };
    const { page: thread, nextCursor } = await pageOf<ThreadDetailView>(send, asked);
    const jobs = thread.jobs.map(({ id, status, query, totalCustomerCostCents }) => {
      return `- ${id} is ${status}, cost ${dollars(totalCustomerCostCents)}: ${query.slice(0, 200)}`;
    });
    const more = nextCursor === null ? [] : [`More: call threads with threadId ${thread.id} and cursor ${nextCursor}.`];
    return { text: [`${thread.id}: ${thread.title}`, 'Jobs:', ...jobs, ...more].join('\n'), data: { ...thread, nextCursor } };
  },
});

const usage = tool({
  name: 'usage',
  title: 'What was spent',
  description: 'Says what the research jobs of a period cost, by provider.',
  input: z.strictObject({ period: z.enum(USAGE_PERIODS).default('30d') }),
  output: z.looseObject({ period: z.string(), jobs: z.number(), costCents: z.number() }),
  annotations: READS,
  run: async (query, { send }) => {
    const usage = await answerOf<UsageView>(send, { method: 'GET', path: '/v1/usage', query });
    const providers = usage.byProvider.map(
      ({ provider, steps, costCents }) => `- ${provider}: ${counted(steps, 'step')}, ${dollars(costCents)}`,
    );
    const head = `${counted(usage.jobs, 'job')} cost ${dollars(usage.costCents)} (${usage.period}).`;
    return { text: [head, ...providers].join('\n'), data: { ...usage } };
  },
});

const balance = tool({
  name: 'balance',
  title: 'Balance',
  description: 'Says what new research jobs may cost, and whether they need a balance at all.',
  input: z.strictObject({}),
  output: z.looseObject({ isRequired: z.boolean(), balanceCents: z.number(), reservedCents: z.number() }),
  annotations: READS,
  run: async (_, { send }) => {
    const balance = await answerOf<BalanceView>(send, { method: 'GET', path: '/v1/balance' });
    const left = `The balance is ${dollars(balance.balanceCents)}; open jobs hold ${dollars(balance.reservedCents)} beside that.`;
    const rule = balance.isRequired ? 'A job needs the cap of its budget on it.' : 'Jobs need none here.';
    return { text: `${left} ${rule}`, data: { ...balance } };
  },
});

const providers = tool({
  name: 'providers',
  title: 'Providers and budgets',
  description: 'Lists whom a job can ask and whether each is usable now, and the budgets with their caps and default providers.',
  input: z.strictObject({}),
  output: z.looseObject({
    providers: z.array(z.looseObject({ id: z.string() })),
    tiers: z.array(z.looseObject({ budgetTier: z.string() })),
  }),
  annotations: READS,
  run: async (_, { send }) => {
    const { providers, tiers } = await answerOf<ProviderListView>(send, { method: 'GET', path: '/v1/providers' });
    const who = providers.map(({ id, adapter, model, isUsable, maxReserveCents }) => {
      const state = isUsable ? '' : '; not usable at the moment';
      return `- ${id}: ${[adapter, model].filter((part) => part !== null).join(' ')}, up to ${dollars(maxReserveCents)} a run${state}`;
    });
    const budgets = tiers.map(({ budgetTier, capCents, defaultProviders }) => {
      return `- ${budgetTier}: at most ${dollars(capCents)}; asks ${defaultProviders.fast.join(', ')}`;
    });
    return { text: ['Providers:', ...who, 'Budgets:', ...budgets].join('\n'), data: { providers, tiers } };
  },
});

export const ACCOUNT_TOOLS = [threads, usage, balance, providers];
