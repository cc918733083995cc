import { sendTo } from '../../src/cli/send-to';
import { waitForJob } from '../../src/mcp/job-outcome';
import { answering, says, type HttpAnswer } from '../cli/http-answers';

const JOB_ID = 'job_1';
const job = (status: string): HttpAnswer => says(200, JSON.stringify({ id: JOB_ID, status, steps: [] }), 'application/json');
const limitedFor =
  (seconds: number): HttpAnswer =>
  (response) =>
    response.writeHead(429, { 'retry-after': String(seconds) }).end(JSON.stringify({ code: 'rate_limited', detail: 'Too many requests.' }));
const limited = limitedFor(1);
const stopping = says(503, JSON.stringify({ code: 'unavailable', detail: 'It is stopping.' }), 'application/json');
const ONCE = { tries: 1, triesUnderWay: 1, pauseMs: 1 };

async function waitFor(seconds: number, ...answers: HttpAnswer[]) {
  const { address, asked } = await answering(...answers);
  const { signal } = new AbortController();
  const call = {
    send: sendTo({ address, key: 'key', keySource: 'API_KEY' }, signal, ONCE),
    signal,
    isFollowed: false,
    tellProgress: () => Promise.resolve(),
  };
  return { waited: await waitForJob(JOB_ID, seconds, call).catch((error: Error) => error.name), asked };
}

it('a limit that is reached in the middle of a wait does not end it', async () => {
  expect((await waitFor(10, job('running'), limited, job('completed'))).waited).toMatchObject({ status: 'completed' });
  expect((await waitFor(10, limited, job('completed'))).waited).toMatchObject({ status: 'completed' });
  // The job as it was last seen.
  expect((await waitFor(1, job('running'), limited)).waited).toMatchObject({ status: 'running' });
  // Nobody wants to wait.
  expect((await waitFor(0, limited)).waited).toBe('Refused');
});

it('lets the service wait, and does not ask it again and again', async () => {
  const { asked } = await waitFor(3, job('running'), (response) => setTimeout(() => void job('completed')(response), 2_000));
  expect(asked.map(({ headers }) => headers.prefer)).toEqual([undefined, 'wait=3']);
});

it('does not ask again and again where nobody may wait, or where a refusal names no time', async () => {
  // Half a second between two at least, and longer each time that nothing is new.
  for (const [most, ...answers] of [[5, job('running')] as const, [7, job('running'), limitedFor(0)] as const]) {
    const { waited, asked } = await waitFor(3, ...answers);
    expect(waited).toMatchObject({ status: 'running' });
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.length).toBeLessThanOrEqual(most);
  }
});

it('outlives a service that restarts, once it has seen the job', async () => {
  expect((await waitFor(10, job('running'), stopping, job('completed'))).waited).toMatchObject({ status: 'completed' });
  expect((await waitFor(10, stopping, job('completed'))).waited).toBe('Refused');
});
