import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { EventView } from '@lib/store/views/event.view';
import { startSystem, type System } from './support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

/** The hash as the contract describes it, from nothing but what the route answered. */
function hashOf(jobId: string, event: EventView): string {
  const { id, version, type, schemaVersion, facts, occurredAt, actor, correlationId, causationId, traceparent } = event;
  const meta = { occurredAt, actor, correlationId, traceparent, causationId };
  const digest = createHash('sha256')
    .update(event.prevHash, 'hex')
    .update(canonicalize({ id, streamId: jobId, version, type, schemaVersion, facts, meta }) ?? '');
  return (event.contentSha256 === null ? digest : digest.update(event.contentSha256, 'hex')).digest('hex');
}

it('can be verified by a client that has only the events route', async () => {
  const job = await system.client.research({ message: 'How is this recorded?', providers: ['provider-a'] });
  const events = await system.client.events(job.threadId, job.id);

  expect(events.map(({ type }) => type)).toEqual(['JobRequested', 'StepStarted', 'StepCompleted', 'SynthesisStarted', 'JobCompleted']);
  expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  expect(events.map((event) => hashOf(job.id, event))).toEqual(events.map(({ hash }) => hash));
  expect(events.map(({ prevHash }) => prevHash)).toEqual(['0'.repeat(64), ...events.slice(0, -1).map(({ hash }) => hash)]);
  const [first] = events as [EventView];
  expect(hashOf(job.id, { ...first, facts: { ...first.facts, budgetCapCents: 1 } })).not.toBe(first.hash);
});
