import type { JobCommand, StepResult } from '@lib/domain/job/commands';
import { decideJob } from '@lib/domain/job/decide';
import { grantOf } from '@lib/domain/job/grant';
import { backoffMs } from '@lib/domain/job/retries';
import { abandonedRuns, evolveJob, initialJob, isWaveOpen, type JobState } from '@lib/domain/job/state';
import { AT } from '../support/decider';
import {
  A,
  B,
  candidate,
  claimSynthesis,
  complete,
  digest,
  externalId,
  failure,
  given,
  lose,
  report,
  request,
  start,
  success,
} from '../support/job-history';

const NO_MONEY = { chargedMicros: 0, lostMicros: 0, overrunMicros: 0 };
const skipped = (stepId: string, reason: string) => ({ type: 'StepSkipped', facts: { stepId, reason } });

/** Each command at that second after the first. */
const stateAt = (...commands: [second: number, JobCommand][]): JobState =>
  commands.reduce((state, [second, command]) => {
    const at = after(second);
    return decideJob(command, state, at, digest).reduce((next, event) => evolveJob(next, event, at), state);
  }, initialJob);
const after = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1_000).toISOString();

describe('a request', () => {
  it('records where the job comes from, and null for what nobody said', () => {
    const origin = { messageId: null, asked: null, settingsSha256: null, process: null };
    const { type: _, candidates, query, ...terms } = request();
    const plan = candidates.map((one) => ({ ...one, reservedMicros: 400_000, wave: 0 }));
    given()
      .when(request())
      .then({ type: 'JobRequested', facts: { ...origin, ...terms, plan }, content: { query } });
    const said = { messageId: 'msg_1', settingsSha256: 'ab', process: { instance: 'one', build: 'two' } };
    expect(given().when(request(said)).events()[0]).toMatchObject({ facts: { ...said, asked: null } });
  });

  it('holds what it is to hold of its tenant’s balance, and nothing where there is none', () => {
    given()
      .when(request({ balanceReservedCents: 1 }))
      .thenTypes('JobRequested', 'BalanceReserved');
    expect(given(request({ balanceReservedCents: 100 })).state.balanceReservedCents).toBe(100);
    given()
      .when(request({ balanceReservedCents: 0 }))
      .thenTypes('JobRequested');
  });

  it('says where in the plan each step of a methodical job comes', () => {
    const { steps } = given(request({ researchMode: 'methodical' })).state;
    expect(steps.map(({ entry }) => entry.wave)).toEqual([0, 1]);
  });

  it('leads to the state of a job in which nothing has happened yet', () => {
    const { candidates, type: _, query: __, ...terms } = request({ spideringEnabled: true });
    const { state } = given(request({ spideringEnabled: true }));
    const [entry] = candidates.map((one) => ({ ...one, reservedMicros: 400_000, wave: 0 }));
    const run = { run: 1, reservedMicros: 400_000, committedMicros: 0, overrunMicros: 0, external: null };
    expect(state).toEqual({
      ...initialJob,
      ...terms,
      ...{ version: 1, phaseVersion: 1, phaseAt: AT, createdAt: AT, steps: expect.anything() as unknown },
    });
    expect(state.steps).toHaveLength(2);
    expect(state.steps[0]).toEqual({
      ...{ stepId: A, entry, topic: null, status: 'queued', attempts: [], retry: null, retryRefusal: null, startedAt: null },
      plannedAt: state.createdAt,
      ...{ completedAt: null, contentVersion: null, failure: null, truncated: false, version: 1 },
      runs: [{ ...run, held: true, submitted: false, settled: false, ended: false }],
    });
  });
});

