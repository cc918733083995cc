import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_CANCELLATIONS } from '@lib/domain/job/facts';
import { ERROR_CLASSES, PROVENANCES } from '@lib/domain/vocabulary';
import { READERS } from '@lib/messaging/read-requests';
import { SCHEMA_VERSIONS } from '@lib/store/history/upcasters';
import { SAGA_SUBJECTS, WIRE_VERSION } from '@lib/messaging/subjects';
import { newId } from '@lib/store/new-id';
import { writeEveryEvent } from '../support/every-event';
import { createTestStore } from '../support/store';

/** What a release understands of what others may write: during an update it runs beside the release before it and the one after. */
interface Understood {
  release: string;
  wireVersion: number;
  sagaSubjects: string[];
  /** The latest schema version of each type of event. */
  events: Record<string, number>;
  /** The words of a worker that a saga knows. It refuses a message with any other one, so that its step waits for the end of its lease. */
  words: Record<keyof typeof WORDS, string[]>;
}

/** What a worker may say in each of these fields. */
const WORDS = { errorClass: ERROR_CLASSES, provenance: PROVENANCES, outcome: RUN_CANCELLATIONS };

/** One file for each release. That of a release that is out is never changed. */
const FOLDER = join(__dirname, 'fixtures', 'releases');
const releases = readdirSync(FOLDER)
  .filter((name) => name.startsWith('release-'))
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Understood);
const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };

const inOrder = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

/** Null if there is none. */
const releaseBefore = (release: string): Understood | null =>
  releases
    .filter((other) => inOrder(other.release, release) < 0)
    .sort((one, other) => inOrder(one.release, other.release))
    .at(-1) ?? null;

/** What the release before this one could not read; nothing if there is none. */
function notUnderstoodBefore(written: readonly [string, number][], release: string): string[] {
  const before = releaseBefore(release);
  if (!before) return [];
  return written.filter(([type, schema]) => (before.events[type] ?? 0) < schema).map(([type, schema]) => `${type} ${schema}`);
}

it('the file of this release says what it understands', () => {
  expect(releases.find(({ release }) => release === version)).toEqual({
    release: version,
    wireVersion: WIRE_VERSION,
    sagaSubjects: Object.values(SAGA_SUBJECTS).sort(),
    events: SCHEMA_VERSIONS,
    words: WORDS,
  });
});

it('a release writes no event that the release before it does not understand', async () => {
  const test = await createTestStore();
  const streams = await writeEveryEvent(test.store);
  await test.close();
  const written = streams.flatMap(({ events }) => events.map(({ type, schemaVersion }): [string, number] => [type, schemaVersion]));
  expect(notUnderstoodBefore(written, version)).toEqual([]);
  // The next release may write what this one understands, and nothing else yet.
  expect(notUnderstoodBefore(written, '99.0.0')).toEqual([]);
  const planted: [string, number][] = [...written, ['StepDreamt', 1], ['StepStarted', 3]];
  expect(notUnderstoodBefore(planted, '99.0.0')).toEqual(['StepDreamt 1', 'StepStarted 3']);
});

/** Words that the saga of the release before refuses; none if there is none. */
function unknownBefore(said: Readonly<Record<string, readonly string[]>>, release: string): string[] {
  const before = releaseBefore(release);
  if (!before) return [];
  return Object.entries(said).flatMap(([field, words]) =>
    words.filter((word) => !before.words[field as keyof typeof WORDS].includes(word)),
  );
}

it('the workers of a release say no word that the sagas of the release before do not know', () => {
  expect(unknownBefore(WORDS, version)).toEqual([]);
  expect(unknownBefore(WORDS, '99.0.0')).toEqual([]);
  const planted = { ...WORDS, errorClass: [...ERROR_CLASSES, 'dreamt'], outcome: [...RUN_CANCELLATIONS, 'slept'] };
  expect(unknownBefore(planted, '99.0.0')).toEqual(['dreamt', 'slept']);
});

it.each([
  ['errorClass', (word: string) => READERS.report(failed({ errorClass: word }))],
  ['provenance', (word: string) => READERS.report(failed({ charge: { micros: 1, provenance: word } }))],
  ['outcome', (word: string) => READERS.runCancelled({ ...STEP, run: 1, outcome: word })],
] as const)('a saga reads every %s that it knows, and refuses a message with another one', (field, read) => {
  for (const word of WORDS[field]) expect(() => read(word)).not.toThrow();
  expect(() => read('dreamt')).toThrow(`${field} "dreamt" is none of`);
});

const STEP = { jobId: newId('job'), stepId: newId('stp') };
function failed(changes: object): object {
  const result = { outcome: 'failed', errorClass: 'lost', errorMessage: 'Away.', charge: null, retryAfterMs: null, runEnded: false };
  return { ...STEP, attempt: 1, result: { ...result, ...changes } };
}
