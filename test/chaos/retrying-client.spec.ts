import { Unanswered, type Client } from '../support/client';
import { RetryingClient } from './retrying-client';
import { Observations } from './observations';

it('a job that was made by a request whose answer was lost is as old as that request', async () => {
  const observations = new Observations();
  const madeAt: number[] = [];
  const client = {
    call: (method: string, path: string) => {
      madeAt.push(Date.now());
      if (madeAt.length === 1) return Promise.reject(new Unanswered(`${method} ${path}`));
      return Promise.resolve({ status: 201, headers: new Headers(), body: {} });
    },
  } as unknown as Client;
  const retrying = new RetryingClient({ client, observations, signal: new AbortController().signal });
  const { answer } = await retrying.change('POST', '/v1/threads', [201]);
  expect(madeAt).toHaveLength(2);
  expect(answer.sentAt).toBeLessThanOrEqual(madeAt[0] ?? 0);
});