describe('what ends at once', () => {
  it('at the deadline of the queue is skipped, and the job fails for that', () => {
    given(request())
      .when({ type: 'ReachDeadline', phase: 'queue' })
      .then({ type: 'DeadlineReached', facts: { phase: 'queue' } }, skipped(A, 'deadline'), skipped(B, 'deadline'), {
        type: 'JobFailed',
        facts: { reason: 'not_started', ...NO_MONEY },
      });
  });

  it('while it runs fails without another try, at an unknown cost', () => {
    const ended = (failure: string) => ({
      type: 'StepFailed',
      facts: {
        ...{ stepId: A, attempt: 1, run: 1, failure, runEnded: false, retry: null, retryRefusal: null },
        ...{ charge: null, committedMicros: 0, overrunMicros: 0 },
        call: { sentDigest: null, requestIdDigest: null, status: null },
      },
    });
    const lost = { chargedMicros: 0, lostMicros: 400_000, overrunMicros: 0 };
    given(request(), start(A))
      .when({ type: 'CancelJob' })
      .then(ended('cancelled'), skipped(B, 'cancelled'), { type: 'JobCancelled', facts: { reason: 'requested', ...lost } });
    given(request(), start(A))
      .when({ type: 'ReachDeadline', phase: 'running' })
      .then({ type: 'DeadlineReached', facts: { phase: 'running' } }, ended('deadline'), skipped(B, 'deadline'), {
        type: 'JobFailed',
        facts: { reason: 'no_step_completed', ...lost },
      });
  });

  it.each<[string, JobCommand[], ('queue' | 'running' | 'synthesis')[]]>([
    ['is queued', [request()], ['running', 'synthesis']],
    ['runs', [request(), start(A)], ['queue', 'synthesis']],
    ['is synthesized', [request(), start(A), start(B), report(A, 1, success()), report(B, 1, success())], ['queue', 'running']],
    ['has ended', [request(), start(A), { type: 'CancelJob' }], ['queue', 'running', 'synthesis']],
  ])('is not what another deadline is of, where a job %s', (_, before, phases) => {
    for (const phase of phases)
      given(...before)
        .when({ type: 'ReachDeadline', phase })
        .thenNothing();
  });

  it('says when, and keeps what it has found out', () => {
    const state = stateAt([0, request()], [1, start(A)], [2, start(B)], [3, report(A, 1, success(7))], [4, { type: 'CancelJob' }]);
    expect(state).toMatchObject({ createdAt: after(0), startedAt: after(1), completedAt: after(4), status: 'cancelled', version: 6 });
    expect(state.steps).toMatchObject([
      { status: 'completed', startedAt: after(1), completedAt: after(3), failure: null, contentVersion: 4, version: 4 },
      { status: 'failed', startedAt: after(2), completedAt: after(4), failure: 'cancelled', contentVersion: null, version: 5 },
    ]);
    expect(state.totals).toEqual({ chargedMicros: 7, lostMicros: 400_000, overrunMicros: 0 });
  });

  it('was an attempt that is open until its report', () => {
    const attempt = { attempt: 1, version: 2, claimId: 'c1', run: 1, open: true, reported: false, returned: false };
    expect(given(request(), start(A, 'c1')).state.steps[0]?.attempts).toEqual([attempt]);
    const closed = (...commands: JobCommand[]) => given(request(), start(A, 'c1'), ...commands).state.steps[0]?.attempts;
    expect(closed(report(A, 1, success()))).toEqual([{ ...attempt, open: false, reported: true }]);
    expect(closed(lose(A, 1))).toEqual([{ ...attempt, open: false }]);
    expect(closed(report(A, 1, failure({ errorClass: 'not_called' })))).toEqual([
      { ...attempt, open: false, reported: true, returned: true },
    ]);
  });

  it('leaves a report of what was taken from its worker to come late', () => {
    const ended = given(request(), start(A), { type: 'CancelJob' });
    expect(ended.state.steps[0]?.attempts).toEqual([
      { attempt: 1, version: 2, claimId: `claim of ${A}`, run: 1, open: false, reported: false, returned: false },
    ]);
    ended.when(report(A, 1, success(5))).thenTypes('StepResultLate');
    const told = given(request(), start(A), { type: 'CancelJob' }, report(A, 1, success(5)));
    expect(told.state.steps[0]?.attempts[0]).toMatchObject({ open: false, reported: true });
    told.when(report(A, 1, success(5))).thenNothing();
  });
});

