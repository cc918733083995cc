import type { EventMeta } from '@lib/domain/event';
import type { ClaimSynthesis, StartStep } from '@lib/domain/job/commands';
import { tenantStreamId } from '@lib/domain/tenant';
import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import { Tenants } from '@lib/store/tenants/tenants';
import {
  claimSynthesis,
  complete,
  completePaid,
  externalId,
  failure,
  lose,
  loseSynthesis,
  planTopics,
  report,
  start,
  success,
  told,
  CALL,
  USAGE,
} from './job-history';
import { candidate, createJob, META, PROCESS, TENANT } from './store';
import { addMessage, deleteThread, onJob, passTime } from './streams';

/** A stream as it is stored: everything but sealed bytes and hashes. */
export interface StoredStream {
  streamId: string;
  events: { version: number; type: string; schemaVersion: number; facts: object; meta: EventMeta }[];
}

/** Lets a few jobs live so that an event of every type is written, and reads their streams. */
export async function writeEveryEvent(store: Store): Promise<StoredStream[]> {
  const candidates = () => [candidate('provider-a', { min: 1, max: 500_000 }), candidate('provider-c', { min: 1, max: 500_000 })];
  const completed = await createJob(store, {
    candidates: [...candidates(), candidate('provider-e', { min: 99_000_000, max: 99_000_000 })],
    messageId: newId('msg'),
    asked: { budgetTier: 'M', researchMode: null, spideringEnabled: null, providers: ['provider-a', 'provider-c', 'provider-e'] },
    settingsSha256: '01'.repeat(32),
    process: PROCESS,
  });
  const [one = '', two = ''] = completed.stepIds;
  await addMessage(store, completed.threadId);
  await onJob(
    store,
    completed.jobId,
    start(one, 'c1'),
    externalId(one, 1),
    lose(one, 1),
    { ...start(one, 'c2'), process: PROCESS } as StartStep,
    report(one, 2, told(success(700_000))),
  );
  await onJob(store, completed.jobId, start(two, 'c3'), report(two, 1, told(failure())));
  await passTime(store, 60_000);
  await onJob(store, completed.jobId, start(two, 'c4'), report(two, 2, failure({ charge: null })));
  await passTime(store, 60_000);
  await onJob(
    store,
    completed.jobId,
    start(two, 'c5'),
    { type: 'ReachDeadline', phase: 'running' },
    { ...complete, process: PROCESS },
    report(two, 3, told(success(5))),
  );

  const explored = await createJob(store, { candidates: candidates().slice(0, 1), spideringEnabled: true });
  const [root = ''] = explored.stepIds;
  await onJob(store, explored.jobId, start(root, 'c6'), report(root, 1, success(9)), {
    ...planTopics(1, candidate('provider-c', { min: 1, max: 2 })),
    process: PROCESS,
  });

  const cancelled = await createJob(store, { candidates: candidates().slice(0, 1) });
  const [stopped = ''] = cancelled.stepIds;
  await onJob(store, cancelled.jobId, start(stopped, 'c7'), externalId(stopped, 1), { type: 'CancelJob' });
  const redirected = await createJob(store, { candidates: candidates().slice(0, 1) });
  const [late = ''] = redirected.stepIds;
  await onJob(
    store,
    redirected.jobId,
    start(late, 'c10'),
    lose(late, 1),
    externalId(late, 1),
    start(late, 'c11'),
    report(late, 2, success(5)),
  );
  await onJob(store, cancelled.jobId, { type: 'RecordRunCancelled', stepId: stopped, run: 1, outcome: 'agreed' });

  const failed = await createJob(store, { candidates: candidates() });
  await onJob(store, failed.jobId, { type: 'ReachDeadline', phase: 'queue' });
  const erased = await createJob(store, { candidates: candidates(), researchMode: 'methodical' });
  await onJob(store, erased.jobId, start(erased.stepIds[0] ?? ''));
  await deleteThread(store, erased.threadId);
  const dear = (['provider-a', 'provider-c'] as const).map((provider) => candidate(provider, { min: 500_000, max: 500_000 }));
  const small = await createJob(store, { candidates: dear, budgetCapCents: 100, markupBasisPoints: 2_000 });
  const [failing = '', lost = ''] = small.stepIds;
  await onJob(store, small.jobId, start(failing, 'c6'), report(failing, 1, failure({ charge: null })), start(lost, 'c7'), lose(lost, 1));
  await onJob(store, small.jobId, { type: 'RecordRunCancelled', stepId: failing, run: 1, outcome: 'refused' });
  const written = await createJob(store, { candidates: candidates(), synthesisReserveMicros: 100_000 });
  const [alone = '', other = ''] = written.stepIds;
  await onJob(store, written.jobId, start(alone, 'c8'), report(alone, 1, success(5)), start(other, 'c9'), report(other, 1, success(5)));
  await onJob(
    store,
    written.jobId,
    claimSynthesis('s1'),
    loseSynthesis(1),
    { ...claimSynthesis('s2'), process: PROCESS } as ClaimSynthesis,
    {
      ...completePaid(120_000, 's2'),
      paid: {
        claimId: 's2',
        charge: { micros: 120_000, provenance: 'computed', usage: USAGE, pricesSha256: 'ef'.repeat(32) },
        failure: null,
        calls: [CALL],
      },
    },
  );
  await store.balances.change({ tenantId: TENANT, kind: 'top_up', cents: 1_500, reference: 'first' });
  const tried = await createJob(store, { candidates: candidates() });
  const [refused = '', never = ''] = tried.stepIds;
  const keyRefused = failure({ errorClass: 'auth', charge: null, runEnded: true });
  await onJob(store, tried.jobId, start(refused, 'c12'), report(refused, 1, keyRefused), { type: 'RedriveSteps', stepIds: null });
  await onJob(store, tried.jobId, start(refused, 'c13'), report(refused, 2, keyRefused), {
    type: 'SkipStep',
    stepId: never,
    reason: 'circuit_open',
  });
  await onJob(store, tried.jobId, { type: 'RedriveJob', jobId: newId('job'), stepIds: [refused, never], capCents: 1_400 });
  const held = await createJob(store, { candidates: candidates().slice(0, 1), balanceReservedCents: 1_500 });
  await onJob(store, held.jobId, { type: 'CancelJob' });
  await changeKeys(store);
  return Promise.all(
    [completed, explored, cancelled, redirected, failed, erased, small, written, tried, held]
      .flatMap(({ threadId, jobId }) => [threadId, jobId])
      .concat(tenantStreamId(TENANT))
      .map((id) => readStream(store, id)),
  );
}

