import { agendaOf } from '@lib/domain/job/agenda';
import type { RecordedReport } from '@lib/domain/job/recorded-report';
import { settle } from '@lib/domain/job/decide';
import { grantOf } from '@lib/domain/job/grant';
import { MAX_SUBMITS } from '@lib/domain/job/retries';
import type { JobCommand } from '@lib/domain/job/commands';
import type { StepFailed } from '@lib/domain/job/events';
import { availableMicros, committedMicros, reservedMicros } from '@lib/domain/job/reservations';
import { initialJob, type JobState } from '@lib/domain/job/state';
import type { StepState } from '@lib/domain/job/step';
import type { StepStatus } from '@lib/domain/vocabulary';
import { AT } from '../support/decider';
import {
  A,
  B,
  candidate,
  complete,
  completeWith,
  externalId,
  failure,
  given,
  lose,
  report,
  request,
  start,
  success,
} from '../support/job-history';

describe('requesting a job', () => {
  it('reserves for each provider in order and keeps the plan', () => {
    const [event] = given().when(request()).events();
    expect(event).toMatchObject({
      type: 'JobRequested',
      facts: {
        spideringEnabled: false,
        plan: [
          { stepId: A, provider: 'provider-a', reservedMicros: 400_000, priceDate: '2026-11-21', wave: 0 },
          { stepId: B, provider: 'provider-b', reservedMicros: 400_000, wave: 0 },
        ],
      },
      content: { query: 'Why?' },
    });
  });

  it('gives the last provider what is left and skips one whose minimum no longer fits', () => {
    const candidates = [
      candidate(A, 'provider-a', 500_000, 700_000),
      candidate(B, 'provider-b', 100_000, 700_000),
      candidate('stp_c', 'provider-c', 100_000, 200_000),
    ];
    const events = given().when(request({ candidates })).events();
    expect(events[0]).toMatchObject({ facts: { plan: [{ reservedMicros: 700_000 }, { reservedMicros: 300_000 }, { reservedMicros: 0 }] } });
    expect(events[1]).toEqual({ type: 'StepSkipped', facts: { stepId: 'stp_c', reason: 'budget' } });
  });

  it('takes the synthesis reserve first', () => {
    const candidates = [candidate(A, 'provider-a', 0, 2_000_000)];
    expect(given(request({ candidates, synthesisReserveMicros: 100_000 })).state.steps[0]?.runs[0]?.reservedMicros).toBe(900_000);
  });

  it('is refused when nothing fits, and does nothing the second time', () => {
    const refused = given().when(request({ candidates: [candidate(A, 'provider-a', 2_000_000, 2_000_000)] }));
    refused.thenThrows('budget_too_small');
    expect(refused.events).toThrow('The budget of 100 cents covers none of the providers: ask for one of 200 cents or more.');
    given(request()).when(request()).thenNothing();
  });

  it('lets the steps of a methodical job follow one another', () => {
    const methodical = given(request({ researchMode: 'methodical' }));
    methodical.when(start(B)).thenNothing();
    methodical.when(start(A)).thenTypes('StepStarted');
    given(request({ researchMode: 'methodical' }), start(A), report(A, 1, success()))
      .when(start(B))
      .thenTypes('StepStarted');
  });
});