describe('a step', () => {
  it('began with its first attempt, whatever came of it', () => {
    const state = stateAt([0, request()], [1, start(A)], [2, lose(A, 1)], [3, start(A, 'again')]);
    expect(state.steps[0]).toMatchObject({ startedAt: after(1), status: 'running', retry: null, version: 3 });
    expect(state).toMatchObject({ startedAt: after(1), phaseVersion: 2, phaseAt: after(1) });
    expect(state.steps[0]?.attempts).toMatchObject([
      { attempt: 1, open: false, reported: false, returned: false },
      { attempt: 2, open: true, reported: false, version: 4, claimId: 'again', run: 2 },
    ]);
  });

  it('that waits for a provider which is down is skipped, and its reservation is free', () => {
    const skip: JobCommand = { type: 'SkipStep', stepId: A, reason: 'circuit_open' };
    given(request()).when(skip).then(skipped(A, 'circuit_open'));
    const { state } = given(request(), skip);
    expect(state.steps[0]).toMatchObject({ status: 'skipped', failure: 'circuit_open', completedAt: AT, version: 2, contentVersion: null });
    expect(state.steps[0]?.runs[0]).toMatchObject({ held: false });
    given(request(), start(A)).when(skip).thenNothing();
    given(request(), start(A), externalId(A, 1), lose(A, 1)).when(skip).thenNothing();
    given(request(), start(A), lose(A, 1)).when(skip).thenTypes('StepSkipped');
    given(request(), { type: 'CancelJob' }).when(skip).thenNothing();
  });

  it('that failed says in whose words, and which run of it is over', () => {
    const { state } = given(
      request(),
      start(A),
      externalId(A, 1),
      report(A, 1, failure({ errorClass: 'auth', charge: null, runEnded: true })),
    );
    expect(state.steps[0]).toMatchObject({ status: 'failed', failure: 'auth', contentVersion: 4, version: 4, retryRefusal: null });
    expect(state.steps[0]?.runs[0]).toMatchObject({ ended: true, settled: false, held: true });
  });

  it('keeps a run over that was said to be over', () => {
    const told = [
      request(),
      start(A),
      externalId(A, 1),
      lose(A, 1),
      { type: 'RecordRunCancelled', stepId: A, run: 1, outcome: 'agreed' } as const,
    ];
    const { state } = given(...told, report(A, 1, failure({ charge: null })));
    expect(state.steps[0]?.runs[0]).toMatchObject({ ended: true });
  });

  it('was cut where its report was', () => {
    const cut = { ...success(), truncated: true } as ReturnType<typeof success>;
    expect(given(request(), start(A), report(A, 1, cut)).state.steps.map(({ truncated }) => truncated)).toEqual([true, false]);
  });

  it('may be claimed once those before it have settled', () => {
    const { state } = given(request({ researchMode: 'methodical' }));
    const [first, second] = state.steps;
    expect([first, second].map((step) => step && isWaveOpen(state, step))).toEqual([true, false]);
  });
});

describe('the answer to a claim', () => {
  it.each<[string, JobCommand[], string, string]>([
    ['of a step that has settled', [start(A), report(A, 1, success())], 'other', 'step_settled'],
    ['that brought the report', [start(A, 'c1'), report(A, 1, success())], 'c1', 'step_settled'],
    ['of a step that nobody has claimed', [], 'other', 'not_due'],
    ['of a step that somebody else works at', [start(A, 'c1')], 'c2', 'claimed_by_another'],
    ['that was lost', [start(A, 'c1'), lose(A, 1)], 'c1', 'claim_used'],
    ['of a job that has ended', [start(A, 'c1'), { type: 'CancelJob' }], 'c1', 'job_final'],
  ])('%s is a refusal that says so', (_, commands, claimId, reason) => {
    expect(grantOf(given(request(), ...commands).state, A, claimId)).toEqual({ granted: false, reason });
  });

  it('that holds is its attempt with the run that it pays for', () => {
    const { state } = given(request(), start(A, 'c1'), report(A, 1, failure()), start(A, 'c2'));
    expect(grantOf(state, A, 'c2')).toMatchObject({ granted: true, step: { stepId: A }, attempt: { attempt: 2 }, run: { run: 2 } });
  });
});

