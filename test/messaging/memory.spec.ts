import { holdings } from '@lib/memory/holdings';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { eventually } from './eventually';
import { ACK_WAIT_MS, describeTransport } from './transport.contract';

describeTransport('memory transport', async () => {
  const transport = createMemoryTransport({ ackWaitMs: ACK_WAIT_MS });
  return { connect: async () => transport, close: () => transport.close() };
});

it('a queue takes no more than it has room for: the rest stays on the agenda', async () => {
  const transport = createMemoryTransport();
  const dispatch = (jobId: string) => transport.dispatch({ kind: 'synthesis', jobId, first: true });
  const dispatched: string[] = [];
  for (let job = 0; job < 20_000; job += 1) dispatched.push(await dispatch(`job_${job}`));
  const refusedFrom = dispatched.indexOf('not_dispatched');
  expect(dispatched.lastIndexOf('queued')).toBe(refusedFrom - 1);
  expect(holdings().find(({ name }) => name === 'work queues')).toMatchObject({ items: refusedFrom, bytes: 16 * 1024 * 1024 });
  expect(await dispatch('job_0')).toBe('already_queued');
  const taken = await transport.consume({ kind: 'synthesis' }, 1, ({ ack }) => Promise.resolve(ack()));
  await eventually('queued', () => dispatch('job_later'));
  await taken.stop();
  await transport.close();
});