describe('claiming a step', () => {
  it('opens an attempt with the reservation of its run, and the job runs', () => {
    given(request())
      .when(start(A, 'c1'))
      .then({
        type: 'StepStarted',
        facts: { stepId: A, attempt: 1, run: 1, claimId: 'c1', resumed: false, reservedMicros: 400_000, process: null },
      });
    expect(given(request(), start(A)).state).toMatchObject({ status: 'running', startedAt: expect.any(String) as string });
  });

  it('grants the same claim the same attempt again and again', () => {
    const { state, when } = given(request(), start(A, 'c1'));
    when(start(A, 'c1')).thenNothing();
    expect(grantOf(state, A, 'c1')).toMatchObject({ granted: true, attempt: { attempt: 1 } });
  });

  it('refuses another claim while an attempt is open', () => {
    const { state, when } = given(request(), start(A, 'c1'));
    when(start(A, 'c2')).thenNothing();
    expect(grantOf(state, A, 'c2')).toEqual({ granted: false, reason: 'claimed_by_another' });
  });

  it('never lets a used claim open another attempt', () => {
    const { state, when } = given(request(), start(A, 'c1'), lose(A, 1));
    when(start(A, 'c1')).thenNothing();
    expect(grantOf(state, A, 'c1')).toEqual({ granted: false, reason: 'claim_used' });
  });

  it('grants nothing after the job was cancelled, erased or finished', () => {
    for (const end of [{ type: 'CancelJob' }, { type: 'EraseContent' }] as const) {
      const { state, when } = given(request(), end);
      when(start(A)).thenNothing();
      expect(grantOf(state, A, 'claim of stp_a')).toEqual({ granted: false, reason: 'job_final' });
    }
  });

  it('is refused for a step or job that does not exist', () => {
    given().when(start(A)).thenThrows('job_not_found');
    given(request()).when(start('stp_other')).thenThrows('step_not_found');
    given(request())
      .when(report(A, 1, success()))
      .thenThrows('attempt_not_found');
  });
});

describe('reporting a step', () => {
  it('settles the run against its own reservation and frees the rest', () => {
    const { state } = given(request(), start(A), report(A, 1, success(250_000)));
    expect(state.steps[0]).toMatchObject({ status: 'completed', contentVersion: state.version });
    expect([committedMicros(state), reservedMicros(state), availableMicros(state)]).toEqual([250_000, 400_000, 350_000]);
  });

  it('charges the customer at most what was reserved and records the overrun', () => {
    given(request(), start(A))
      .when(report(A, 1, success(900_000)))
      .then(
        expect.objectContaining({
          type: 'StepCompleted',
          facts: expect.objectContaining({ committedMicros: 400_000, overrunMicros: 500_000 }) as object,
        }),
      );
  });

  it('changes nothing when it comes twice', () => {
    given(request(), start(A), report(A, 1, success()))
      .when(report(A, 1, success()))
      .thenNothing();
    given(request(), start(A), report(A, 1, failure({ errorClass: 'auth' })))
      .when(report(A, 1, success()))
      .thenNothing();
  });

  it('starts the synthesis with the last step if any completed, and fails the job if none did', () => {
    const one = [request(), start(A), start(B), report(A, 1, success())];
    given(...one)
      .when(report(B, 1, failure({ errorClass: 'auth' })))
      .thenTypes('StepFailed', 'SynthesisStarted');
    given(request(), start(A), start(B), report(A, 1, failure({ errorClass: 'auth' })))
      .when(report(B, 1, failure({ errorClass: 'auth' })))
      .thenTypes('StepFailed', 'JobFailed');
  });

  it('completes the job once, with the charged total frozen', () => {
    const done = given(request(), start(A), start(B), report(A, 1, success(100_000)), report(B, 1, success(5_001)), complete);
    expect(done.state).toMatchObject({ status: 'completed', totals: { chargedMicros: 105_001, lostMicros: 0, overrunMicros: 0 } });
    done.when(complete).thenNothing();
    done.when({ type: 'FailSynthesis' }).thenNothing();
    done.when({ type: 'CancelJob' }).thenNothing();
  });
});