describe('a step whose turn comes when the job’s time is over', () => {
  it('is not started, so that the deadline skips it', () => {
    const deadlines = { queueMs: 1_000, jobMs: 60_000, synthesisMs: 1_000 };
    const startedAt = (second: number) =>
      stateAt(
        ...([
          [0, request({ researchMode: 'methodical', deadlines })],
          [1, start(A)],
        ] as [number, JobCommand][]),
        ...([
          [second, report(A, 1, failure({ errorClass: 'auth' }))],
          [second, start(B)],
        ] as [number, JobCommand][]),
        [61, { type: 'ReachDeadline', phase: 'running' }],
      ).steps[1];
    expect(startedAt(60)).toMatchObject({ status: 'failed', failure: 'deadline', attempts: [{ attempt: 1 }] });
    expect(startedAt(61)).toMatchObject({ status: 'skipped', failure: 'deadline', attempts: [] });
  });
});

describe('another try', () => {
  const retryAt = (second: number, retryAfterMs: number | null, jobMs = 60_000) => {
    const deadlines = { queueMs: 1_000, jobMs, synthesisMs: 1_000 };
    const [step] = stateAt([0, request({ deadlines })], [1, start(A)], [second, report(A, 1, failure({ retryAfterMs }))]).steps;
    return step?.retry?.delayMs ?? step?.retryRefusal?.reason;
  };

  it('begins before the deadline, counted from the first start, or not at all', () => {
    expect([retryAt(2, 58_999), retryAt(2, 59_000), retryAt(61, 0)]).toEqual([58_999, 'deadline', 'deadline']);
  });

  it('comes within an hour, whatever the provider asks for', () => {
    expect([retryAt(2, 3_600_000, 1e9), retryAt(2, 3_600_001, 1e9)]).toEqual([3_600_000, 3_600_000]);
  });

  it('doubles its distance up to a minute, and half of it is chance', () => {
    expect([1, 2, 3, 6, 7, 8, 20].map((attempt) => backoffMs(attempt, 1))).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]);
    expect([0, 0.5, 1].map((jitter) => backoffMs(2, jitter))).toEqual([1_000, 1_500, 2_000]);
    expect(retryAt(2, null)).toBe(1_000);
  });

  it('outlasts with its last submit a limit for a minute of which nobody says when it passes', () => {
    const limited = (attempt: number) => [start(A, `c${attempt}`), report(A, attempt, failure({ errorClass: 'rate_limited' }))];
    const waits = [1, 2].map((tries) => {
      const commands = Array.from({ length: tries }, (_, place) => limited(place + 1)).flat();
      return given(request(), ...commands).state.steps[0]?.retry?.delayMs ?? 0;
    });
    expect(waits).toEqual([20_000, 40_000]);
  });

  describe('of a provider that is down', () => {
    const DOWN = { errorClass: 'overloaded' } as const;
    /** The pause after the last of these failures, each of which is reported a second after its start. */
    const pauseAfter = (failures: Parameters<typeof failure>[0][], jobMs = 1e9, ...before: JobCommand[]): number | undefined => {
      const deadlines = { queueMs: 1_000, jobMs, synthesisMs: 1_000 };
      const tries = failures.flatMap((changes, place): [number, JobCommand][] => [
        [place, start(A, `c${place}`)],
        ...(place === 0 ? before.map((command): [number, JobCommand] => [0, command]) : []),
        [place + 1, report(A, place + 1, failure(changes))],
      ]);
      return stateAt([0, request({ deadlines })], ...tries).steps[0]?.retry?.delayMs;
    };

    it.each(['overloaded', 'unavailable', 'timeout'] as const)('outlasts with its last submit an outage of seconds (%s)', (errorClass) => {
      expect([pauseAfter([{ errorClass }]), pauseAfter([{ errorClass }, { errorClass }])]).toEqual([1_000, 30_000]);
    });

    it('leaves the run itself half of the time that its step has', () => {
      expect([pauseAfter([DOWN, DOWN], 12_000), pauseAfter([DOWN, DOWN], 62_001)]).toEqual([5_000, 30_000]);
    });

    it('waits before the last submit that the budget has room for, where nobody knows what the others cost', () => {
      const candidates = [candidate(A, 'provider-a', 400_000, 400_000)];
      const pauseOf = (budgetCapCents: number, charge: StepResult['charge']) =>
        given(request({ candidates, budgetCapCents }), start(A), report(A, 1, failure({ charge }))).state.steps[0]?.retry?.delayMs;
      expect([pauseOf(100, null), pauseOf(120, null)]).toEqual([30_000, 1_000]);
      expect(pauseOf(100, { micros: 0, provenance: 'reported' })).toBe(1_000);
    });

    it('comes when the provider asks for it', () => {
      expect(pauseAfter([DOWN, { ...DOWN, retryAfterMs: 700 }])).toBe(700);
    });

    it('comes soon where it asks for a run that was accepted', () => {
      const unpaid = { ...DOWN, charge: null };
      expect(pauseAfter([unpaid, unpaid], 1e9, externalId(A, 1))).toBe(2_000);
    });

    it('counts only what was submitted', () => {
      const notCalled = { errorClass: 'not_called' } as const;
      expect([pauseAfter([DOWN, notCalled]), pauseAfter([notCalled, DOWN])]).toEqual([2_000, 2_000]);
    });
  });

  it.each([
    [3, 'attempts'],
    [2, undefined],
  ])('after %d submits is refused for %p', (submits, reason) => {
    const tries = Array.from({ length: submits }, (_, place) => [start(A, `c${place}`), report(A, place + 1, failure())]).flat();
    expect(given(request(), ...tries).state.steps[0]?.retryRefusal?.reason).toBe(reason);
  });
});

