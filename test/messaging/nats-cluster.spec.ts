import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'nats';
import { MINUTE_MS } from '@lib/domain/durations';
import { connectNats } from '@lib/messaging/nats-transport';
import { WORK_STREAM } from '@lib/messaging/subjects';
import { Broker } from '../support/broker';
import { eventually } from './eventually';

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

it(
  'hands over work with two of three servers, also after all of them ended',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'research-cluster-'));
    const brokers = await Broker.startCluster(['one', 'two', 'three'].map((name) => join(folder, name)));
    const url = brokers.map((broker) => broker.url).join();
    // The worker is not told how many servers keep the stream.
    const [saga, worker] = await Promise.all([
      connectNats({ url, name: 'saga', prefix: '', keepsStream: true, streamReplicas: 3 }),
      connectNats({ url, name: 'worker', prefix: '' }),
    ]);
    try {
      await eventually('queued', () => saga.dispatch({ kind: 'explore', jobId: 'job_1' }), MINUTE_MS);
      let handed = '';
      await worker.consume({ kind: 'explore' }, 1, async ({ work, ack }) => {
        handed = 'jobId' in work ? work.jobId : '';
        ack();
      });
      await eventually('job_1', async () => handed, MINUTE_MS);

      await Promise.all(brokers.map((broker) => broker.kill()));
      await Promise.all(brokers.slice(1).map((broker) => broker.start()));
      await eventually('queued', () => saga.dispatch({ kind: 'explore', jobId: 'job_2' }), MINUTE_MS);
      await eventually(true, async () => handed !== 'job_1', MINUTE_MS);
      expect(handed).toBe('job_2');
    } finally {
      await Promise.all([saga.close(), worker.close()]);
      for (const broker of brokers) if (broker.isRunning) await broker.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  3 * MINUTE_MS,
);