describe('retrying a step', () => {
  it('reserves in the event that schedules the retry, and waits as long as the provider asks', () => {
    given(request(), start(A))
      .when(report(A, 1, failure({ retryAfterMs: 7_000, charge: null })))
      .then(
        expect.objectContaining({
          type: 'StepFailed',
          facts: expect.objectContaining({ retry: { run: 2, resumes: false, reservedMicros: 200_000, delayMs: 7_000 } }) as object,
        }),
      );
  });

  it('ends the step when another reservation does not fit', () => {
    const candidates = [candidate(A, 'provider-a', 600_000, 600_000)];
    given(request({ candidates }), start(A))
      .when(report(A, 1, failure({ charge: null })))
      .thenTypes('StepFailed', 'JobFailed');
  });

  it('does not retry what can never work', () => {
    for (const errorClass of ['auth', 'quota', 'model_gone', 'invalid_request', 'content_filtered', 'circuit_open'] as const) {
      const [event] = given(request(), start(A))
        .when(report(A, 1, failure({ errorClass })))
        .events();
      expect(event).toMatchObject({ type: 'StepFailed', facts: { failure: errorClass, retry: null } });
    }
  });

  it('submits at most three times', () => {
    const candidates = [candidate(A, 'provider-a')];
    const tries = [1, 2, 3].flatMap((attempt) => [start(A, `c${attempt}`), report(A, attempt, failure())]);
    const { state } = given(request({ candidates }), ...tries);
    expect(state.status).toBe('failed');
    expect(state.steps[0]?.attempts).toHaveLength(MAX_SUBMITS);
  });

  it('pays for an answer that cannot be read once more at most, whatever the first try came to', () => {
    const malformed = failure({ errorClass: 'malformed' });
    const again = { type: 'StepFailed', facts: { failure: 'malformed', retry: { run: 2, resumes: false } } };
    const ended = { type: 'StepFailed', facts: { failure: 'malformed', retry: null } };
    const once = [request(), start(A, 'c1')];
    expect(
      given(...once)
        .when(report(A, 1, malformed))
        .events()[0],
    ).toMatchObject(again);
    for (const first of [malformed, failure()]) {
      const [event] = given(...once, report(A, 1, first), start(A, 'c2'))
        .when(report(A, 2, malformed))
        .events();
      expect(event).toMatchObject(ended);
    }
  });

  it('goes on with a run of which only an interim answer could not be read: that costs nothing', () => {
    const tries = [1, 2, 3].flatMap((attempt) => [
      start(A, `c${attempt}`),
      externalId(A, attempt),
      report(A, attempt, failure({ errorClass: 'malformed', charge: null })),
    ]);
    expect(given(request(), ...tries).state.steps[0]?.retry).toMatchObject({ run: 1, resumes: true, reservedMicros: 0 });
  });

  it('does not schedule a try that its deadline would forestall', () => {
    const deadlines = { queueMs: 1000, jobMs: 5_000, synthesisMs: 10 };
    const [event] = given(request({ deadlines }), start(A))
      .when(report(A, 1, failure({ retryAfterMs: 5_000 })))
      .events();
    expect(event).toMatchObject({ type: 'StepFailed', facts: { retry: null } });
  });

  it('does not count an attempt that never called the provider', () => {
    const candidates = [candidate(A, 'provider-a', 100_000, 400_000)];
    const notCalled = failure({ errorClass: 'not_called' });
    const returned = (count: number) =>
      Array.from({ length: count }, (_, place) => [start(A, `c${place}`), report(A, place + 1, notCalled)]).flat();
    const { state } = given(request({ candidates }), ...returned(12));
    expect(state.status).toBe('running');
    expect([committedMicros(state), reservedMicros(state)]).toEqual([0, 400_000]);
    // It still has its three submits.
    const tries = [13, 14, 15].flatMap((attempt) => [start(A, `d${attempt}`), report(A, attempt, failure())]);
    expect(given(request({ candidates }), ...returned(12), ...tries.slice(0, -1)).state.status).toBe('running');
    expect(given(request({ candidates }), ...returned(12), ...tries).state.status).toBe('failed');
  });

  it('gives up a step whose attempts keep coming to nothing', () => {
    const candidates = [candidate(A, 'provider-a')];
    const tries = (count: number) =>
      Array.from({ length: count }, (_, place) => [start(A, `c${place}`), externalId(A, place + 1), lose(A, place + 1)]).flat();
    expect(given(request({ candidates }), ...tries(9)).state.status).toBe('running');
    expect(given(request({ candidates }), ...tries(10)).state.status).toBe('failed');
  });
});

