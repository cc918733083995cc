import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'nats';
import { connectNats } from '@lib/messaging/nats-transport';
import { WORK_STREAM } from '@lib/messaging/subjects';
import { Broker } from '../support/broker';
import { eventually } from './eventually';

const MINUTE_MS = 60_000;

it(
  'makes the work stream on as many servers of a cluster as it is told, so that work is dispatched while one of them is gone',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'research-cluster-'));
    const brokers = await Broker.startCluster(['one', 'two', 'three'].map((name) => join(folder, name)));
    const url = brokers.map((broker) => broker.url).join();
    const transport = await connectNats({ url, name: 'saga', prefix: '', keepsStream: true, streamReplicas: 3 });
    try {
      await eventually('queued', () => transport.dispatch({ kind: 'explore', jobId: 'job_1' }), MINUTE_MS);
      const client = await connect({ servers: url.split(',') });
      const manager = await client.jetstreamManager();
      const { config, cluster } = await manager.streams.info(WORK_STREAM);
      expect(config.num_replicas).toBe(3);
      await client.close();
      const leader = brokers.findIndex((_, place) => cluster?.leader === `node-${place + 1}`);
      await brokers[leader]?.kill();
      await eventually('queued', () => transport.dispatch({ kind: 'explore', jobId: 'job_2' }), MINUTE_MS);
    } finally {
      await transport.close();
      for (const broker of brokers) if (broker.isRunning) await broker.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  3 * MINUTE_MS,
);
