import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { ACK_WAIT_MS, describeTransport } from './transport.contract';

describeTransport('memory transport', async () => {
  const transport = createMemoryTransport({ ackWaitMs: ACK_WAIT_MS });
  return { connect: async () => transport, close: () => transport.close() };
});
