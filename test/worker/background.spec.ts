import type { ResearchRequest, RunState } from '@lib/providers/research-provider';
import { GuardedProvider } from '../../src/worker/guarded-provider';
import { SubmitLimit } from '../../src/worker/submit-limit';
import { ControlledProvider } from '../support/controlled-provider';
import { candidate, createJob } from '../support/store';
import { startJobRoles, type JobRoles } from '../support/job-roles';

let roles: JobRoles | null = null;
afterEach(async () => {
  await roles?.stop();
  roles = null;
});

async function start(backgroundRuns: number) {
  roles = await startJobRoles({ limits: { concurrency: 1, backgroundRuns } });
  const worker = await roles.startWorker();
  return { ...roles, worker, provider: roles.providers['provider-a'] };
}

const ask = (running: JobRoles) => createJob(running.store, { candidates: [candidate('provider-a')] });

describe('a run that goes on in the background', () => {
  it('leaves its slot to the next step, as often as the worker may follow such runs', async () => {
    const running = await start(1);
    const { provider, commits } = running;
    const jobs = [await ask(running), await ask(running), await ask(running)];
    (await provider.submits.next()).goOn('run-1');
    const first = await provider.polls.next();
    (await provider.submits.next()).goOn('run-2');
    const second = await provider.polls.next();
    expect([provider.paid, first.externalId, second.externalId]).toEqual([2, 'run-1', 'run-2']);
    // The second holds the slot until it ends.
    second.finish();
    const third = await provider.submits.next();
    third.finish();
    first.finish();
    for (const { jobId } of jobs) await commits.until(jobId, 'JobCompleted');
    expect(provider.paid).toBe(3);
  });

  it('takes no such place from the runs of another provider', async () => {
    const running = await start(1);
    const { 'provider-a': full, 'provider-c': other } = running.providers;
    await ask(running);
    (await full.submits.next()).goOn('run-1');
    await full.polls.next();
    const askOther = () => createJob(running.store, { candidates: [candidate('provider-c')] });
    await askOther();
    await askOther();
    (await other.submits.next()).goOn('run-2');
    await other.polls.next();
    // The first run of the other provider left its slot.
    (await other.submits.next()).finish();
    expect([full.paid, other.paid]).toEqual([1, 2]);
  });

  it('is left to another worker when its own stops', async () => {
    const running = await start(1);
    const { provider, worker, commits } = running;
    const { jobId } = await ask(running);
    const submitted = await provider.submits.next();
    await submitted.started('run-1');
    submitted.goOn('run-1');
    const { request } = await provider.polls.next();
    await worker.stop(0);
    expect(request.signal.aborted).toBe(true);
    expect(provider.cancels.unseen).toEqual([]);
    expect(commits.of(jobId)).not.toContain('StepFailed');
  });

  it('is asked about over a bounded number of connections', async () => {
    const provider = new ControlledProvider();
    const guarded = new GuardedProvider(provider, new SubmitLimit(null));
    const leaving = new AbortController();
    const ask = (run: number, signal: AbortSignal): Promise<RunState> => guarded.poll(`run-${run}`, { signal } as ResearchRequest);
    const polls = Array.from({ length: 40 }, (_, run) => ask(run, run === 35 ? leaving.signal : new AbortController().signal));
    const refused = expect(polls[35]).rejects.toThrow('left');
    const asked = [];
    while (provider.polls.unseen.length > 0) asked.push(await provider.polls.next());
    expect(asked).toHaveLength(32);
    leaving.abort(new Error('left'));
    for (const call of asked) call.finish();
    for (let more = 0; more < 7; more += 1) (await provider.polls.next()).finish();
    await refused;
    expect((await Promise.allSettled(polls)).filter(({ status }) => status === 'fulfilled')).toHaveLength(39);
  });
});
