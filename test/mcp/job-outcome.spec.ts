import { sendTo } from '../../src/cli/send-to';
import { waitForJob } from '../../src/mcp/job-outcome';
import { answering, says, type HttpAnswer } from '../cli/http-answers';

const JOB_ID = 'job_1';
const job = (status: string): HttpAnswer => says(200, JSON.stringify({ id: JOB_ID, status, steps: [] }), 'application/json');
const limited: HttpAnswer = (response) =>
  response.writeHead(429, { 'retry-after': '1' }).end(JSON.stringify({ code: 'rate_limited', detail: 'Too many requests.' }));

async function waitFor(seconds: number, ...answers: HttpAnswer[]) {
  const { address, asked } = await answering(...answers);
  const { signal } = new AbortController();
  const call = { send: sendTo(address, 'key', signal), signal, isFollowed: false, tellProgress: () => Promise.resolve() };
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
