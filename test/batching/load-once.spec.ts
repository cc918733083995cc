import { loadOnce } from '@lib/batching/load-once';

it('loads once for all who ask, and again after a failure', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('too many open files');
    return loads;
  });
  expect(await Promise.allSettled([load(), load()])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await Promise.all([load(), load()])).toEqual([2, 2]);
  expect(await load()).toBe(2);
});
