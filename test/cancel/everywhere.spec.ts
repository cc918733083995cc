import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerOf } from '@lib/domain/ledger';
import { isFinalEvent, type JobEvent } from '@lib/domain/job/events';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { LedgerEntry } from '@lib/providers/simulated/ledger';
import { readEvents } from '@lib/store/history/load';
import { createPool } from '@lib/store/postgres/pool';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';
import { eventually } from '../messaging/eventually';
import { HttpClient } from '../system/support/http-client';
import { onNats, startSystem, type System } from '../system/support/system';

/** Of a job of two providers, from the request to its end; the last ones fall into the synthesis and behind it. */
const PLACES = [1, 2, 3, 4, 5, 6, 7, 8];
const LATE = ['StepResultLate', 'StepExternalIdRecorded', 'StepRunCancelled', 'SynthesisSettled'];

let system: System;
let apis: HttpClient[];
const folder = mkdtempSync(join(tmpdir(), 'cancel-everywhere-'));
const ledgerFile = join(folder, 'ledger');
beforeAll(async () => {
  const kinds = PROVIDERS.map((provider, place) => [
    provider,
    { latencyMs: 150, costCents: 7, reserveCents: 20, background: place % 2 === 1, ledgerFile },
  ]);
  system = await startSystem({
    providers: Object.fromEntries(kinds) as object,
    roles: ['api', 'api:other', 'saga', 'worker', 'synthesizer'],
    environment: { ...onNats(), LEASE_MS: '2000', HEARTBEAT_MS: '200', SWEEP_MS: '100', REDISPATCH_FIRST_MS: '300', REDISPATCH_MS: '300' },
  });
  apis = ['api', 'api:other'].map(
    (role) => new HttpClient(system.services.get(role)?.address ?? '', system.client.headers().authorization?.slice(7) ?? ''),
  );
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Cancelled {
  threadId: string;
  jobId: string;
  answers: JobView[];
}

/** Cancels through both apis at once, when its history has so many events. */
async function cancelledAt(place: number, mode: string): Promise<Cancelled> {
  const [one, other] = apis as [HttpClient, HttpClient];
  const { id: threadId, job } = await one.createThread({
    message: `At ${place}?`,
    mode,
    budget: 'M',
    providers: ['provider-a', 'provider-b'],
  });
  const isThere = async () => {
    const events = await other.events(threadId, job.id);
    return events.length >= place || events.some(({ type }) => isFinalEvent(type));
  };
  await eventually(true, isThere);
  const path = `/v1/threads/${threadId}/jobs/${job.id}/cancel`;
  const answers = await Promise.all([one, other].map((api) => api.expect<JobView>(200, 'POST', path)));
  return { threadId, jobId: job.id, answers };
}

const submits = (): LedgerEntry[] =>
  (existsSync(ledgerFile) ? readFileSync(ledgerFile, 'utf8') : '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerEntry)
    .filter(({ call }) => call === 'submit');

const attemptOf = ({ stepId, attempt }: { stepId?: unknown; attempt?: unknown }): string => `${String(stepId)}#${String(attempt)}`;

/** What must be in any history, wherever the cancel fell into it. */
function expectLegal(events: readonly EventView[]): void {
  const end = events.findIndex(({ type }) => isFinalEvent(type));
  expect(events.filter(({ type }) => isFinalEvent(type))).toHaveLength(1);
  expect(events.slice(end + 1).filter(({ type }) => !LATE.includes(type))).toEqual([]);
  expect(events.map(({ version }) => version)).toEqual(events.map((_, place) => place + 1));
}

it.each(['fast', 'methodical'])(
  'a %s job that two apis cancel at once, at whichever event, ends once, calls nobody anew, and every cent is accounted for',
  async (mode) => {
    const jobs = await Promise.all(PLACES.map((place) => cancelledAt(place, mode)));
    expect(new Set(jobs.map(({ answers: [first] }) => first?.status))).toContain('cancelled');
    await eventually(0, async () => (await system.query('select from agenda')).length, 30_000);
    const pool = createPool(system.env.DATABASE_URL ?? '', 1);
    for (const { threadId, jobId, answers } of jobs) {
      const job = await system.client.getJob(threadId, jobId);
      for (const { status } of answers) expect(status).toBe(job.status);
      const events = await system.client.events(threadId, jobId);
      expectLegal(events);
      const granted = events.filter(({ type }) => type === 'StepStarted').map(({ facts }) => attemptOf(facts));
      const steps = new Set(job.steps.map(({ id }) => id));
      const called = submits()
        .filter(({ stepId }) => steps.has(stepId))
        .map(attemptOf);
      expect(called).toEqual([...new Set(called)]);
      expect(called.filter((attempt) => !granted.includes(attempt))).toEqual([]);
      expect(ledgerOf((await readEvents(pool, jobId)) as JobEvent[]).discrepancies).toEqual([]);
    }
    await pool.end();
  },
);
