import { JobContents } from '@lib/store/sealing/job-contents';

const TOPICS = [
  { topic: 10, text: 'The gauge', rationale: 'Mentioned.' },
  { topic: 11, text: 'The lamp', rationale: 'Mentioned, too.' },
];
const SYNTHESIS = { markdown: '# Report', claims: [], followOnTopics: ['More'] };
const EVENTS = new Map<number, object>([
  [1, { query: 'How?' }],
  [2, { reportMarkdown: 'So.', citations: [] }],
  [3, { errorMessage: 'It broke.' }],
  [4, { topics: TOPICS }],
  [5, { externalId: 'run-1' }],
  [6, SYNTHESIS],
  [7, { markdown: '# Old report', claims: [] }],
]);

const whole = () => new JobContents(async (version) => EVENTS.get(version) ?? null);
/** As it is once the thread has been deleted. */
const erased = () => new JobContents(async () => null);
/** Where there is nothing to read, nothing is read. */
const unread = () => new JobContents(() => Promise.reject(new Error('it was read')));

const topicOf = (topic: number) => ({ topic: { topic, parent: null, version: 4 } });

it('reads each piece from the event that holds it', async () => {
  const contents = whole();
  expect(await contents.question()).toBe('How?');
  expect(await contents.report({ status: 'completed', contentVersion: 2 })).toEqual({ reportMarkdown: 'So.', citations: [] });
  expect(await contents.errorMessage({ status: 'failed', contentVersion: 3 })).toBe('It broke.');
  expect(await contents.topics(4)).toEqual(TOPICS);
  expect(await Promise.all([10, 11].map((topic) => contents.topic(topicOf(topic))))).toEqual(TOPICS);
  expect(await contents.externalId({ external: { version: 5 } })).toBe('run-1');
  expect(await contents.synthesis({ synthesisVersion: 6 })).toEqual(SYNTHESIS);
});

it('has no follow-on topics in what earlier builds recorded', async () => {
  expect(await whole().synthesis({ synthesisVersion: 7 })).toEqual({ markdown: '# Old report', claims: [], followOnTopics: [] });
});

it('is null, or empty, piece by piece, once it was erased', async () => {
  const contents = erased();
  expect(await contents.question()).toBeNull();
  expect(await contents.report({ status: 'completed', contentVersion: 2 })).toBeNull();
  expect(await contents.errorMessage({ status: 'failed', contentVersion: 3 })).toBeNull();
  expect(await contents.topics(4)).toEqual([]);
  expect(await contents.topic(topicOf(10))).toBeNull();
  expect(await contents.externalId({ external: { version: 5 } })).toBeNull();
  expect(await contents.synthesis({ synthesisVersion: 6 })).toBeNull();
});

it('has no report of a step that did not complete, no message of one that did not fail, and no topic of one without', async () => {
  const contents = unread();
  for (const status of ['queued', 'running', 'failed', 'skipped'] as const)
    expect(await contents.report({ status, contentVersion: 2 })).toBeNull();
  for (const status of ['queued', 'running', 'completed', 'skipped'] as const)
    expect(await contents.errorMessage({ status, contentVersion: 3 })).toBeNull();
  expect(await contents.report({ status: 'completed', contentVersion: null })).toBeNull();
  expect(await contents.topic({ topic: null })).toBeNull();
  expect(await contents.externalId({ external: null })).toBeNull();
  expect(await contents.synthesis({ synthesisVersion: null })).toBeNull();
});
