import type { Wire } from '../../../emulators/wire';
import { WIRES } from '../../../emulators/wires';
import { memoryGrowth } from './peak-memory';
import { failureOf, Stand, type AdapterUnderTest } from './stand';

const FREE = { charge: { micros: 0 } };

/** A submit that is not accepted: its behaviour, its error class (design, "Error classes"), what else is known. */
const REFUSALS: readonly (readonly [behaviour: string, errorClass: string, details: object])[] = [
  ['400', 'invalid_request', FREE],
  ['401', 'auth', FREE],
  ['402', 'quota', FREE],
  ['403', 'auth', FREE],
  ['404', 'model_gone', FREE],
  ['410', 'model_gone', FREE],
  ['422', 'invalid_request', FREE],
  ['429 retry-after=2', 'rate_limited', { ...FREE, retryAfterMs: 2000 }],
  ['429 type=insufficient_quota', 'quota', FREE],
  ['500', 'overloaded', {}],
  ['529', 'overloaded', FREE],
];

/** A run that was accepted, and what goes wrong with its result. */
const BAD_RESULTS: readonly (readonly [behaviour: string, errorClass: string])[] = [
  ['fails', 'overloaded'],
  ['refusal', 'content_filtered'],
  ['empty', 'malformed'],
  ['reset', 'unavailable'],
  ['reset-body', 'unavailable'],
  ['invalid-utf8', 'malformed'],
  ['invalid-json', 'malformed'],
  ['drip', 'malformed'],
  ['gzip-bomb', 'malformed'],
  ['drip on=submit', 'malformed'],
  ['gzip-bomb on=submit', 'malformed'],
  ['invalid-utf8 on=submit', 'malformed'],
  ['invalid-json on=submit', 'malformed'],
];

const MAX_GROWTH_BYTES = 100 * 1024 * 1024;

export function testFailures(adapter: AdapterUnderTest): void {
  describe('fails', () => {
    it.each(REFUSALS)('at once: %s is %s', async (behaviour, errorClass, details) => {
      const stand = await Stand.build(adapter, behaviour);
      const attempted = await stand.attempt();
      expect(failureOf(attempted)).toMatchObject({ errorClass, details });
      expect(attempted.started).toEqual([]);
      stand.expectSound(attempted);
    });

    it.each(BAD_RESULTS)('after a run was accepted: %s is %s', async (behaviour, errorClass) => {
      const stand = await Stand.build(adapter, behaviour);
      const attempted = await stand.attempt();
      expect(failureOf(attempted).errorClass).toBe(errorClass);
      await stand.settled();
      stand.expectSound(attempted);
    });

    it.each(['drip', 'gzip-bomb'])('without filling the memory: %s', async (behaviour) => {
      const stand = await Stand.build(adapter, behaviour);
      expect(await memoryGrowth(() => stand.attempt())).toBeLessThan(MAX_GROWTH_BYTES);
    });

    const wire: Wire = WIRES[adapter.api];
    const hangingPoll = wire.submit.answers === 'accepted' ? ['hang on=poll'] : [];
    it.each(['hang', ...hangingPoll, 'hang-body', 'never-ends', 'late ms=700'])(
      'as a timeout at our deadline, and is told to stop: %s',
      async (behaviour) => {
        const stand = await Stand.build(adapter, behaviour);
        const attempted = await stand.attempt({ deadlineMs: 250 });
        expect(failureOf(attempted).errorClass).toBe('timeout');
        await stand.expectStopped(attempted);
        stand.expectSound(attempted);
      },
    );

    it.each(['empty', 'refusal'])('with the charge that it told: %s', async (behaviour) => {
      const stand = await Stand.build(adapter, behaviour);
      const { details } = failureOf(await stand.attempt());
      expect(details).toMatchObject({ runEnded: true, charge: { micros: stand.emulator.chargedMicros } });
    });
  });
}