describe('losing an attempt', () => {
  it('keeps its reservation and reserves again for the retry', () => {
    const { state } = given(request(), start(A), lose(A, 1));
    expect(state.steps[0]).toMatchObject({ status: 'queued', retry: { run: 2, resumes: false, reservedMicros: 200_000, delayMs: 0 } });
    expect(reservedMicros(state)).toBe(1_000_000);
  });

  it('does nothing to an attempt that reported, or was lost before', () => {
    given(request(), start(A), report(A, 1, success()))
      .when(lose(A, 1))
      .thenNothing();
    given(request(), start(A, 'c1'), lose(A, 1), start(A, 'c2')).when(lose(A, 1)).thenNothing();
  });

  it('resumes a recorded run with that run’s own reservation', () => {
    const resumed = given(request(), start(A, 'c1'), externalId(A, 1), lose(A, 1));
    expect(resumed.state.steps[0]?.retry).toEqual({ run: 1, resumes: true, reservedMicros: 0, delayMs: 0 });
    resumed.when(start(A, 'c2')).then({
      type: 'StepStarted',
      facts: { stepId: A, attempt: 2, run: 1, claimId: 'c2', resumed: true, reservedMicros: 400_000, process: null },
    });
  });

  it('never resumes a run that the provider reported as ended', () => {
    const [event] = given(request(), start(A), externalId(A, 1))
      .when(report(A, 1, failure({ runEnded: true })))
      .events();
    expect(event).toMatchObject({ facts: { retry: { run: 2, resumes: false } } });
  });

  it('takes the end of the run from the attempt that was lost while its retry still waits', () => {
    const events = given(request(), start(A), externalId(A, 1), lose(A, 1))
      .when(report(A, 1, failure({ runEnded: true })))
      .events();
    expect(events).toMatchObject([{ type: 'StepFailed', facts: { retry: { run: 2, resumes: false } } }]);
  });
});

describe('a late result', () => {
  const lostOnce = [request(), start(A, 'c1'), lose(A, 1), start(A, 'c2')];

  it('of a lost attempt still completes a step that is open', () => {
    given(...lostOnce)
      .when(report(A, 1, success(10)))
      .thenTypes('StepCompleted');
  });

  it('counts its cost and drops its content once the step has settled', () => {
    const [event, ...more] = given(...lostOnce, report(A, 2, success(10)))
      .when(report(A, 1, success(250_000)))
      .events();
    expect(event).toMatchObject({ type: 'StepResultLate', facts: { attempt: 1, committedMicros: 250_000, overrunMicros: 0 } });
    expect(event).not.toHaveProperty('content');
    expect(more).toEqual([]);
  });

  it('that failed, of a lost attempt whose step another one tries, ends neither of them', () => {
    given(...lostOnce)
      .when(report(A, 1, failure({ charge: { micros: 10, provenance: 'reported' } })))
      .thenTypes('StepResultLate');
  });

  it.each([
    [true, []],
    [false, [A]],
  ])('whose run has ended (%s) leaves runs to stop of %j', (runEnded, steps) => {
    const { state } = given(
      request(),
      start(A),
      externalId(A, 1),
      { type: 'CancelJob' },
      report(A, 1, failure({ charge: null, runEnded })),
    );
    expect(agendaOf(state, 1).map(({ kind, stepId }) => [kind, stepId])).toEqual(steps.map((stepId) => ['cancel run', stepId]));
  });

  it('settles a run once, however many attempts followed it', () => {
    const { state } = given(
      request(),
      start(A, 'c1'),
      externalId(A, 1),
      lose(A, 1),
      start(A, 'c2'),
      report(A, 2, success(100_000)),
      report(A, 1, success(100_000)),
    );
    expect(committedMicros(state)).toBe(100_000);
  });

  it('changes neither the status nor the frozen total of a final job', () => {
    const { state } = given(request(), start(A), start(B), { type: 'CancelJob' }, report(A, 1, success(100_000)));
    expect(state).toMatchObject({ status: 'cancelled', totals: { chargedMicros: 0, lostMicros: 800_000 } });
    expect(committedMicros(state)).toBe(100_000);
  });
});