describe('a run that goes on', () => {
  it('is abandoned where its step has settled or its job has ended, and only there', () => {
    const abandonedAfter = (...commands: JobCommand[]) => {
      const { state } = given(request(), ...commands);
      return state.steps.flatMap((step) => abandonedRuns(state, step).map(({ run }) => `${step.stepId}#${run}`));
    };
    const begun = [start(A), externalId(A, 1)];
    expect(abandonedAfter(...begun)).toEqual([]);
    expect(abandonedAfter(...begun, { type: 'CancelJob' })).toEqual([`${A}#1`]);
    expect(abandonedAfter(...begun, report(A, 1, failure({ errorClass: 'auth', charge: null })))).toEqual([`${A}#1`]);
    expect(abandonedAfter(...begun, report(A, 1, success()))).toEqual([]);
    expect(abandonedAfter(start(A), { type: 'CancelJob' })).toEqual([]);
  });
});

describe('a job that does not exist', () => {
  it('can be asked for, and nothing else', () => {
    const others: JobCommand[] = [start(A), { type: 'CancelJob' }, { type: 'EraseContent' }, complete, claimSynthesis()];
    for (const command of others) given().when(command).thenThrows('job_not_found');
    given()
      .when(request({ candidates: [candidate(A, 'provider-a')] }))
      .thenTypes('JobRequested');
  });

  it('does not guess at an event of a newer build', () => {
    expect(() => evolveJob(initialJob, { type: 'JobPainted' } as never, AT)).toThrow(
      'unknown job event {"type":"JobPainted"}: this version is older than the history it reads',
    );
  });
});
