import { agendaOf } from '@lib/domain/job/agenda';
import type { JobCommand } from '@lib/domain/job/commands';
import {
  A,
  B,
  candidate,
  claimSynthesis,
  complete,
  completePaid,
  externalId,
  failure,
  given,
  lose,
  loseSynthesis,
  report,
  request,
  start,
  success,
} from '../support/job-history';

const LEASE_MS = 30_000;

/** What is due for a job with this history: kind, ref and milliseconds. */
const agenda = (...commands: JobCommand[]) =>
  agendaOf(given(...commands).state, LEASE_MS).map(({ kind, ref, dueInMs }) => [kind, ref, dueInMs]);

const deadline = (phase: string, dueInMs: number) => ['job deadline', phase, dueInMs];
const dispatch = (stepId: string, attempt: number) => ['dispatch step', `${stepId}#${attempt}`, 0];
const lease = (stepId: string, attempt: number) => ['lease', `${stepId}#${attempt}`, LEASE_MS];

describe('the agenda of a job', () => {
  it('is empty before it exists and once it is final', () => {
    expect(agenda()).toEqual([]);
    const done = [request(), start(A), report(A, 1, success()), start(B), report(B, 1, success()), complete];
    expect(agenda(...done)).toEqual([]);
    expect(agenda(request(), { type: 'CancelJob' })).toEqual([]);
    expect(agenda(request(), start(A), { type: 'EraseContent' })).toEqual([]);
  });

  it('dispatches what waits, and gives the whole job the time that it may wait', () => {
    expect(agenda(request())).toEqual([deadline('queue', 86_400_000), dispatch(A, 1), dispatch(B, 1)]);
  });

  it('holds a lease for what runs, and the job’s deadline from its first start', () => {
    expect(agenda(request(), start(A))).toEqual([deadline('running', 10_000_000), lease(A, 1), dispatch(B, 1)]);
    const [, held] = agendaOf(given(request(), start(A)).state, LEASE_MS);
    expect(held).toMatchObject({ kind: 'lease', stepId: A, attempt: 1, provider: 'provider-a' });
  });

  it('opens a wave when the one before has settled', () => {
    const methodical = request({ researchMode: 'methodical' });
    expect(agenda(methodical)).toEqual([deadline('queue', 86_400_000), dispatch(A, 1)]);
    expect(agenda(methodical, start(A), report(A, 1, success()))).toEqual([deadline('running', 10_000_000), dispatch(B, 1)]);
    expect(agenda(methodical, start(A), report(A, 1, failure({ errorClass: 'auth' })))).toEqual([
      deadline('running', 10_000_000),
      dispatch(B, 1),
    ]);
  });

  it('waits with a retry as long as it was told, and not at all for a lost attempt', () => {
    const one = request({ candidates: [candidate(A, 'provider-a', 1, 100_000)] });
    expect(agenda(one, start(A), report(A, 1, failure({ retryAfterMs: 7000 })))).toEqual([
      deadline('running', 10_000_000),
      ['retry', `${A}#2`, 7000],
    ]);
    expect(agenda(one, start(A), lose(A, 1))).toEqual([deadline('running', 10_000_000), dispatch(A, 2)]);
    expect(agenda(one, start(A), externalId(A, 1), lose(A, 1), start(A, 'c2'))).toEqual([
      deadline('running', 10_000_000),
      lease(A, 2),
      ['run', `${A}#1`, 2 ** 31 - 1],
    ]);
  });

  it('says of a step that is dispatched which run it resumes, if any', () => {
    const one = request({ candidates: [candidate(A, 'provider-a')] });
    const runs = (...commands: JobCommand[]) => agendaOf(given(one, ...commands).state, LEASE_MS).map(({ kind, run }) => [kind, run]);
    const redirected = agendaOf(given(one, start(A), lose(A, 1), externalId(A, 1)).state, LEASE_MS);
    expect(redirected).toContainEqual(expect.objectContaining({ kind: 'dispatch step', ref: `${A}#2/1`, run: 1, dueInMs: 0 }));
    const lost = [start(A), externalId(A, 1), lose(A, 1)];
    expect(runs()).toContainEqual(['dispatch step', null]);
    expect(runs(...lost)).toContainEqual(['dispatch step', 1]);
    expect(runs(start(A), externalId(A, 1), report(A, 1, failure({ charge: null })))).toContainEqual(['retry', 1]);
    expect(runs(start(A), report(A, 1, failure()))).toContainEqual(['retry', null]);
  });

  it('gives a claimed synthesis a lease in place of its dispatch, of a third of the time that there is for it', () => {
    const one = request({ candidates: [candidate(A, 'provider-a')], synthesisReserveMicros: 10 });
    const done = [one, start(A), report(A, 1, success())] as const;
    expect(agenda(...done, claimSynthesis())).toEqual([deadline('synthesis', 300_000), ['synthesis lease', '1', 100_000]]);
    expect(agenda(...done, claimSynthesis(), loseSynthesis(1))).toEqual([deadline('synthesis', 300_000), ['dispatch synthesis', '', 0]]);
    expect(agenda(...done, claimSynthesis(), completePaid(null))).toEqual([]);
  });

  it('dispatches the synthesis and gives it a deadline of its own', () => {
    const one = request({ candidates: [candidate(A, 'provider-a')] });
    expect(agenda(one, start(A), report(A, 1, success()))).toEqual([deadline('synthesis', 300_000), ['dispatch synthesis', '', 0]]);
  });

  it('says nothing of a step that was skipped', () => {
    const candidates = [candidate(A, 'provider-a'), candidate(B, 'provider-b', 2_000_000, 2_000_000)];
    expect(agenda(request({ candidates }))).toEqual([deadline('queue', 86_400_000), dispatch(A, 1)]);
  });

  it('is a function of the state: what comes twice or too late changes none of it', () => {
    const once = [request(), start(A, 'c1'), report(A, 1, success())];
    expect(agenda(...once, start(A, 'c2'), lose(A, 1), report(A, 1, success()))).toEqual(agenda(...once));
  });
});
