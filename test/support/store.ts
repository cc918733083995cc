import { randomBytes } from 'node:crypto';
import type { PlanCandidate } from '@lib/domain/budget';
import type { RequestJob } from '@lib/domain/job/commands';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Unit } from '@lib/store/commit/unit';
import { newId } from '@lib/store/new-id';
import { openStore, type Store, type StoreSettings } from '@lib/store/store';
import { createMigratedDatabase } from '../servers/database';

export const TENANT = 'tenant-one';
export const PROCESS: ProcessIdentity = { instance: 'a-test', build: 'unbuilt' };
export const META: Unit['meta'] = { actor: 'role:test', correlationId: 'test', traceId: 'a1'.repeat(16) };

export interface TestStore {
  store: Store;
  databaseUrl: string;
  masterKey: Buffer;
  /** A second process on the same database, as far as the store can tell. */
  another(changes?: Pick<TestStoreOptions, 'windowOf'>): Store;
  close(): Promise<void>;
}

type TestStoreOptions = Partial<Pick<StoreSettings, 'leaseMs' | 'redispatchFirstMs' | 'windowOf'>>;

/** A fresh, migrated database with an open store. */
export async function createTestStore({
  leaseMs = 30_000,
  redispatchFirstMs = 10_000,
  windowOf,
}: TestStoreOptions = {}): Promise<TestStore> {
  const database = await createMigratedDatabase();
  const masterKey = randomBytes(32);
  const stores: Store[] = [];
  const another: TestStore['another'] = (changes = {}) => {
    const store = openStore({
      databaseUrl: database.url,
      connections: 4,
      masterKeys: [masterKey],
      leaseMs,
      redispatchFirstMs,
      windowOf,
      ...changes,
    });
    stores.push(store);
    return store;
  };
  const close = async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  };
  return { store: another(), databaseUrl: database.url, masterKey, another, close };
}

export const candidate = (provider: ProviderId, reserve: { min?: number; max?: number } = {}): PlanCandidate => ({
  stepId: newId('stp'),
  provider,
  adapter: 'simulated',
  model: null,
  priceDate: null,
  minReserveMicros: reserve.min ?? 0,
  maxReserveMicros: reserve.max ?? 0,
});

export const DEADLINES = { queueMs: 86_400_000, jobMs: 120_000, synthesisMs: 300_000 };

/** Creates a thread with its first job, as the route does. */
export async function createJob(
  store: Store,
  { query = 'How?', candidates = [candidate('provider-a'), candidate('provider-c')], tenantId = TENANT, ...rest }: Partial<RequestJob> = {},
): Promise<{ threadId: string; jobId: string; stepIds: string[] }> {
  const threadId = newId('thr');
  const jobId = newId('job');
  const request: RequestJob = {
    type: 'RequestJob',
    tenantId,
    threadId,
    parentJobId: null,
    query,
    budgetTier: 'M',
    budgetCapCents: 1500,
    researchMode: 'fast',
    spideringEnabled: false,
    markupBasisPoints: 0,
    synthesisReserveMicros: 0,
    deadlines: DEADLINES,
    candidates,
    ...rest,
  };
  await store.execute({
    meta: META,
    commands: [
      { kind: 'thread', streamId: threadId, command: { type: 'CreateThread', tenantId, title: query } },
      { kind: 'thread', streamId: threadId, command: { type: 'AddMessage', tenantId, messageId: newId('msg'), content: query } },
      { kind: 'thread', streamId: threadId, command: { type: 'AddJob', tenantId, jobId, parent: null } },
      { kind: 'job', streamId: jobId, command: request },
    ],
  });
  return { threadId, jobId, stepIds: candidates.map(({ stepId }) => stepId) };
}
