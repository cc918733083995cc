import { agendaKey, agendaOf, givesUpAt } from '@lib/domain/job/agenda';
import type { JobCommand, RequestJob } from '@lib/domain/job/commands';
import { decideJob } from '@lib/domain/job/decide';
import { evolveJob, initialJob, type JobState } from '@lib/domain/job/state';
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
  digest,
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
    expect(agenda(...done, claimSynthesis())).toEqual([deadline('synthesis', 86_400_000), ['synthesis lease', '1', 100_000]]);
    expect(agenda(...done, claimSynthesis(), loseSynthesis(1))).toEqual([deadline('synthesis', 86_400_000), ['dispatch synthesis', '', 0]]);
    expect(agenda(...done, claimSynthesis(), completePaid(null))).toEqual([]);
  });

  it('says of each entry all that whoever looks at it needs', () => {
    const nothing = { stepId: null, attempt: null, run: null, provider: null };
    const ofA = { stepId: A, provider: 'provider-a' };
    const one = request({ candidates: [candidate(A, 'provider-a')], synthesisReserveMicros: 10 });
    const entriesOf = (...commands: JobCommand[]) => agendaOf(given(one, ...commands).state, LEASE_MS);
    expect(entriesOf()).toEqual([
      { kind: 'job deadline', ref: 'queue', ...nothing, dueInMs: 86_400_000 },
      { kind: 'dispatch step', ref: `${A}#1`, ...ofA, attempt: null, run: null, dueInMs: 0 },
    ]);
    expect(entriesOf(start(A), externalId(A, 1)).slice(1)).toEqual([
      { kind: 'lease', ref: `${A}#1`, ...ofA, attempt: 1, run: null, dueInMs: LEASE_MS },
      { kind: 'run', ref: `${A}#1`, ...ofA, attempt: null, run: 1, dueInMs: 2 ** 31 - 1 },
    ]);
    expect(entriesOf(start(A), externalId(A, 1), { type: 'CancelJob' })).toEqual([
      { kind: 'cancel run', ref: `${A}#1`, ...ofA, attempt: null, run: 1, dueInMs: 0 },
    ]);
    expect(entriesOf(start(A), report(A, 1, success()), claimSynthesis())[1]).toEqual({
      ...{ kind: 'synthesis lease', ref: '1', ...nothing },
      ...{ attempt: 1, dueInMs: 100_000 },
    });
  });

  it('knows an entry by its kind and what it is of', () => {
    expect(agendaOf(given(request(), start(A)).state, LEASE_MS).map(agendaKey)).toEqual([
      'job deadline/running',
      `lease/${A}#1`,
      `dispatch step/${B}#1`,
    ]);
  });

  it('keeps no run that is over, nor one of a step that has settled', () => {
    const kinds = (...commands: JobCommand[]) => agendaOf(given(request(), ...commands).state, LEASE_MS).map(({ kind }) => kind);
    const begun = [start(A), externalId(A, 1)];
    expect(kinds(...begun)).toContain('run');
    expect(kinds(...begun, report(A, 1, failure({ runEnded: true })))).not.toContain('run');
    expect(kinds(start(A), lose(A, 1))).not.toContain('run');
    const ended = kinds(...begun, report(A, 1, failure({ errorClass: 'auth', charge: null })));
    expect(ended.filter((kind) => kind === 'run' || kind === 'cancel run')).toEqual(['cancel run']);
  });

  it('dispatches the synthesis, which may wait as long as a job for its start, and never shorter than it may last', () => {
    const one = request({ candidates: [candidate(A, 'provider-a')] });
    expect(agenda(one, start(A), report(A, 1, success()))).toEqual([deadline('synthesis', 86_400_000), ['dispatch synthesis', '', 0]]);
    const hasty = request({ candidates: [candidate(A, 'provider-a')], deadlines: { queueMs: 1_000, jobMs: 1_000, synthesisMs: 2_000 } });
    expect(agenda(hasty, start(A), report(A, 1, success()))).toContainEqual(deadline('synthesis', 2_000));
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

describe('a step that waits for a provider that is down', () => {
  const MINUTE_MS = 60_000;
  const BEGUN = '2026-11-21T12:00:00.000Z';
  const after = (minutes: number) => new Date(Date.parse(BEGUN) + minutes * MINUTE_MS).toISOString();
  const candidates = ['stp_1', 'stp_2', 'stp_3'].map((stepId) => candidate(stepId, 'provider-a'));
  const ask = (changes: Partial<RequestJob> = {}) =>
    request({ deadlines: { queueMs: 86_400_000, jobMs: 20 * MINUTE_MS, synthesisMs: 300_000 }, candidates, ...changes });
  /** Each command at that minute of the job. */
  const stateAfter = (...commands: [minute: number, JobCommand][]): JobState =>
    commands.reduce(
      (state, [minute, command]) =>
        decideJob(command, state, after(minute), digest).reduce((next, event) => evolveJob(next, event, after(minute)), state),
      initialJob,
    );
  /** In minutes after the beginning of the job. */
  const patience = (stepId: string, state: JobState) => (Date.parse(givesUpAt(state, stepId)) - Date.parse(BEGUN)) / MINUTE_MS;

  it('has nine tenths of the mode’s time where all go at once', () => {
    const state = stateAfter([0, ask({ researchMode: 'fast' })]);
    expect(candidates.map(({ stepId }) => patience(stepId, state))).toEqual([18, 18, 18]);
  });

  it('has an equal share of what is left of it with the waves that follow, whatever the earlier ones took', () => {
    const methodical = ask({ researchMode: 'methodical' });
    expect(patience('stp_1', stateAfter([0, methodical]))).toBe(6);
    expect(patience('stp_2', stateAfter([0, methodical], [6, { type: 'SkipStep', stepId: 'stp_1', reason: 'circuit_open' }]))).toBe(12);
    const slow = stateAfter([0, methodical], [0, start('stp_1')], [16, report('stp_1', 1, success())]);
    expect(patience('stp_2', slow)).toBe(17);
    const late = stateAfter([0, methodical], [0, start('stp_1')], [19, report('stp_1', 1, success())]);
    expect(patience('stp_2', late)).toBeLessThan(19);
  });

  it('counts from the job’s first start, whichever step asks', () => {
    const state = stateAfter([0, ask({ researchMode: 'fast' })], [5, start('stp_1')]);
    expect([patience('stp_1', state), patience('stp_2', state)]).toEqual([23, 23]);
    expect((Date.parse(givesUpAt(state, null)) - Date.parse(BEGUN)) / MINUTE_MS).toBe(23);
  });

  it('has all that is left of it where the budget left out its own wave, the last one', () => {
    const dear = candidates.map((one, place) => (place === 2 ? { ...one, minReserveMicros: 2_000_000, maxReserveMicros: 2_000_000 } : one));
    const state = stateAfter([0, ask({ researchMode: 'methodical', candidates: dear })]);
    expect([patience('stp_1', state), patience('stp_3', state)]).toEqual([9, 18]);
  });

  it('shares with no wave that the budget left out', () => {
    const dear = candidates.map((one, place) => (place === 1 ? { ...one, minReserveMicros: 2_000_000, maxReserveMicros: 2_000_000 } : one));
    const state = stateAfter([0, ask({ researchMode: 'methodical', candidates: dear })]);
    expect([patience('stp_1', state), patience('stp_3', state)]).toEqual([9, 18]);
  });
});
