import { setTimeout as delay } from 'node:timers/promises';
import { connect, type NatsConnection } from 'nats';
import { WORK_STREAM } from '@lib/messaging/subjects';
import type { Broker } from '../../support/broker';
import type { Deployment } from '../deployment';
import type { FaultKind } from '../schedule';
import { Random } from '../random';
import type { Evidence, Fault } from './evidence';
import { held } from './held';

const oneOf = ({ supervisor }: Deployment, seed: number): Broker => new Random(seed).pick(supervisor.brokers);

const killed: Fault = async (deployment, { forMs, seed }) => {
  const broker = oneOf(deployment, seed);
  await broker.kill();
  const seen = broker.isRunning ? null : 'killed';
  await delay(forMs);
  await broker.start();
  return seen;
};

const frozen: Fault = async (deployment, { forMs, seed }) => {
  const { pid } = oneOf(deployment, seed);
  process.kill(pid, 'SIGSTOP');
  await delay(forMs);
  process.kill(pid, 'SIGCONT');
  return 'stopped';
};

/** Of a cluster: one server loses its disk, or all of them do. */
const wiped: Fault = async (deployment, { forMs, seed }) => {
  const { brokers } = deployment.supervisor;
  const wiping = new Random(seed).chance(0.5) ? brokers : [oneOf(deployment, seed)];
  await Promise.all(wiping.map((broker) => broker.kill()));
  await Promise.all(wiping.map((broker) => broker.wipe()));
  await delay(forMs);
  await Promise.all(wiping.map((broker) => broker.start()));
  await deployment.replicate();
  return wiping.length > 1 ? 'every store removed' : 'a store removed';
};

/** Two of three are down: JetStream refuses everything, requests still pass. */
const withoutQuorum: Fault = async (deployment, { forMs, seed }) => {
  const down = new Random(seed).shuffled(deployment.supervisor.brokers).slice(1);
  await Promise.all(down.map((broker) => broker.kill()));
  await delay(forMs);
  await Promise.all(down.map((broker) => broker.start()));
  return `${down.length} of ${deployment.supervisor.brokers.length} were down`;
};

const diskFull: Fault = async (deployment, { forMs }) => {
  const free = await deployment.disks.fill('jetstream');
  let seen: Evidence = null;
  try {
    seen = await withConnection(deployment, (connection) =>
      held(forMs, async () => {
        const refused = await connection
          .request('work.step.provider-e.job_of_the_nemesis.stp_1', 'x'.repeat(500_000), { timeout: 1000 })
          .then((answer) => answer.json<{ error?: unknown }>().error !== undefined)
          .catch(() => true);
        return refused ? 'a message was not stored' : null;
      }),
    );
  } finally {
    await free();
  }
  // As its operator does: a server that could not write refuses to go on.
  for (const broker of deployment.supervisor.brokers) {
    await broker.kill();
    await broker.start();
  }
  return seen;
};

export async function withConnection<Result>(
  deployment: Deployment,
  use: (connection: NatsConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect({ servers: deployment.brokerUrls(), ignoreClusterUpdates: true, timeout: 10_000 });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** Subjects of the work entries that nobody has acknowledged, with what each queue makes of them. */
export async function unacknowledged(deployment: Deployment): Promise<string[]> {
  return withConnection(deployment, async (connection) => {
    const manager = await connection.jetstreamManager({ checkAPI: false });
    const { state } = await manager.streams.info(WORK_STREAM, { subjects_filter: '>' });
    if (state.messages === 0) return [];
    const consumers = await manager.consumers.list(WORK_STREAM).next();
    const holding = consumers.filter(({ num_ack_pending: held, num_pending: waiting }) => held + waiting > 0);
    const queues = holding.map(({ name, num_ack_pending: held, num_pending: waiting }) => `${name} holds ${held} of ${held + waiting}`);
    return [...Object.keys(state.subjects ?? {}), ...queues];
  });
}

/** @returns those that fit what was started */
export const brokerFaults = (deployment: Deployment): Partial<Record<FaultKind, Fault>> => ({
  'broker killed': killed,
  'broker frozen': frozen,
  'broker wiped': wiped,
  ...(deployment.supervisor.brokers.length > 1 ? { 'broker without a quorum': withoutQuorum } : {}),
  ...(deployment.disks.has('jetstream') && deployment.supervisor.brokers.length === 1 ? { 'broker disk full': diskFull } : {}),
});
