import { DrainRoute } from '../../src/telemetry/drain-route';

/** Takes work, or does not; begins again after a moment, unless it cannot. */
class Part {
  isTaking = true;
  canResume = true;

  pause(): void {
    this.isTaking = false;
  }

  async resume(): Promise<void> {
    await new Promise(setImmediate);
    if (!this.canResume) throw new Error('nobody to take work from');
    this.isTaking = true;
  }

  held(): number {
    return 0;
  }
}

it('is asked once more where the intake could not begin again', async () => {
  const [part, other] = [new Part(), new Part()];
  const route = new DrainRoute([part, other]);
  await route.answer('PUT');
  part.canResume = false;
  await expect(route.answer('DELETE')).rejects.toThrow('nobody to take work from');
  expect(await route.answer('GET')).toEqual({ draining: true, held: 0 });
  expect(other.isTaking).toBe(false);
  part.canResume = true;
  expect(await route.answer('DELETE')).toEqual({ draining: false, held: 0 });
  expect([part.isTaking, other.isTaking]).toEqual([true, true]);
});

it('takes nothing if it is stopped while it begins again', async () => {
  const part = new Part();
  const route = new DrainRoute([part]);
  await route.answer('PUT');
  const [, stopped] = await Promise.all([route.answer('DELETE'), route.answer('PUT')]);
  expect(stopped).toMatchObject({ draining: true });
  expect(part.isTaking).toBe(false);
});