describe('deadlines', () => {
  it('fail a job of which nothing started', () => {
    given(request())
      .when({ type: 'ReachDeadline', phase: 'queue' })
      .thenTypes('DeadlineReached', 'StepSkipped', 'StepSkipped', 'JobFailed');
    given(request(), start(A)).when({ type: 'ReachDeadline', phase: 'queue' }).thenNothing();
  });

  it('start nothing more and synthesize what exists', () => {
    given(request(), start(A), report(A, 1, success()), start(B))
      .when({ type: 'ReachDeadline', phase: 'running' })
      .thenTypes('DeadlineReached', 'StepFailed', 'SynthesisStarted');
    given(request(), start(A))
      .when({ type: 'ReachDeadline', phase: 'running' })
      .thenTypes('DeadlineReached', 'StepFailed', 'StepSkipped', 'JobFailed');
  });

  it('end a synthesis that does not come', () => {
    const synthesizing = given(request(), start(A), start(B), report(A, 1, success()), report(B, 1, success()));
    synthesizing.when({ type: 'ReachDeadline', phase: 'synthesis' }).thenTypes('DeadlineReached', 'JobFailed');
    synthesizing.when({ type: 'ReachDeadline', phase: 'running' }).thenNothing();
    const failed = { type: 'JobFailed', facts: { reason: 'synthesis_failed', chargedMicros: 0, lostMicros: 0, overrunMicros: 0 } };
    synthesizing.when({ type: 'FailSynthesis' }).then(failed);
    synthesizing
      .when({ type: 'ReachDeadline', phase: 'synthesis' })
      .then({ type: 'DeadlineReached', facts: { phase: 'synthesis' } }, failed);
  });
});

describe('a completed job', () => {
  it('holds its report as content, and of it only sizes and who wrote it as facts', () => {
    const topics = [
      { topic: 1, parent: null, text: 'Lamps', rationale: 'Mentioned.', stepIds: [] },
    ] as unknown as RecordedReport['followOnTopics'];
    const content = { markdown: '# Bridges', claims: [], followOnTopics: topics };
    const synthesis = completeWith(content);
    const before = [request(), start(A), start(B), report(A, 1, success()), report(B, 1, success())];
    given(...before)
      .when(synthesis)
      .then({
        type: 'JobCompleted',
        facts: {
          ...{ synthesizer: 'test-1', markdownLength: 9, claimCount: 0, followOnTopicCount: 1 },
          ...{ chargedMicros: 0, lostMicros: 0, overrunMicros: 0, process: null },
        },
        contentJson: JSON.stringify(content),
      });
    const { state } = given(...before, synthesis);
    expect(state).toMatchObject({ status: 'completed', synthesizer: 'test-1', synthesisVersion: state.version, completedAt: AT });
  });
});

describe('a step that fails for the tenth time', () => {
  it('gets no other try, although each only went on with the same run', () => {
    const lives = Array.from({ length: 10 }, (_, place) => [start(A, `life ${place}`), ...(place === 0 ? [externalId(A, 1)] : [])]);
    const nine = lives.slice(0, 9).flatMap((life, place) => [...life, lose(A, place + 1)]);
    expect(given(request(), ...nine).state.steps[0]).toMatchObject({ status: 'queued', retry: { run: 1, resumes: true } });
    const tenth = given(request(), ...nine, ...(lives[9] ?? []), lose(A, 10)).state;
    expect(tenth.steps[0]).toMatchObject({ status: 'failed', retry: null, retryRefusal: { reason: 'attempts' } });
    expect(tenth.steps[0]?.attempts).toHaveLength(10);
  });
});

describe('a worker that did not call', () => {
  const free = { micros: 0, provenance: 'reported' as const };
  const notCalled = failure({ errorClass: 'not_called', charge: free });

  it('frees the reservation of its own run, and not that of one which an earlier attempt submitted', () => {
    const own = given(request(), start(A), report(A, 1, notCalled)).state;
    expect(own.steps[0]?.runs[0]).toMatchObject({ held: false, submitted: false });
    const resumed = given(request(), start(A), externalId(A, 1), lose(A, 1), start(A, 'again'), report(A, 2, notCalled)).state;
    expect(resumed.steps[0]?.runs[0]).toMatchObject({ held: true, submitted: true, settled: false });
  });

  it('is the only one whose charge is not believed', () => {
    const { state } = given(request(), start(A), externalId(A, 1), report(A, 1, failure({ charge: free })));
    expect(state.steps[0]?.runs[0]).toMatchObject({ held: false, settled: true });
  });
});

