import type { Answer } from '../support/client';
import type { StoredRow } from '../support/histories';
import { Observations, type TimedAnswer } from './observations';

const job = { threadId: 'thr_1', jobId: 'job_1' };
const answered = (status: number, tag: string, body: object = {}): Answer => ({
  status,
  headers: new Headers({ etag: `"${tag}"` }),
  body: body as Answer['body'],
});
const open = (tag: string, extra = {}) => answered(200, tag, { status: 'running', steps: [], ...extra });
const final = (tag: string, extra = {}) => answered(200, tag, { status: 'completed', steps: [], ...extra });
const accepted: TimedAnswer = { sentAt: Date.now(), answeredAt: Date.now(), ...answered(201, '1-1') };
const row = (streamId: string, type: string, facts = {}) => ({ streamId, type, facts }) as unknown as StoredRow;

let observations: Observations;
beforeEach(() => (observations = new Observations()));
const seen = (...answers: Answer[]) => {
  for (const answer of answers) observations.saw(job, answer);
  return observations.violations.map((violation) => violation.slice(violation.indexOf(' ') + 1));
};

it('a job that goes on, with answers that had not changed, is as it should be', () => {
  expect(seen(open('2-1'), answered(304, '2-1'), open('3-1'), final('9-1'), answered(304, '9-1'))).toEqual([]);
  expect([observations.endings.get('job_1'), observations.tags.unchanged]).toEqual(['completed', 2]);
});

it('the same version in other words, as an older build says it, may come and go', () => {
  expect(seen(open('2-1'), open('2-2'), open('2-1'))).toEqual([]);
});

it.each([
  ['a version that comes back', [open('3-1'), open('2-1')], 'job_1 was at 3 and came back with the tag "2-1", status 200'],
  [
    'an old tag that is said to be the newest',
    [open('2-1'), open('3-1'), answered(304, '2-1')],
    /came back with the tag "2-1", status 304$/,
  ],
  ['a tag with two answers', [open('2-1'), open('2-1', { cost: 1 })], 'job_1 has two answers with the tag "2-1"'],
  ['an answer without a version', [open('')], /^job_1 was at 0 and came back/],
  ['a status that goes back', [final('2-1'), open('3-1')], /^job_1 went from an end to running/],
  [
    'a final document that changes',
    [final('2-1'), final('3-1', { cost: 1 })],
    /^job_1 went from an end to completed, or its document changed/,
  ],
])('%s is noticed', (_, answers, violation) => {
  const violations = seen(...answers);
  expect(violations[0]).toMatch(violation);
});

it('an answer that nobody has cannot be the newest', () => {
  expect(() => seen(answered(304, '2-1'))).toThrow('job_1 is said not to have changed since "2-1", which nobody had seen');
});

it('what nobody asked for is found: a thread, a job, a message', () => {
  observations.accepted('thr_1', { id: 'job_1', createdAt: new Date().toISOString() }, accepted);
  observations.added('thr_1');
  const own = { tenantId: 'default' };
  const history = (...rows: StoredRow[]): [string, StoredRow[]] => [rows[0]?.streamId ?? '', rows];
  const message = row('thr_1', 'MessageAdded');
  const thread = history(row('thr_1', 'ThreadCreated', own), message, message);
  const found = (...all: [string, StoredRow[]][]) => observations.unasked(new Map(all), 'default');
  expect(
    found(thread, history(row('job_1', 'JobRequested', own)), history(row('thr_3', 'ThreadCreated', { tenantId: 'another' }))),
  ).toEqual([]);
  expect(found(history(...thread[1], message))).toEqual(['3 messages in thr_1, 2 asked for']);
  expect(found(history(row('thr_2', 'ThreadCreated', own)), history(row('job_2', 'JobRequested', own)))).toEqual([
    'thr_2, of which nobody was told',
    'job_2, of which nobody was told',
  ]);
});
