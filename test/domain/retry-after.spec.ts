import { DAY_MS } from '@lib/domain/durations';
import { retryAfterMs } from '@lib/domain/retry-after';

const NOW = Date.parse('2026-11-22T10:00:00.000Z');

it.each<[string, number | undefined]>([
  ['0', 0],
  ['2', 2_000],
  [' 2 ', 2_000],
  ['0.0005', 1],
  ['86400', DAY_MS],
  ['86401', DAY_MS],
  ['Sun, 22 Nov 2026 10:00:30 GMT', 30_000],
  ['Sun, 22 Nov 2026 10:00:00 GMT', 0],
  ['Sun, 22 Nov 2026 09:59:59 GMT', undefined],
  ['Wed, 25 Nov 2026 10:00:00 GMT', DAY_MS],
  ['Sunny', undefined],
  ['-2', undefined],
  ['2s', undefined],
  ['0x2', undefined],
  ['', undefined],
  ['2026-11-22T10:00:30Z', undefined],
])('Retry-After: %s asks to wait %p milliseconds', (text, wanted) => {
  expect(retryAfterMs(text, NOW)).toBe(wanted);
});

it.each(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])('a date of HTTP may be on a %s', (day) => {
  expect(retryAfterMs(`${day}, 22 Nov 2026 10:00:30 GMT`, NOW)).toBe(30_000);
});
