import { boundedCache } from '@lib/memory/bounded-cache';
import { eventually } from '../messaging/eventually';

const cacheFor = (ttlMs?: number) => boundedCache<string>({ name: 'a test', maxBytes: 100_000, bytesOf: (text) => text.length, ttlMs });

it('what nobody asks for is let go of when its time is over', async () => {
  const cache = cacheFor(100);
  cache.set('one', 'text');
  await eventually(0, async () => cache.size);
  expect(cache.calculatedSize).toBe(0);
});

it('what is asked for is kept no longer for it', async () => {
  const cache = cacheFor(100);
  cache.set('one', 'text');
  await eventually(undefined, async () => cache.get('one'));
  expect(cache.size).toBe(0);
});

it('without a time it is kept', async () => {
  const [timed, cache] = [cacheFor(50), cacheFor()];
  for (const one of [timed, cache]) one.set('one', 'text');
  await eventually(0, async () => timed.size);
  expect(cache.get('one')).toBe('text');
});
