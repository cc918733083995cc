import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyStream, evolve } from '@lib/store/history/aggregates';
import { SCHEMA_VERSIONS, upcast } from '@lib/store/history/upcasters';
import { writeEveryEvent, type StoredStream } from '../support/every-event';
import { createTestStore } from '../support/store';

/** Histories as earlier builds wrote them, each with the state that it led to. Files are added here, never changed. */
const FOLDER = join(__dirname, 'fixtures');
const histories = readdirSync(FOLDER)
  .filter((name) => name.startsWith('history-'))
  .map((name) => [name, JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as (StoredStream & { state: object })[]] as const);

const replayed = ({ streamId, events }: StoredStream): object =>
  events.reduce(
    (stream, { type, schemaVersion, facts, meta }) => evolve(stream, upcast(type, schemaVersion, facts), meta.occurredAt, null),
    emptyStream(streamId),
  ).state;

/** The names in the facts of each type and schema version, nested ones by their path. */
function factNames(streams: readonly StoredStream[]): Map<string, string[]> {
  const names = new Map<string, Set<string>>();
  for (const { type, schemaVersion, facts } of streams.flatMap(({ events }) => events)) {
    const key = `${type} ${schemaVersion}`;
    names.set(key, new Set([...(names.get(key) ?? []), ...pathsOf(facts, '')]));
  }
  return new Map([...names].map(([key, paths]) => [key, [...paths].sort()]));
}

function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, `${path}.${name}`));
}

/** A thread's state named its jobs once; by now it counts them. That of a run held a digest of its id. */
function stateOf({ jobIds, ...state }: { jobIds?: string[] }): object {
  const plain = JSON.parse(JSON.stringify(state, (name, value: unknown) => (name === 'sha256' ? undefined : value))) as object;
  return jobIds ? { ...plain, jobCount: jobIds.length } : plain;
}

describe.each(histories)('the history of %s', (_, streams) => {
  it('replays to the state that it led to', () => {
    for (const stream of streams) expect(replayed(stream)).toMatchObject(stateOf(stream.state));
  });
});

describe('an event of an earlier shape', () => {
  const NOTHING_KNOWN = { tenantId: null, traceId: null, causeVersion: null };
  const NO_CALL = { sentDigest: null, requestIdDigest: null, status: null };

  it('is read as what it meant: no markup, no word on why nothing was tried again, nor on whether a provider agreed', () => {
    expect(upcast('JobRequested', 1, { budgetCapCents: 5 }).facts).toMatchObject({ budgetCapCents: 5, markupBasisPoints: 0 });
    for (const type of ['StepFailed', 'StepAttemptLost'])
      expect(upcast(type, 1, { retry: null }).facts).toMatchObject({ retry: null, retryRefusal: null });
    expect(upcast('StepRunCancelled', 1, { run: 1 }).facts).toEqual({ ...NOTHING_KNOWN, run: 1, outcome: 'unknown' });
  });

  it('says nothing of where it belongs, what led to it, and who did it', () => {
    expect(upcast('JobAdded', 1, { jobId: 'job_1' }).facts).toEqual({ ...NOTHING_KNOWN, jobId: 'job_1' });
    expect(upcast('ThreadCreated', 1, { tenantId: 'acme' }).facts).toEqual({ ...NOTHING_KNOWN, tenantId: 'acme' });
    expect(upcast('StepStarted', 1, { run: 1 }).facts).toEqual({ ...NOTHING_KNOWN, run: 1, process: null });
    expect(upcast('JobRequested', 2, { tenantId: 'acme' }).facts).toEqual({
      ...{ ...NOTHING_KNOWN, tenantId: 'acme' },
      ...{ messageId: null, asked: null, settingsSha256: null, process: null },
    });
    expect(upcast('SynthesisSettled', 1, { attempt: 1 }).facts).toEqual({ ...NOTHING_KNOWN, attempt: 1, calls: [] });
  });

  it('has no keyed digest, and its plain ones are read no more', () => {
    const completed = upcast('StepCompleted', 1, { run: 1, rawSha256: 'ab'.repeat(32), model: 'm-1' }).facts;
    expect(completed).toEqual({ ...NOTHING_KNOWN, run: 1, rawDigest: null, call: NO_CALL });
    const named = upcast('StepExternalIdRecorded', 1, { run: 1, externalIdSha256: 'ab'.repeat(32) }).facts;
    expect(named).toEqual({ ...NOTHING_KNOWN, run: 1, externalIdDigest: null });
  });
});

describe('the histories that are kept', () => {
  it('hold every type of event in every schema version', () => {
    const kept = new Set(histories.flatMap(([, streams]) => [...factNames(streams).keys()]));
    const released = Object.entries(SCHEMA_VERSIONS).flatMap(([type, current]) =>
      Array.from({ length: current }, (_, place) => `${type} ${place + 1}`),
    );
    expect([...kept].sort()).toEqual(released.sort());
  });

  it('have the facts that are written today, or the schema version was raised and an upcaster added', async () => {
    const test = await createTestStore();
    const written = factNames(await writeEveryEvent(test.store));
    await test.close();
    const kept = factNames(histories.flatMap(([, streams]) => streams));
    expect([...written.keys()].sort()).toEqual(
      Object.entries(SCHEMA_VERSIONS)
        .map(([type, current]) => `${type} ${current}`)
        .sort(),
    );
    for (const [key, names] of written) expect([key, kept.get(key)]).toEqual([key, names]);
  });
});

describe('an event that this build does not know', () => {
  it.each([
    ['its type', 'StepDreamt', 1],
    ['its schema version', 'StepStarted', 99],
  ])('is not guessed at, if that is %s', (_, type, schemaVersion) => {
    expect(() => upcast(type, schemaVersion, {})).toThrow(`${type} of schema version ${schemaVersion}, which this build does not know`);
  });
});
