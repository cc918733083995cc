import { microsFromCents } from '@lib/domain/money';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { historyOf, typesOf } from '../support/histories';
import { Load } from '../support/load';
import { isEvent } from '../support/logs';
import { SLOW, SLOW_BACKGROUND, SLOW_COST_CENTS } from '../support/simulated-providers';
import { LEASE_MS, Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

const KILLED = { code: null, signal: 'SIGKILL' };

describe('a worker', () => {
  let supervisor: Supervisor;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
  });
  // With one slot a worker pulls nothing more while it holds an attempt.
  beforeEach(() => supervisor.startMissing({ WORKER_SLOTS: '1' }));
  afterAll(() => supervisor?.close());

  it('that stands still for longer than its lease loses its attempt; its late report is accounted and changes nothing else', async () => {
    const worker = supervisor.the('worker');
    const submitted = supervisor.logs.next(isEvent('StepStarted'));
    const load = new Load(supervisor, { jobs: 1, providers: [SLOW] });
    const { jobId = '' } = await submitted;
    // A heartbeat has been heard, so the call has long been made.
    await eventually(true, () => isLeaseRenewed(jobId));
    const lost = supervisor.logs.next(isEvent('StepAttemptLost', { jobId }));
    worker.send('SIGSTOP');
    await lost;
    await supervisor.start('worker');
    await load.finish();
    const ended = await historyOf(supervisor.pool, jobId);

    const late = supervisor.logs.next(isEvent('StepResultLate', { jobId }));
    worker.send('SIGCONT');
    await late;
    await expectIntact(supervisor, load);
    const history = await historyOf(supervisor.pool, jobId);
    expect(typesOf(ended)).toEqual([
      'JobRequested',
      'StepStarted',
      'StepAttemptLost',
      'StepStarted',
      'StepCompleted',
      'SynthesisStarted',
      'JobCompleted',
    ]);
    expect(typesOf(history)).toEqual([...typesOf(ended), 'StepResultLate']);
    expect(history.at(-1)).toMatchObject({
      facts: { attempt: 1, outcome: 'completed', committedMicros: microsFromCents(SLOW_COST_CENTS), overrunMicros: 0 },
      sealedSha256: null,
    });
    await worker.kill();
  });

  it('that stands still for longer than its lease, and is the only one, makes no second call: the answer to the first one is the step’s', async () => {
    const worker = supervisor.the('worker');
    const callsBefore = supervisor.callsOf(SLOW);
    const load = new Load(supervisor, { jobs: 1, providers: [SLOW] });
    await eventually(callsBefore + 1, async () => supervisor.callsOf(SLOW), 20_000);
    const lost = supervisor.logs.next(isEvent('StepAttemptLost'));
    worker.send('SIGSTOP');
    const { jobId = '' } = await lost;
    worker.send('SIGCONT');
    await expectIntact(supervisor, load);
    const history = await historyOf(supervisor.pool, jobId);
    expect(typesOf(history)).toEqual([
      'JobRequested',
      'StepStarted',
      'StepAttemptLost',
      'StepCompleted',
      'SynthesisStarted',
      'JobCompleted',
    ]);
    expect(history.at(-1)).toMatchObject({ facts: { chargedMicros: microsFromCents(SLOW_COST_CENTS), lostMicros: 0 } });
    expect(supervisor.callsOf(SLOW)).toBe(callsBefore + 1);
  });

  const isLeaseRenewed = async (jobId: string): Promise<boolean> => {
    const { rows } = await supervisor.pool.query<{ renewed: boolean }>(
      `select due_at > (meta ->> 'occurredAt')::timestamptz + ($2::int + 200) * interval '1 millisecond' as renewed
        from agenda join event on stream_id = job_id and type = 'StepStarted' where job_id = $1 and kind = 'lease'`,
      [jobId, LEASE_MS],
    );
    return rows[0]?.renewed ?? false;
  };

  it('that is killed while a background run goes on is followed by one that resumes this very run', async () => {
    const load = new Load(supervisor, { jobs: 1, providers: [SLOW_BACKGROUND] });
    await supervisor.logs.next(isEvent('StepExternalIdRecorded'));
    expect(await supervisor.the('worker').kill()).toEqual(KILLED);
    await supervisor.start('worker');
    await expectIntact(supervisor, load);

    for (const { jobId } of load.accepted) {
      const history = await historyOf(supervisor.pool, jobId);
      expect(history.filter(({ type }) => type === 'StepStarted').map(({ facts }) => facts)).toMatchObject([
        { attempt: 1, run: 1, resumed: false },
        { attempt: 2, run: 1, resumed: true },
      ]);
      const { stepId } = history.find(({ type }) => type === 'StepStarted')?.facts ?? {};
      expect(supervisor.ledger().filter((call) => call.stepId === stepId)).toMatchObject([{ call: 'submit', attempt: 1 }]);
    }
  });
});
