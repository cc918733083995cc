import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countPlainEvents } from '@lib/store/history/plain-events';
import { createPool } from '@lib/store/postgres/pool';
import { plainEventsRemark, plainEventsText } from '../../src/cli/plain-events-text';
import type { StoredStream } from '../support/every-event';
import { externalId, report, start, success } from '../support/job-history';
import { createJob, createTestStore } from '../support/store';
import { onJob } from '../support/streams';

const recorded = (name: string) => JSON.parse(readFileSync(join(__dirname, 'fixtures', `history-${name}.json`), 'utf8')) as StoredStream[];

it('research migrate says what remains of earlier builds, and of this one nothing does', async () => {
  const test = await createTestStore();
  const { jobId, stepIds } = await createJob(test.store);
  const [one = ''] = stepIds;
  await onJob(test.store, jobId, start(one), externalId(one, 1), report(one, 1, success()));
  expect(plainEventsText(await countPlainEvents(test.store.pool))).toBeNull();

  const events = recorded('1').flatMap(({ streamId, events: own }) => own.map((event) => ({ ...event, streamId })));
  for (const { streamId, version, type, schemaVersion, facts, meta } of events) {
    const told = type === 'StepCompleted' ? { ...facts, model: 'a-model-of-somebody' } : facts;
    await test.store.pool.query(
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
        values ($1::text, $2::int, 'evt_' || md5($1::text || $2::int), $3, $4, $5, $6, '\\x', '\\x')`,
      [streamId, version, type, schemaVersion, told, { ...meta, actor: version === 1 ? 'key:abc' : meta.actor }],
    );
  }
  const digests = events.filter(({ type }) => type === 'StepCompleted' || type === 'StepExternalIdRecorded').length;
  const models = events.filter(({ type }) => type === 'StepCompleted').length;
  const requestIds = events.filter(({ version }) => version === 1).length;
  expect(Math.min(digests - models, models, requestIds)).toBeGreaterThan(0);
  const counted = await countPlainEvents(test.store.pool);
  expect(counted).toEqual({ digests, models, requestIds });
  expect(plainEventsText(counted)).toContain(`${digests} events with a plain digest`);
  await test.close();
});

it('a migration is not kept from its end by more events than can be counted in time', async () => {
  const test = await createTestStore();
  const [impatient, holder] = [createPool(test.databaseUrl, 1, 200), await test.store.pool.connect()];
  await holder.query('begin; lock table event in access exclusive mode');
  expect(await plainEventsRemark(impatient)).toMatch(
    /^What earlier builds recorded could not be counted \(.+\); nothing else depends on it\.$/,
  );
  await holder.query('rollback');
  holder.release();
  await impatient.end();
  await test.close();
});
