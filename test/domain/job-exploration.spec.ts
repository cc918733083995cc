import { agendaOf } from '@lib/domain/job/agenda';
import { providersOfTopic } from '@lib/domain/job/exploration';
import type { JobCommand } from '@lib/domain/job/commands';
import { evolveJob, type JobState } from '@lib/domain/job/state';
import { decideJob } from '@lib/domain/job/decide';
import { A, B, candidate, digest, failure, given, planTopics, report, request, start, success } from '../support/job-history';
import { AT } from '../support/decider';

const spidering = (changes = {}): JobCommand => request({ spideringEnabled: true, ...changes });
/** Both steps have their report and the first round waits for its topics. */
const explored = (changes = {}): JobCommand[] => [
  spidering(changes),
  start(A),
  report(A, 1, success(100_000)),
  start(B),
  report(B, 1, success(100_000)),
];
const C = candidate('stp_c', 'provider-a', 100_000, 300_000);
const D = candidate('stp_d', 'provider-b', 100_000, 300_000);
const E = candidate('stp_e', 'provider-a', 0, 0);

describe('a job with spidering', () => {
  it.each([
    [{}, null],
    [{ process: { instance: 'one', build: 'two' } }, { instance: 'one', build: 'two' }],
  ])('says of its topics which process has chosen them, if that said so: %j', (said, process) => {
    const [planned] = given(...explored())
      .when({ ...planTopics(1, C), ...said })
      .events();
    expect(planned).toMatchObject({ type: 'TopicsPlanned', facts: { process } });
  });

  it('looks for topics when its steps have settled, and is not synthesized meanwhile', () => {
    given(spidering(), start(A), report(A, 1, success()), start(B))
      .when(report(B, 1, success()))
      .thenTypes('StepCompleted', 'ExploreStarted');
    const { state } = given(...explored());
    expect(state).toMatchObject({ status: 'running', exploration: { round: 1, open: true, stopReason: null } });
    expect(agendaOf(state, 1).map(({ kind, ref }) => [kind, ref])).toEqual([
      ['job deadline', 'running'],
      ['dispatch explore', '1'],
    ]);
  });

  it('does not look for any where nothing was reported', () => {
    const failed = failure({ errorClass: 'auth' });
    given(spidering(), start(A), report(A, 1, failed), start(B))
      .when(report(B, 1, failed))
      .thenTypes('StepFailed', 'JobFailed');
  });

  it('gives each topic steps of its own, with reservations inside the same cap', () => {
    const [planned] = given(...explored())
      .when(planTopics(1, C, D))
      .events();
    expect(planned).toMatchObject({
      type: 'TopicsPlanned',
      facts: {
        round: 1,
        stopReason: null,
        topics: [
          { topic: 10, parent: null, steps: [{ stepId: 'stp_c', reservedMicros: 300_000, wave: 1 }] },
          { topic: 11, parent: null, steps: [{ stepId: 'stp_d', reservedMicros: 300_000, wave: 1 }] },
        ],
      },
      content: {
        topics: [
          { topic: 10, text: 'Topic 1.0' },
          { topic: 11, text: 'Topic 1.1' },
        ],
      },
    });
    const { state } = given(...explored(), planTopics(1, C, D));
    expect(state.steps.map(({ stepId, status, topic }) => [stepId, status, topic?.topic])).toEqual([
      [A, 'completed', undefined],
      [B, 'completed', undefined],
      ['stp_c', 'queued', 10],
      ['stp_d', 'queued', 11],
    ]);
  });

  it('lets the steps of a methodical job follow one another', () => {
    const [planned] = given(...explored({ researchMode: 'methodical' }))
      .when(planTopics(1, C, D))
      .events();
    expect(planned).toMatchObject({ facts: { topics: [{ steps: [{ wave: 2 }] }, { steps: [{ wave: 3 }] }] } });
  });

  it('leaves out what the cap has no room for, and ends the exploration where nothing fits', () => {
    const large = candidate('stp_large', 'provider-b', 600_000, 900_000);
    const [planned] = given(...explored())
      .when(planTopics(1, C, large))
      .events();
    expect(planned).toMatchObject({ facts: { topics: [{ topic: 10 }] }, content: { topics: [{ topic: 10 }] } });
    const [none, next] = given(...explored())
      .when(planTopics(1, { ...large, minReserveMicros: 900_000 }))
      .events();
    expect(none).toMatchObject({ facts: { topics: [], stopReason: 'budget' }, content: { topics: [] } });
    expect(next).toMatchObject({ type: 'SynthesisStarted' });
  });

  it.each([
    ['finds nothing', { topics: [] }, 'no_topics'],
    ['could not look', { topics: [], failed: true }, 'failed'],
  ])('is synthesized with the reason when it %s', (_, changes, stopReason) => {
    const [planned, next] = given(...explored())
      .when({ ...planTopics(1), ...changes })
      .events();
    expect(planned).toMatchObject({ type: 'TopicsPlanned', facts: { topics: [], stopReason } });
    expect(next).toMatchObject({ type: 'SynthesisStarted' });
  });

  it('has the steps of one topic research it together, and one after another where the job is methodical', () => {
    const both: JobCommand = {
      ...planTopics(1),
      topics: [
        { topic: 7, parent: null, text: 'Lamps', rationale: 'Mentioned.', candidates: [C, D] },
        { topic: 8, parent: 7, text: 'Wicks', rationale: 'A gap.', candidates: [E] },
      ],
    };
    const planned = (changes = {}) =>
      given(...explored(changes))
        .when(both)
        .events()[0];
    const step = (one: typeof C, wave: number) => ({ ...one, wave, reservedMicros: one.maxReserveMicros });
    expect(planned()).toEqual({
      type: 'TopicsPlanned',
      facts: {
        ...{ round: 1, stopReason: null, process: null },
        topics: [
          { topic: 7, parent: null, steps: [step(C, 1), step(D, 1)] },
          { topic: 8, parent: 7, steps: [step(E, 1)] },
        ],
      },
      content: {
        topics: [
          { topic: 7, text: 'Lamps', rationale: 'Mentioned.' },
          { topic: 8, text: 'Wicks', rationale: 'A gap.' },
        ],
      },
    });
    const waves = planned({ researchMode: 'methodical' }) as { facts: { topics: { steps: { wave: number }[] }[] } };
    expect(waves.facts.topics.map(({ steps }) => steps.map(({ wave }) => wave))).toEqual([[2, 3], [4]]);
    const { state } = given(...explored(), both);
    expect(state.steps.slice(2).map(({ topic, version, status }) => ({ topic, version, status }))).toEqual([
      { topic: { topic: 7, parent: null, version: 7 }, version: 7, status: 'queued' },
      { topic: { topic: 7, parent: null, version: 7 }, version: 7, status: 'queued' },
      { topic: { topic: 8, parent: 7, version: 7 }, version: 7, status: 'queued' },
    ]);
  });

  it.each([
    [75_000, null],
    [75_001, 'deadline'],
  ])('begins a round %d ms after its start of 100,000: %p', (afterMs, stopReason) => {
    const { state } = given(...explored({ deadlines: { queueMs: 1, jobMs: 100_000, synthesisMs: 1 } }));
    const started = { ...state, createdAt: '2026-11-21T08:00:00.000Z' };
    const at = new Date(Date.parse(AT) + afterMs).toISOString();
    expect(decideJob(planTopics(1, C), started, at, digest)[0]).toMatchObject({ facts: { stopReason } });
  });

  it('keeps its reason to look no further when its deadline comes', () => {
    const second = [...explored(), planTopics(1, C), start('stp_c'), report('stp_c', 1, success()), planTopics(2, E)];
    const deadline: JobCommand = { type: 'ReachDeadline', phase: 'running' };
    expect(given(...second, deadline).state.exploration).toMatchObject({ open: false, stopReason: 'rounds' });
    expect(given(request(), start(A), deadline).state.exploration).toMatchObject({ open: false, stopReason: null, version: null });
  });

  it('begins no round with little of its time left', () => {
    const { state } = given(...explored({ deadlines: { queueMs: 1, jobMs: 100_000, synthesisMs: 1 } }));
    const late = new Date(Date.parse(AT) + 80_000).toISOString();
    expect(decideJob(planTopics(1, C), state, late, digest)).toMatchObject([
      { type: 'TopicsPlanned', facts: { topics: [], stopReason: 'deadline' } },
      { type: 'SynthesisStarted' },
    ]);
  });

  it('goes two rounds at most', () => {
    const second = [...explored(), planTopics(1, C), start('stp_c'), report('stp_c', 1, success())];
    given(...second)
      .when(planTopics(2, E))
      .thenTypes('TopicsPlanned');
    const { state } = given(...second, planTopics(2, E));
    expect(state.exploration).toMatchObject({ round: 2, open: false, stopReason: 'rounds' });
    given(...second, planTopics(2, E), start('stp_e'))
      .when(report('stp_e', 1, success()))
      .thenTypes('StepCompleted', 'SynthesisStarted');
  });

  it('takes topics for its open round alone, once', () => {
    given(...explored())
      .when(planTopics(2, C))
      .thenNothing();
    given(...explored(), planTopics(1, C))
      .when(planTopics(1, C))
      .thenNothing();
    given(spidering()).when(planTopics(1, C)).thenNothing();
    given(...explored(), { type: 'CancelJob' })
      .when(planTopics(1, C))
      .thenNothing();
  });

  it('synthesizes what it has at its deadline, while it looks for topics and while they run', () => {
    const deadline: JobCommand = { type: 'ReachDeadline', phase: 'running' };
    given(...explored())
      .when(deadline)
      .thenTypes('DeadlineReached', 'SynthesisStarted');
    given(...explored(), planTopics(1, C, D), start('stp_c'))
      .when(deadline)
      .thenTypes('DeadlineReached', 'StepFailed', 'StepSkipped', 'SynthesisStarted');
    expect(given(...explored(), deadline).state.exploration.stopReason).toBe('deadline');
  });

  it('ends with every step when it is cancelled', () => {
    given(...explored(), planTopics(1, C))
      .when({ type: 'CancelJob' })
      .thenTypes('StepSkipped', 'JobCancelled');
  });
});

