import fc from '../support/properties';
import type { JobEvent } from '@lib/domain/job/events';
import type { StoredRow } from '../support/histories';
import { hostileWork } from '../support/hostile-work';
import { complete, historyOf, lose, report, request, start, success } from '../support/job-history';
import { ENDINGS, plan, play } from '../support/job-schedules';
import { illegalTransitions } from './illegal-transitions';

const stored = (events: readonly Pick<JobEvent, 'type' | 'facts'>[]): StoredRow[] =>
  events.map(({ type, facts }, place) => ({ streamId: 'job_1', version: place + 1, type, facts }) as unknown as StoredRow);

describe('the automaton of a job', () => {
  it('takes whatever the decider decides', () => {
    fc.assert(
      fc.property(plan, hostileWork, (changes, schedule) => {
        const { events } = play([request(changes), ...schedule, ...ENDINGS]);
        expect(illegalTransitions(stored(events))).toEqual([]);
      }),
    );
  });

  const whole = historyOf(
    request(),
    start('stp_a'),
    start('stp_b'),
    lose('stp_b', 1),
    start('stp_b', 'another claim'),
    report('stp_a', 1, success()),
    report('stp_b', 2, success()),
    complete,
  );

  it('takes no event of a whole history twice, but a late result', () => {
    for (const [place, event] of whole.entries()) {
      const again = [...whole.slice(0, place + 1), event, ...whole.slice(place + 1)];
      expect(illegalTransitions(stored(again))).not.toEqual([]);
    }
  });

  it('misses every event but the last, which ends a job that is not over before', () => {
    for (const place of whole.keys()) {
      const without = whole.filter((_, other) => other !== place);
      if (place < whole.length - 1) expect(illegalTransitions(stored(without))).not.toEqual([]);
    }
  });
});