describe('cancelling and erasing', () => {
  it('end every step before the final event', () => {
    given(request(), start(A)).when({ type: 'CancelJob' }).thenTypes('StepFailed', 'StepSkipped', 'JobCancelled');
  });

  it('say who ended the job, and skip a step that only waits for its next try', () => {
    const waiting = given(request(), start(A), report(A, 1, failure()));
    const skipped = (stepId: string) => ({ type: 'StepSkipped', facts: { stepId, reason: 'cancelled' } });
    const totals = { chargedMicros: 0, lostMicros: 0, overrunMicros: 0 };
    waiting.when({ type: 'CancelJob' }).then(skipped(A), skipped(B), { type: 'JobCancelled', facts: { reason: 'requested', ...totals } });
    waiting
      .when({ type: 'EraseContent' })
      .then(
        skipped(A),
        skipped(B),
        { type: 'JobCancelled', facts: { reason: 'thread_deleted', ...totals } },
        { type: 'ContentErased', facts: { reason: 'thread_deleted' } },
      );
  });

  it('leave no event with content after the erasure', () => {
    const erased = given(request(), start(A), { type: 'EraseContent' });
    expect(erased.state).toMatchObject({ status: 'cancelled', erased: true });
    const [late] = erased.when(report(A, 1, success(5))).events();
    expect(late).not.toHaveProperty('content');
    erased.when(externalId(A, 1)).thenNothing();
    erased.when({ type: 'EraseContent' }).thenNothing();
  });

  it('erase a finished job too', () => {
    given(request(), start(A), start(B), report(A, 1, success()), report(B, 1, success()), complete)
      .when({ type: 'EraseContent' })
      .then({ type: 'ContentErased', facts: { reason: 'thread_deleted' } });
  });
});

describe('the completion rule', () => {
  const [step] = given(request()).state.steps as [StepState, ...StepState[]];
  const jobWith = (...statuses: StepStatus[]) => ({
    ...initialJob,
    version: 5,
    status: 'running' as const,
    steps: statuses.map((status) => ({ ...step, status })),
  });

  it.each<[string, StepStatus[], string[]]>([
    ['waits for a queued step', ['completed', 'queued'], []],
    ['waits for a running step', ['completed', 'running'], []],
    ['synthesizes when all completed', ['completed', 'completed'], ['SynthesisStarted']],
    ['synthesizes with one of several', ['failed', 'completed', 'skipped'], ['SynthesisStarted']],
    ['fails when all failed', ['failed', 'failed'], ['JobFailed']],
    ['fails when none was tried', ['skipped', 'failed'], ['JobFailed']],
  ])('%s', (_, statuses, types) => {
    expect(settle(jobWith(...statuses)).map(({ type }) => type)).toEqual(types);
  });

  it('counts what completed, and says why nothing follows', () => {
    expect(settle(jobWith('failed', 'completed', 'completed'))).toEqual([{ type: 'SynthesisStarted', facts: { completedSteps: 2 } }]);
    expect(settle(jobWith('failed'))).toMatchObject([{ type: 'JobFailed', facts: { reason: 'no_step_completed' } }]);
  });

  it('looks for topics after one report of several, and after none not at all', () => {
    const spidering = (...statuses: StepStatus[]) => settle({ ...jobWith(...statuses), spideringEnabled: true });
    expect(spidering('failed', 'completed')).toEqual([{ type: 'ExploreStarted', facts: { round: 1 } }]);
    expect(spidering('failed', 'failed')).toMatchObject([{ type: 'JobFailed' }]);
  });

  it('says nothing about a job that is synthesizing or final', () => {
    expect(settle({ ...jobWith('completed'), status: 'synthesizing' })).toEqual([]);
    expect(settle({ ...jobWith('failed'), totals: { chargedMicros: 0, lostMicros: 0, overrunMicros: 0 } })).toEqual([]);
  });
});