describe('the providers of a topic', () => {
  it('are two of those that answered the question, another first for each topic', () => {
    const { state } = given(...explored());
    const named = (place: number) => providersOfTopic(state, place).map(({ entry }) => entry.provider);
    expect([named(0), named(1), named(2)]).toEqual([
      ['provider-a', 'provider-b'],
      ['provider-b', 'provider-a'],
      ['provider-a', 'provider-b'],
    ]);
  });

  it('are those of the question alone, however many topics were answered since', () => {
    const { state } = given(...explored(), planTopics(1, C), start('stp_c'), report('stp_c', 1, success()));
    expect([0, 1].map((place) => providersOfTopic(state, place).map(({ stepId }) => stepId))).toEqual([
      [A, B],
      [B, A],
    ]);
  });

  it('are two of however many answered', () => {
    const three = [...(request().candidates ?? []), candidate('stp_3', 'provider-c')];
    const { state } = given(
      spidering({ candidates: three }),
      ...[A, B, 'stp_3'].flatMap((step) => [start(step), report(step, 1, success())]),
    );
    expect([0, 1, 2, 3].map((place) => providersOfTopic(state, place).map(({ stepId }) => stepId))).toEqual([
      [A, B],
      [B, 'stp_3'],
      ['stp_3', A],
      [A, B],
    ]);
  });

  it('are none of those that failed, and one where only one answered', () => {
    const { state } = given(spidering(), start(A), report(A, 1, failure({ errorClass: 'auth' })), start(B), report(B, 1, success()));
    expect(providersOfTopic(state, 0).map(({ entry }) => entry.provider)).toEqual(['provider-b']);
  });
});

it('replays to the same exploration', () => {
  const { state } = given(...explored(), planTopics(1, C));
  const events = given(...explored())
    .when(planTopics(1, C))
    .events();
  const before: JobState = given(...explored()).state;
  expect(events.reduce((folded, event) => evolveJob(folded, event, AT), before)).toEqual(state);
});
