import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_VERSIONS } from '@lib/store/history/upcasters';
import { SAGA_SUBJECTS, WIRE_VERSION } from '@lib/messaging/subjects';
import { writeEveryEvent } from '../support/every-event';
import { createTestStore } from '../support/store';

/** What a release understands of what others may write: during an update it runs beside the release before it and the one after. */
interface Understood {
  release: string;
  wireVersion: number;
  sagaSubjects: string[];
  /** The latest schema version of each type of event. */
  events: Record<string, number>;
}

/** One file for each release. That of a release that is out is never changed. */
const FOLDER = join(__dirname, 'fixtures', 'releases');
const releases = readdirSync(FOLDER)
  .filter((name) => name.startsWith('release-'))
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Understood);
const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };

const inOrder = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

/** What the release before this one could not read; nothing if there is none. */
function notUnderstoodBefore(written: readonly [string, number][], known: readonly Understood[], release: string): string[] {
  const earlier = known.filter((other) => inOrder(other.release, release) < 0);
  const before = earlier.sort((one, other) => inOrder(one.release, other.release)).at(-1);
  if (!before) return [];
  return written.filter(([type, schema]) => (before.events[type] ?? 0) < schema).map(([type, schema]) => `${type} ${schema}`);
}

it('the file of this release says what it understands', () => {
  expect(releases.find(({ release }) => release === version)).toEqual({
    release: version,
    wireVersion: WIRE_VERSION,
    sagaSubjects: Object.values(SAGA_SUBJECTS).sort(),
    events: SCHEMA_VERSIONS,
  });
});

it('a release writes no event that the release before it does not understand', async () => {
  const test = await createTestStore();
  const streams = await writeEveryEvent(test.store);
  await test.close();
  const written = streams.flatMap(({ events }) => events.map(({ type, schemaVersion }): [string, number] => [type, schemaVersion]));
  expect(notUnderstoodBefore(written, releases, version)).toEqual([]);
  // The next release may write what this one understands, and nothing else yet.
  expect(notUnderstoodBefore(written, releases, '99.0.0')).toEqual([]);
  const planted: [string, number][] = [...written, ['StepDreamt', 1], ['StepStarted', 3]];
  expect(notUnderstoodBefore(planted, releases, '99.0.0')).toEqual(['StepDreamt 1', 'StepStarted 3']);
});
