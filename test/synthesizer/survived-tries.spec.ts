import { holdings } from '@lib/memory/holdings';
import { SurvivedTries } from '../../src/synthesizer/survived-tries';

/** The tries of a job as the agenda counts them; while it is away nothing can be given back. */
function agenda() {
  let tries = 0;
  const state = { isAway: false };
  return {
    state,
    beginSynthesis: async () => (tries += 1),
    returnTry: async () => {
      if (state.isAway) throw new Error('away');
      tries -= 1;
    },
  };
}

it('a try that was survived is not counted, and one that could not be given back is owed until the next', async () => {
  const counted = agenda();
  const tries = new SurvivedTries(counted);
  const owed = () => holdings().find(({ name }) => name === 'survived tries');
  expect(await tries.begin('job_1')).toBe(1);
  await tries.survived('job_1');
  expect(owed()).toMatchObject({ items: 0 });
  expect(await tries.begin('job_1')).toBe(1);
  counted.state.isAway = true;
  await tries.survived('job_1');
  expect(owed()).toMatchObject({ items: 1, maxBytes: 2 * 1024 * 1024 });
  await expect(tries.begin('job_1')).rejects.toThrow('away');
  counted.state.isAway = false;
  expect(await tries.begin('job_1')).toBe(1);
  expect(await tries.begin('job_1')).toBe(2);
});
