import { readTraceparent, requestSpanId, traceparentOf } from '@lib/domain/trace-context';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

it.each([
  ['01', true],
  ['00', false],
  ['03', true],
  ['fe', false],
])('the flags %s say whether spans are exported: %s', (flags, sampled) => {
  expect(readTraceparent(`00-${traceId}-${spanId}-${flags}`)).toEqual({ traceId, spanId, sampled });
});

it.each([
  undefined,
  null,
  7,
  '',
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `01-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `x00-${traceId}-${spanId}-01`,
])('%p is no traceparent', (given) => expect(readTraceparent(given)).toBeNull());

it('is written as it was read, and names the span of the request by its trace', () => {
  for (const flags of ['00', '01']) {
    const text = `00-${traceId}-${spanId}-${flags}`;
    const read = readTraceparent(text);
    expect(read && traceparentOf(read)).toBe(text);
  }
  expect(requestSpanId(traceId)).toBe('8448eb211c80319c');
});
