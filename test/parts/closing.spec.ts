import { Closing } from '../../src/parts/closing';

const never = () => new Promise(() => undefined);

it('what never closes holds a process up for two seconds, however much of it there is', async () => {
  const closing = new Closing();
  const closed: string[] = [];
  closing.defer(() => void closed.push('first opened'));
  for (let part = 0; part < 7; part += 1) closing.deferBriefly(never);
  closing.deferBriefly(async () => closed.push('last opened'));
  const began = performance.now();
  await closing.disposeAsync();
  expect(closed).toEqual(['last opened', 'first opened']);
  expect(performance.now() - began).toBeLessThan(2_900);
});
