import type { Wire } from '../../../emulators/wire';
import { WIRES } from '../../../emulators/wires';
import { failureOf, Stand, type AdapterUnderTest } from './stand';

export function testLimits(adapter: AdapterUnderTest): void {
  const wire: Wire = WIRES[adapter.api];

  describe('is limited', () => {
    const reservations = adapter.limitable ? [1, 20_000, 100_000, 400_000, 1_000_000, 5_000_000] : [];
    for (const reservedMicros of reservations) {
      it(`to a reservation of ${reservedMicros} micro-dollars, or not asked`, async () => {
        const stand = await Stand.build(adapter, 'greedy');
        const attempted = await stand.attempt({ reservedMicros });
        if (attempted.report === null) {
          expect(failureOf(attempted)).toMatchObject({ errorClass: 'invalid_request', details: { charge: { micros: 0 } } });
          expect(stand.lines('submit')).toEqual([]);
        }
        expect(stand.emulator.chargedMicros).toBeLessThanOrEqual(reservedMicros);
        stand.expectSound(attempted, reservedMicros);
      });
    }

    it('by nothing when it charges more than was reserved: the charge is passed on as it is', async () => {
      const stand = await Stand.build(adapter, 'overcharge usd=50');
      const attempted = await stand.attempt();
      expect(attempted.bookedMicros).toBe(stand.emulator.chargedMicros);
      stand.expectSound(attempted);
    });
  });

  describe('is stopped', () => {
    it('when the request is aborted', async () => {
      const stand = await Stand.build(adapter, '', 5000);
      const controller = new AbortController();
      const attempting = stand.attempt({ signal: controller.signal });
      await stand.reached(stand.wire.submit.answers === 'accepted' ? 'poll' : 'submit');
      const reason = new Error('the job was cancelled');
      controller.abort(reason);
      const attempted = await attempting;
      expect(attempted.error).toBe(reason);
      await stand.expectStopped(attempted);
      stand.expectSound(attempted);
    });

    if (wire.submit.answers === 'accepted') {
      it('also while it is being asked for a run: the one that comes of it is stopped as soon as its id is known', async () => {
        const stand = await Stand.build(adapter, 'slow ms=300', 5000);
        const controller = new AbortController();
        const attempting = stand.attempt({ signal: controller.signal });
        await stand.reached('submit');
        controller.abort(new Error('the job was cancelled'));
        const attempted = await attempting;
        await stand.reached('cancel');
        expect(attempted.started).toEqual([stand.lines('submit')[0]?.runId]);
        stand.expectSound(attempted);
      });

      it('also when its answer to a submit comes after our deadline', async () => {
        const stand = await Stand.build(adapter, 'slow ms=400', 5000);
        const attempted = await stand.attempt({ deadlineMs: 150 });
        expect(failureOf(attempted).errorClass).toBe('timeout');
        await stand.reached('cancel');
        stand.expectSound(attempted);
      });
    }

    it('before anything was sent when it was aborted before', async () => {
      const stand = await Stand.build(adapter);
      const { error } = await stand.attempt({ signal: AbortSignal.abort(new Error('cancelled before')) });
      expect(error).toMatchObject({ message: 'cancelled before' });
      expect(stand.emulator.requests).toEqual([]);
    });

    it('quietly when the run is over or was never there', async () => {
      const { provider } = await Stand.build(adapter);
      expect([undefined, 'not_offered']).toContain(await provider.cancel('no-such-run'));
    });
  });
}
