import { RunLeft } from '@lib/providers/research';

import { WIRES } from '../../../emulators/wires';
import type { Wire } from '../../../emulators/wire';
import { failureOf, Stand, type AdapterUnderTest } from './stand';

/** A run as the worker that started it left it behind. */
async function leftRun(stand: Stand): Promise<string> {
  const controller = new AbortController();
  const onStarted = (): void => controller.abort(new RunLeft('the worker is stopping'));
  const { started, error } = await stand.attempt({ signal: controller.signal, onStarted });
  expect(error).toBeInstanceOf(RunLeft);
  expect(stand.lines('cancel')).toEqual([]);
  expect(started).toHaveLength(1);
  return started[0] ?? '';
}

export function testRuns(adapter: AdapterUnderTest): void {
  const wire: Wire = WIRES[adapter.api];

  describe('has runs', () => {
    it('of which an unknown one is lost', async () => {
      const stand = await Stand.build(adapter);
      const attempted = await stand.attempt({ externalId: 'no-such-run' });
      expect(failureOf(attempted)).toMatchObject({ errorClass: 'lost', details: { runEnded: true } });
      expect(stand.lines('submit')).toEqual([]);
    });

    if (!wire.poll) return;

    it('that a next attempt goes on with', async () => {
      const stand = await Stand.build(adapter, '', 150);
      const attempted = await stand.attempt({ externalId: await leftRun(stand) });
      expect(attempted.report?.charge.micros).toBe(stand.emulator.chargedMicros);
      expect(attempted.started).toEqual([]);
      stand.expectSound(attempted);
    });

    it('that the provider may forget', async () => {
      const stand = await Stand.build(adapter, 'forgotten');
      const attempted = await stand.attempt({ externalId: await leftRun(stand) });
      expect(failureOf(attempted)).toMatchObject({ errorClass: 'lost', details: { runEnded: true } });
      await stand.settled();
      stand.expectSound(attempted);
    });

    it.each(['503', '429 retry-after=0', 'reset'])('that a failed poll does not end: %s', async (behaviour) => {
      const stand = await Stand.build(adapter, `${behaviour} on=poll times=1`, 50);
      const externalId = await leftRun(stand);
      const first = await stand.attempt({ externalId });
      if (first.report === null) expect(failureOf(first).details.runEnded ?? false).toBe(false);
      const attempted = first.report ? first : await stand.attempt({ externalId });
      expect(attempted.report).not.toBeNull();
      stand.expectSound(attempted);
    });
  });
}
