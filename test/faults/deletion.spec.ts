import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { Client } from '../support/client';
import { historyOf, typesOf, type StoredRow } from '../support/histories';
import { Load, type AcceptedJob } from '../support/load';
import { QUICK, SLOW, SLOW_BACKGROUND } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

describe('a thread that is deleted under load while its jobs run', () => {
  let supervisor: Supervisor;
  let client: Client;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    client = new Client(supervisor);
    // Two of each, so that what one process remembers is not what the other one has done.
    for (const _ of [1, 2]) await Promise.all((['api', 'saga'] as const).map((role) => supervisor.start(role)));
    await supervisor.startMissing();
  });
  afterAll(() => supervisor?.close());

  it('is gone everywhere, and no attempt of it is granted any more', async () => {
    const load = new Load(supervisor);
    const doomed = await Promise.all(Array.from({ length: 12 }, () => createJob()));
    // Some of the steps run, some are about to be claimed.
    await eventually(true, async () => supervisor.callsOf(SLOW) >= 3);
    const deletions = await Promise.all(doomed.map(({ threadId }) => client.call('DELETE', `/v1/threads/${threadId}`)));
    expect(deletions.map(({ status }) => status)).toEqual(doomed.map(() => 200));

    for (const job of doomed) expect(await statusesOf(job)).toEqual(Array(8).fill(404));
    const listed = await Promise.all([0, 1].map(() => client.call('GET', '/v1/threads?limit=100')));
    for (const { body } of listed)
      expect((body.threads as { id: string }[]).filter(({ id }) => doomed.some(({ threadId }) => threadId === id))).toEqual([]);
    await expectIntact(supervisor, load);

    const histories = await Promise.all(doomed.map(({ jobId }) => historyOf(supervisor.pool, jobId)));
    expect(histories.some((history) => typesOf(history).includes('StepFailed'))).toBe(true);
    expect(histories.flatMap(startedAfterDeletion)).toEqual([]);
    expect(histories.flat().filter(({ isSealed }) => isSealed)).toEqual([]);
  });

  const createJob = async (): Promise<AcceptedJob> => {
    const question = { message: 'Is this forgotten?', budget: 'S', providers: [QUICK, SLOW, SLOW_BACKGROUND] };
    const { body } = await client.call('POST', '/v1/threads', question);
    return { threadId: String(body.id), jobId: (body.job as { id: string }).id };
  };

  /** Of every route on the thread. */
  const statusesOf = async ({ threadId, jobId }: AcceptedJob): Promise<number[]> => {
    const thread = `/v1/threads/${threadId}`;
    const calls = [
      client.call('GET', thread),
      client.call('DELETE', thread),
      client.call('GET', `${thread}/messages`),
      client.call('POST', `${thread}/messages`, { message: 'Hello?' }),
      client.call('GET', `${thread}/jobs/${jobId}`),
      client.call('GET', `${thread}/jobs/${jobId}/events`),
      client.call('GET', `${thread}/jobs/${jobId}/topics`),
      client.call('POST', `${thread}/jobs/${jobId}/pursue`, { topic: 'What else?' }),
    ];
    return (await Promise.all(calls)).map(({ status }) => status);
  };
});

const startedAfterDeletion = (history: readonly StoredRow[]): StoredRow[] => {
  const erased = history.findIndex(({ type }) => type === 'ContentErased');
  return history.slice(erased).filter(({ type }) => type === 'StepStarted' || erased === -1);
};