const LIMITS = { requestsPerMinute: 600, burst: null, openJobs: 50, warningCents: 1_000, dailyCents: 2_000 };

const REMOVED = {
  ...{ threadId: newId('thr'), deletedAt: '2026-01-01T00:00:00.000Z', events: 7 },
  ...{ streams: { count: 2, sha256: 'ab'.repeat(32) }, headsSha256: 'cd'.repeat(32), balance: { reservedCents: 500, chargedCents: 120 } },
};

async function changeKeys(store: Store): Promise<void> {
  const terms = { scopes: ['threads:read' as const], expiresAt: '2999-01-01T00:00:00.000Z' };
  const key = (keyId: string) => ({ tenantId: TENANT, keyId });
  await new Tenants(store.pool).execute({
    tenantId: TENANT,
    meta: META,
    commands: [
      { type: 'AdoptKey', ...key('adopted'), ...terms, createdAt: '2026-01-01T00:00:00.000Z', revokedAt: null },
      { type: 'CreateKey', ...key('first'), ...terms },
      { type: 'ChangeKey', ...key('first'), scopes: ['threads:read', 'jobs:write'] },
      { type: 'RotateKey', ...key('second'), replacedKeyId: 'first', overlapMs: 3_600_000 },
      { type: 'RevokeKey', ...key('second') },
      { type: 'ChangeLimits', tenantId: TENANT, keyId: null, changes: LIMITS },
      { type: 'ChangeLimits', tenantId: TENANT, keyId: 'second', changes: { requestsPerMinute: 60 } },
      { type: 'WarnOfSpending', tenantId: TENANT, keyId: null, day: '2026-11-22', cents: 1_200, warningCents: 1_000 },
      { type: 'WarnOfSpending', tenantId: TENANT, keyId: 'second', day: '2026-11-22', cents: 600, warningCents: 500 },
      { type: 'RemoveSkeletons', tenantId: TENANT, threads: [REMOVED] },
    ],
  });
}

async function readStream(store: Store, streamId: string): Promise<StoredStream> {
  const { rows } = await store.pool.query<StoredStream['events'][number]>(
    'select version, type, schema_version as "schemaVersion", facts, meta from event where stream_id = $1 order by version',
    [streamId],
  );
  return { streamId, events: rows };
}