describe('a run whose id arrives after its attempt was lost', () => {
  const late = given(request(), start(A), lose(A, 1));

  it('is resumed by the try that waits, whose own reservation is free', () => {
    expect(reservedMicros(late.state)).toBe(1_000_000);
    const redirected = given(request(), start(A), lose(A, 1), externalId(A, 1));
    expect(late.when(externalId(A, 1)).events()[1]).toEqual({ type: 'StepRetryRedirected', facts: { stepId: A, run: 1 } });
    expect(redirected.state.steps[0]).toMatchObject({ status: 'queued', retry: { run: 1, resumes: true, reservedMicros: 0, delayMs: 0 } });
    expect(reservedMicros(redirected.state)).toBe(800_000);
    redirected.when(start(A, 'again')).then({
      type: 'StepStarted',
      facts: { stepId: A, attempt: 2, run: 1, claimId: 'again', resumed: true, reservedMicros: 400_000, process: null },
    });
  });

  it('is left alone once another run has begun, or where it is known to be over', () => {
    const begun = given(request(), start(A), lose(A, 1), start(A, 'again'));
    expect(begun.when(externalId(A, 1)).events()).toHaveLength(1);
    const over = given(request(), start(A), report(A, 1, failure({ runEnded: true })));
    expect(over.when(externalId(A, 1)).events()).toHaveLength(1);
  });

  it('is resumed once the run that had begun instead of it is over or lost, so that no third one is paid for', () => {
    const begun = [request(), start(A), lose(A, 1), start(A, 'again'), externalId(A, 1)];
    for (const end of [report(A, 2, failure({ runEnded: true })), report(A, 2, failure()), lose(A, 2)]) {
      const { state } = given(...begun, end);
      expect(state.steps[0]).toMatchObject({ status: 'queued', retry: { run: 1, resumes: true, reservedMicros: 0 } });
      expect(state.steps[0]?.runs).toHaveLength(2);
    }
    const followed = given(...begun, externalId(A, 2), lose(A, 2));
    expect(followed.state.steps[0]).toMatchObject({ retry: { run: 2, resumes: true } });
  });

  it('is not resumed where it was said never to have been called, since nothing is reserved for it', () => {
    const said = [request(), start(A), report(A, 1, failure({ errorClass: 'not_called', charge: null })), externalId(A, 1)];
    expect(given(...said).state.steps[0]).toMatchObject({ retry: { run: 2, resumes: false, reservedMicros: 400_000 } });
    const over = given(...said, { type: 'CancelJob' }).state;
    expect(agendaOf(over, 1000).map(({ kind, run }) => [kind, run])).toEqual([['cancel run', 1]]);
  });
});

describe('a run that nobody needs any more', () => {
  const kindsOf = (state: JobState) => agendaOf(state, 1000).map(({ kind, run }) => [kind, run]);

  it('stays on the agenda after the end of its job until its provider was told', () => {
    const cancelled = given(request(), start(A), externalId(A, 1), { type: 'CancelJob' });
    expect(kindsOf(cancelled.state)).toEqual([['cancel run', 1]]);
    cancelled
      .when({ type: 'RecordRunCancelled', stepId: A, run: 1, outcome: 'agreed' })
      .then({ type: 'StepRunCancelled', facts: { stepId: A, run: 1, outcome: 'agreed' } });
    const told = given(
      request(),
      start(A),
      externalId(A, 1),
      { type: 'CancelJob' },
      { type: 'RecordRunCancelled', stepId: A, run: 1, outcome: 'agreed' },
    );
    expect(kindsOf(told.state)).toEqual([]);
    told.when({ type: 'RecordRunCancelled', stepId: A, run: 1, outcome: 'agreed' }).thenNothing();
  });

  it('outlives a deletion', () => {
    expect(kindsOf(given(request(), start(A), externalId(A, 1), { type: 'EraseContent' }).state)).toEqual([['cancel run', 1]]);
  });

  it('is not cancelled while its step is open, nor once its result is in', () => {
    expect(kindsOf(given(request(), start(A), externalId(A, 1), lose(A, 1)).state)).not.toContainEqual(['cancel run', 1]);
    expect(kindsOf(given(request(), start(A), externalId(A, 1), report(A, 1, success())).state)).not.toContainEqual(['cancel run', 1]);
  });

  it('is told at the deadline while the job goes on to its synthesis', () => {
    const { state } = given(request(), start(A), report(A, 1, success()), start(B), externalId(B, 1), {
      type: 'ReachDeadline',
      phase: 'running',
    });
    expect(state.status).toBe('synthesizing');
    expect(kindsOf(state)).toContainEqual(['cancel run', 1]);
  });
});

it('spreads the retries of steps that failed together', () => {
  const delayWith = (jitter: number) => {
    const command = { ...report(A, 1, failure()), jitter } as JobCommand;
    const [event] = given(request(), start(A)).when(command).events() as [StepFailed];
    return event.facts.retry?.delayMs;
  };
  expect([delayWith(0), delayWith(1)]).toEqual([500, 1000]);
});
