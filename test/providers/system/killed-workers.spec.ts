import { centsFromMicros } from '@lib/domain/money';
import type { BudgetTier, ProviderId } from '@lib/domain/vocabulary';
import type { JobView } from '@lib/store/views/job.view';

import { Client } from '../../support/client';
import { factsOf, historyOf, type StoredRow } from '../../support/histories';
import { isEvent } from '../../support/logs';
import { Supervisor } from '../../support/supervisor';
import { EmulatedProviders } from './emulated-providers';

jest.setTimeout(120_000);

/** Longer than it takes to kill a worker, start another one and lose the lease. */
const WORK_MS = 6000;
const FINAL_WITHIN_MS = 60_000;
/** A synchronous API whose one run takes more than half of the smallest budget. */
const LOCAL_MODEL = {
  adapter: 'openai-compatible',
  model: 'vendor/model',
  minReserveCents: 60,
  maxReserveCents: 60,
  options: {
    maxOutputTokens: 4000,
    webSearchResults: 5,
    inputTokensPerSearch: 1000,
    prices: {
      inputMicrosPerMillionTokens: 1_000_000,
      cachedInputMicrosPerMillionTokens: 100_000,
      outputMicrosPerMillionTokens: 4_000_000,
      perSearchMicros: 20_000,
    },
  },
} as const;
const KILLED = { code: null, signal: 'SIGKILL' };

let supervisor: Supervisor;
let providers: EmulatedProviders;

beforeAll(async () => {
  providers = await EmulatedProviders.start({ 'provider-c-mini': LOCAL_MODEL }, WORK_MS);
  supervisor = await Supervisor.start();
  for (const role of ['api', 'saga', 'synthesizer'] as const) await supervisor.start(role, { PROVIDERS_FILE: providers.file });
});
beforeEach(async () => {
  if (supervisor.running('worker').length === 0) await supervisor.start('worker', providers.environment);
});
afterAll(async () => {
  await supervisor?.close();
  await providers?.stop();
});

interface Asked {
  threadId: string;
  jobId: string;
}

async function ask(provider: ProviderId, budget: BudgetTier): Promise<Asked> {
  const { status, body } = await new Client(supervisor).call('POST', '/v1/threads', { message: 'How?', budget, providers: [provider] });
  expect(status).toBe(201);
  return { threadId: String(body.id), jobId: (body.job as { id: string }).id };
}

async function ended({ threadId, jobId }: Asked): Promise<{ job: JobView; history: StoredRow[] }> {
  const client = new Client(supervisor);
  for (
    const deadline = performance.now() + FINAL_WITHIN_MS;
    performance.now() < deadline;
    await new Promise((wake) => setTimeout(wake, 100))
  ) {
    const job = (await client.call('GET', `/v1/threads/${threadId}/jobs/${jobId}`)).body as unknown as JobView;
    if (job.completedAt !== null) return { job, history: await historyOf(supervisor.pool, jobId) };
  }
  throw new Error(`the job did not end within ${FINAL_WITHIN_MS} ms`);
}

async function killWorker(): Promise<void> {
  expect(await supervisor.the('worker').kill()).toEqual(KILLED);
  await supervisor.start('worker', providers.environment);
}

/** The submits that reach a provider from now on. */
function submitsTo(provider: ProviderId): { count: () => number; first: () => Promise<void> } {
  const before = providers.calls(provider, 'submit').length;
  return {
    count: () => providers.calls(provider, 'submit').length - before,
    first: () => providers.reached(provider, 'submit', before + 1),
  };
}

describe('a worker that is killed', () => {
  it.each(['provider-a', 'provider-b', 'provider-c', 'provider-d'] as const)(
    'after %s accepted a run is followed by one that goes on with this very run',
    async (provider) => {
      const submits = submitsTo(provider);
      const charged = providers.the(provider).chargedMicros;
      const recorded = supervisor.logs.next(isEvent('StepExternalIdRecorded'));
      const asked = await ask(provider, 'S');
      await recorded;
      await killWorker();
      const { job, history } = await ended(asked);
      expect(job.status).toBe('completed');
      expect(submits.count()).toBe(1);
      expect(factsOf(history, 'StepStarted')).toMatchObject([
        { attempt: 1, run: 1, resumed: false },
        { attempt: 2, run: 1, resumed: true },
      ]);
      expect(job.totalCustomerCostCents).toBe(centsFromMicros(providers.the(provider).chargedMicros - charged));
      expect(factsOf(history, 'JobCompleted')).toMatchObject([{ lostMicros: 0, overrunMicros: 0 }]);
    },
  );

  it.each(['provider-e', 'provider-b-lite', 'provider-c-mini'] as const)(
    'while it waited for %s loses the attempt; its reservation stays counted, and there is room for another',
    async (provider) => {
      const submits = submitsTo(provider);
      const asked = await ask(provider, 'S');
      await submits.first();
      await killWorker();
      const { job, history } = await ended(asked);
      expect(job.status).toBe('completed');
      expect(submits.count()).toBe(2);
      const [started] = factsOf(history, 'StepStarted');
      expect(factsOf(history, 'StepAttemptLost')).toMatchObject([{ attempt: 1, retry: { run: 2, resumes: false } }]);
      const [completed] = factsOf(history, 'StepCompleted');
      expect(factsOf(history, 'JobCompleted')).toMatchObject([
        { lostMicros: started?.reservedMicros, chargedMicros: completed?.committedMicros },
      ]);
      expect(job.totalCustomerCostCents).toBe(centsFromMicros(Number(completed?.committedMicros)));
    },
  );

  it.each([
    ['provider-e', 'took the whole budget', 1_000_000],
    ['provider-c-mini', 'fits into the budget only once', 600_000],
  ] as const)('while it waited for %s, whose reservation %s, is not followed by another paid call', async (provider, _, reservedMicros) => {
    const submits = submitsTo(provider);
    const asked = await ask(provider, 'XXS');
    await submits.first();
    await killWorker();
    const { job, history } = await ended(asked);
    expect(job).toMatchObject({ status: 'failed', totalCustomerCostCents: 0 });
    expect(job.steps[0]?.errorMessage).toMatch(/lost/);
    expect(submits.count()).toBe(1);
    expect(factsOf(history, 'StepAttemptLost')).toMatchObject([{ attempt: 1, retry: null }]);
    expect(factsOf(history, 'JobFailed')).toMatchObject([{ chargedMicros: 0, lostMicros: reservedMicros }]);
  });
});
