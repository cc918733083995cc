import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { connect } from 'nats';
import { holdings } from '@lib/memory/holdings';
import { connectNats, type NatsTransportOptions } from '@lib/messaging/nats-transport';
import type { Delivery, Transport } from '@lib/messaging/transport';
import { freeze } from '../servers/freeze';
import { startNats, type NatsOptions, type RunningNats } from '../servers/nats';
import { Arrivals } from './arrivals';
import { eventually } from './eventually';
import { ACK_WAIT_MS, describeTransport, step, STEPS } from './transport.contract';

const transports: Transport[] = [];
const servers: RunningNats[] = [];
const warnings = new Arrivals<Record<string, unknown>>();

const open = async (options: Partial<NatsTransportOptions> = {}): Promise<Transport> => {
  const url = process.env.TEST_NATS_URL ?? '';
  const logger = { warn: (fields: object) => warnings.push({ ...fields }) };
  const transport = await connectNats({ url, prefix: newPrefix(), name: 'test', ackWaitMs: ACK_WAIT_MS, logger, ...options });
  transports.push(transport);
  return transport;
};

const newPrefix = (): string => `test-${randomBytes(6).toString('hex')}`;

const startServer = async (options: NatsOptions = {}): Promise<RunningNats> => {
  const server = await startNats(options);
  servers.push(server);
  return server;
};

/** Acknowledges each entry and shows its step. */
const consume = async (transport: Transport, slots = 2): Promise<Arrivals<string>> => {
  const taken = new Arrivals<string>();
  await transport.consume(STEPS, slots, async (delivery: Delivery) => {
    delivery.ack();
    taken.push(delivery.work.kind === 'step' ? delivery.work.stepId : '');
  });
  return taken;
};

const warningOf = async (reason: string): Promise<Record<string, unknown>> => {
  for (;;) {
    const warning = await warnings.next();
    if (warning.reason === reason) return warning;
  }
};

/** A client of its own, for what only an operator or an accident does. */
const asOperator = async <Result>(
  url: string,
  act: (connection: Awaited<ReturnType<typeof connect>>) => Promise<Result>,
): Promise<Result> => {
  const connection = await connect({ servers: url.replace('nats://', '') });
  try {
    return await act(connection);
  } finally {
    await connection.drain();
  }
};

afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  await Promise.all(servers.splice(0).map((server) => server.kill()));
});

describeTransport('NATS transport', async () => {
  const prefix = newPrefix();
  return { connect: () => open({ prefix }), close: async () => void (await Promise.all(transports.splice(0).map((each) => each.close()))) };
});

describe('NATS transport: several deployments on one server', () => {
  it('do not see each other', async () => {
    const [ours, theirs] = [await open(), await open()];
    const [taken, foreign] = [await consume(ours), await consume(theirs)];
    await theirs.serve('step.claim', async () => 'theirs');

    await ours.dispatch(step(1));
    await taken.next();
    await theirs.dispatch(step(2));
    await foreign.next();

    expect([...taken.unseen, ...foreign.unseen]).toEqual([]);
    await expect(ours.request('step.claim', {}, 1_000)).rejects.toMatchObject({ reason: 'no_responders' });
  });

  it.each(['a.b', 'a*', 'a b', '>'])('refuse the prefix %j', async (prefix) => {
    await expect(open({ prefix })).rejects.toThrow(/prefix .* is not usable/);
  });

  it('take over a changed ack_wait from each other', async () => {
    const prefix = newPrefix();
    await consume(await open({ prefix, ackWaitMs: 60_000 }));
    const taken = await consume(await open({ prefix }));
    const url = process.env.TEST_NATS_URL ?? '';

    const info = await asOperator(url, async (connection) =>
      (await connection.jetstreamManager()).consumers.info(`${prefix}_RESEARCH_WORK`, 'step-provider-a'),
    );

    expect(info.config.ack_wait).toBe(ACK_WAIT_MS * 1e6);
    expect(taken.unseen).toEqual([]);
  });
});

describe('NATS transport: payloads', () => {
  it('refuses a request above the limit of the server, and a reply above it', async () => {
    const { url } = await startServer({ maxPayload: 4096 });
    const transport = await open({ url });
    await transport.serve('step.report', async () => 'x'.repeat(5_000));

    expect(transport.maxPayloadBytes()).toBe(4096);
    await expect(transport.request('step.report', 'x'.repeat(5_000), 1_000)).rejects.toMatchObject({
      reason: 'rejected',
      message: 'step.report: 5002 bytes are more than the 4096 that the NATS server takes',
    });
    await expect(transport.request('step.report', {}, 1_000)).rejects.toThrow(/5002 bytes are more than the 4096/);
  });

  it('says at once what is wrong with messages on a subject, and then once a minute how many there were', async () => {
    const prefix = newPrefix();
    const told: object[] = [];
    const logger = { warn: (fields: object) => void (JSON.stringify(fields).includes('limits') && told.push(fields)) };
    const transport = await open({ prefix, logger });
    const arrived = new Arrivals<unknown>();
    await transport.subscribe('limits', (payload) => arrived.push(payload));
    const send = (...texts: string[]) =>
      asOperator(process.env.TEST_NATS_URL ?? '', async (connection) => {
        for (const text of texts) connection.publish(`${prefix}.limits`, text);
        connection.publish(`${prefix}.limits`, '"end"');
      });
    await send(...Array<string>(1_000).fill('a secret of a stranger'));
    await arrived.next();
    const line = { reason: 'listener_failed', subject: `${prefix}.limits`, error: 'NatsError', why: 'Bad JSON' };
    expect(told).toEqual([{ ...line, times: 1 }]);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    await send('{');
    await arrived.next();
    clock.mockRestore();
    expect(told.slice(1)).toEqual([{ ...line, times: 1_000 }]);
  });

  it('answers a request that is not JSON with an error, and goes on serving', async () => {
    const prefix = newPrefix();
    const transport = await open({ prefix });
    await transport.serve('step.claim', async (payload) => payload);
    const url = process.env.TEST_NATS_URL ?? '';

    const answer = await asOperator(url, (connection) => connection.request(`${prefix}.step.claim`, '{"v":'));

    expect(answer.headers?.has('Research-Error')).toBe(true);
    expect(await transport.request('step.claim', { v: 1 }, 1_000)).toEqual({ v: 1 });
  });

  it.each([
    ['not JSON', 'job_9.stp_9', '{"v":'],
    ['not an object', 'job_9.stp_9', 'null'],
    ['another wire version', 'job_9.stp_9', '{"v":0,"kind":"step","provider":"provider-a","jobId":"job_9","stepId":"stp_9"}'],
    ['ids that differ from its subject', 'job_9.stp_9', '{"v":1,"kind":"step","provider":"provider-a","jobId":"job_8","stepId":"stp_9"}'],
    ['ids that differ from its subject', 'job_9.stp_9', '{"v":1}'],
    ['ids that differ from its subject', 'job_9.stp_9', '{"v":1,"kind":"cancel","provider":"provider-a","jobId":"job_9","stepId":"stp_9"}'],
  ])('drops a work entry that is poison (%s), says why without its content, and goes on', async (why, ids, payload) => {
    const prefix = newPrefix();
    const transport = await open({ prefix });
    const taken = await consume(transport, 1);
    const stream = `${prefix}_RESEARCH_WORK`;

    await asOperator(process.env.TEST_NATS_URL ?? '', (connection) =>
      connection.jetstream().publish(`${prefix}.work.step.provider-a.${ids}`, payload),
    );

    expect(await warningOf('poison_message')).toMatchObject({ why });
    await transport.dispatch(step(1));
    expect(await taken.next()).toBe('stp_1');
    await eventually(0, () =>
      asOperator(
        process.env.TEST_NATS_URL ?? '',
        async (connection) => (await (await connection.jetstreamManager()).streams.info(stream)).state.messages,
      ),
    );
  });
});

it('keeps no more requests without an answer than it has room for, and nothing of what they said', async () => {
  const [asking, serving] = await (async (prefix) => [await open({ prefix }), await open({ prefix })] as const)(newPrefix());
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  await serving.serve('step.claim', () => mayAnswer.then(() => 'granted'));
  const outcomes = Array.from({ length: 17_000 }, () =>
    asking.request('step.claim', {}, 120_000).catch((error: Error) => error.message.replace(/.*: \d+/, 'refused:')),
  );
  const held = () => holdings().find(({ name }) => name === 'requests under way');
  expect(held()).toMatchObject({ items: 16 * 1024, bytes: 16 * 1024 * 1024 });
  answer();
  const told = await Promise.all(outcomes);
  expect(told.filter((outcome) => outcome === 'granted')).toHaveLength(16 * 1024);
  expect(told.filter((outcome) => outcome === 'refused: others have no answer yet')).toHaveLength(17_000 - 16 * 1024);
  expect(held()).toMatchObject({ items: 0 });
}, 120_000);

it('leaves a work entry that a newer build wrote to those who can read it', async () => {
  const prefix = newPrefix();
  const transport = await open({ prefix });
  const taken = await consume(transport, 1);
  const url = process.env.TEST_NATS_URL ?? '';
  const payload = '{"v":2,"kind":"step","provider":"provider-a","jobId":"job_9","stepId":"stp_9"}';
  await asOperator(url, (connection) => connection.jetstream().publish(`${prefix}.work.step.provider-a.job_9.stp_9`, payload));
  expect(await warningOf('newer_message')).toMatchObject({ why: 'a newer wire version' });
  await transport.dispatch(step(1));
  expect(await taken.next()).toBe('stp_1');
  await eventually(1, () =>
    asOperator(
      url,
      async (connection) => (await (await connection.jetstreamManager()).streams.info(`${prefix}_RESEARCH_WORK`)).state.messages,
    ),
  );
});

describe('NATS transport: outages', () => {
  it('goes on after the server was killed and started again on its store, and keeps what was queued', async () => {
    const storeDir = await mkdtemp(join(tmpdir(), 'research-nats-store-'));
    const first = await startServer({ storeDir });
    const transport = await open({ url: first.url, prefix: '' });
    const back = new Arrivals<string>();
    transport.onReconnect(() => back.push('back'));
    await transport.serve('step.claim', async () => 'granted');
    await transport.dispatch(step(1));

    await first.kill();
    const killedAt = performance.now();
    await eventually(null, async () => transport.connectedForMs());
    expect(await transport.dispatch(step(2))).toBe('not_dispatched');
    await expect(transport.request('step.claim', {}, 1_000)).rejects.toMatchObject({ reason: 'disconnected' });
    const taken = await consume(transport);
    await startServer({ port: first.port, storeDir });
    await back.next();

    await eventually('granted', () => transport.request('step.claim', {}, 1_000).catch((error: Error) => error.message));
    expect(await taken.next()).toBe('stp_1');
    await eventually('queued', () => transport.dispatch(step(3)));
    expect(await taken.next()).toBe('stp_3');
    expect(transport.connectedForMs()).toBeLessThan(performance.now() - killedAt);
    await rm(storeDir, { recursive: true });
  });

  it('hands over again what was not acknowledged when the server ended, and writes no file for what it hands over', async () => {
    const storeDir = await mkdtemp(join(tmpdir(), 'research-nats-store-'));
    const first = await startServer({ storeDir });
    const transport = await open({ url: first.url, prefix: '', ackWaitMs: 60_000 });
    const handed = new Arrivals<Delivery>();
    await transport.consume(STEPS, 2, async (delivery) => handed.push(delivery));
    await transport.dispatch(step(1));
    await transport.dispatch(step(2));
    const [done, left] = [await handed.next(), await handed.next()];
    done.ack();
    await eventually(1, async () => (await transport.backlog())[0]?.unacknowledged);
    const files = await readdir(storeDir, { recursive: true });
    expect(files.filter((name) => name.includes(`obs${sep}step`))).toEqual([]);

    await first.kill();
    await startServer({ port: first.port, storeDir });
    expect((await handed.next()).work).toEqual(left.work);
    await rm(storeDir, { recursive: true });
  });

  it('tells of a dispatch whose answer is lost that it is not known, and finds its one entry there when it is sent again', async () => {
    const server = await startServer();
    const transport = await open({ url: server.url, prefix: '' });
    expect(await transport.dispatch(step(1))).toBe('queued');
    await freeze(server.pid);
    const unknown = await transport.dispatch(step(2)).finally(() => process.kill(server.pid, 'SIGCONT'));
    expect(unknown).toBe('not_dispatched');
    expect(await warningOf('not_dispatched')).toMatchObject({ code: 'timeout', stepId: 'stp_2' });
    await eventually('already_queued', () => transport.dispatch(step(2)));
    const taken = await consume(transport);
    expect([await taken.next(), await taken.next()].toSorted()).toEqual(['stp_1', 'stp_2']);
    expect(await transport.dispatch(step(3))).toBe('queued');
    expect(await taken.next()).toBe('stp_3');
  });

  it('comes up by itself where the server is started later', async () => {
    const { port, kill } = await startServer();
    await kill();
    const transport = await open({ url: `nats://127.0.0.1:${port}` });
    expect(transport.connectedForMs()).toBeNull();
    const back = new Arrivals<string>();
    transport.onReconnect(() => back.push('back'));
    const taken = await consume(transport);
    await transport.serve('step.claim', async () => 'granted');
    expect(await transport.dispatch(step(1))).toBe('not_dispatched');

    await startServer({ port });
    await back.next();

    expect(await transport.request('step.claim', {}, 5_000)).toBe('granted');
    await eventually('queued', () => transport.dispatch(step(1)));
    expect(await taken.next()).toBe('stp_1');
  });

  it('comes up again at once though the clock was set back by hours', async () => {
    const RealNow = Date.now;
    let aheadMs = 3 * 3_600_000;
    jest.spyOn(Date, 'now').mockImplementation(() => RealNow() + aheadMs);
    const first = await startServer();
    const transport = await open({ url: first.url });
    const back = new Arrivals<string>();
    transport.onReconnect(() => back.push('back'));
    await transport.serve('step.claim', async () => 'granted');

    await first.kill();
    await eventually(null, async () => transport.connectedForMs());
    aheadMs = 0;
    const listening = await transport.subscribe('words', () => undefined);
    // Without a connection there is nothing to wait for.
    await listening.stop();
    await startServer({ port: first.port });

    await back.next();
    expect(await transport.request('step.claim', {}, 5_000)).toBe('granted');
    jest.restoreAllMocks();
  });

  it('tries a server that is gone twice a second, and not more often', async () => {
    const first = await startServer();
    const transport = await open({ url: first.url });
    await first.kill();
    await eventually(null, async () => transport.connectedForMs());
    let tries = 0;
    // Before the first try: when that is heard of on a busy machine, the next one may be under way.
    const began = performance.now();
    const refusing = createServer((socket) => {
      tries += 1;
      socket.on('error', () => undefined).destroy();
    }).listen(first.port, '127.0.0.1');
    await once(refusing, 'connection');
    while (tries < 4) await once(refusing, 'connection');
    expect(performance.now() - began).toBeGreaterThan(1_200);
    refusing.close();
  });

  it('can be closed while the server never answers', async () => {
    const { port, kill } = await startServer();
    await kill();
    const transport = await open({ url: `nats://127.0.0.1:${port}` });
    await consume(transport);

    await expect(transport.close()).resolves.toBeUndefined();
  });

  it('makes the queue again when the store is wiped while it runs', async () => {
    const prefix = newPrefix();
    const transport = await open({ prefix });
    const taken = await consume(transport);
    await transport.dispatch(step(1));
    await taken.next();

    await asOperator(process.env.TEST_NATS_URL ?? '', async (connection) =>
      (await connection.jetstreamManager()).streams.delete(`${prefix}_RESEARCH_WORK`),
    );

    await eventually('queued', () => transport.dispatch(step(2)));
    expect(await taken.next()).toBe('stp_2');
  });

  it('makes the queue again when the server comes back with an empty store', async () => {
    const first = await startServer();
    const transport = await open({ url: first.url });
    const back = new Arrivals<string>();
    transport.onReconnect(() => back.push('back'));
    const taken = await consume(transport);
    await transport.dispatch(step(1));
    await taken.next();

    await first.kill();
    await startServer({ port: first.port });
    await back.next();

    await eventually('queued', () => transport.dispatch(step(2)));
    expect(await taken.next()).toBe('stp_2');
  });

  it('makes a consumer again that somebody deleted', async () => {
    const prefix = newPrefix();
    const transport = await open({ prefix });
    const taken = await consume(transport);

    await asOperator(process.env.TEST_NATS_URL ?? '', async (connection) =>
      (await connection.jetstreamManager()).consumers.delete(`${prefix}_RESEARCH_WORK`, 'step-provider-a'),
    );

    await transport.dispatch(step(1));
    expect(await taken.next()).toBe('stp_1');
  });

  it.each([
    ['the size of an entry', { max_msg_size: 5 }],
    ['how many entries there may be', { max_msgs: 1 }],
  ])('puts the rules of the queue right where an operator has limited %s, and does not touch its room', async (_, limit) => {
    const prefix = newPrefix();
    const transport = await open({ prefix });
    await transport.dispatch(step(1));
    await asOperator(process.env.TEST_NATS_URL ?? '', async (connection) =>
      (await connection.jetstreamManager()).streams.update(`${prefix}_RESEARCH_WORK`, { ...limit, max_bytes: 10_000 }),
    );
    expect(await transport.dispatch(step(2))).toBe('queued');
    const { config } = await asOperator(process.env.TEST_NATS_URL ?? '', async (connection) =>
      (await connection.jetstreamManager()).streams.info(`${prefix}_RESEARCH_WORK`),
    );
    expect(config).toMatchObject({ max_msgs: -1, max_msg_size: -1, max_bytes: 10_000 });
  });

  it('says in the words of the server why an entry was not dispatched', async () => {
    const prefix = newPrefix();
    const refused: object[] = [];
    const transport = await open({ prefix, logger: { warn: (fields: object) => refused.push(fields) } });
    await transport.dispatch(step(1));
    await asOperator(process.env.TEST_NATS_URL ?? '', async (connection) =>
      (await connection.jetstreamManager()).streams.update(`${prefix}_RESEARCH_WORK`, { max_bytes: 10 }),
    );
    expect(await transport.dispatch(step(2))).toBe('not_dispatched');
    const refusal = expect.objectContaining({
      reason: 'not_dispatched',
      said: 'maximum bytes exceeded',
      remedy: expect.stringContaining(`nats stream rm ${prefix}_RESEARCH_WORK`),
    });
    const complaints = () => refused.filter((fields) => 'said' in fields);
    expect(complaints()).toEqual([refusal]);
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now');
    for (const [seconds, warnings] of [
      [58, 1],
      [61, 2],
      [62, 2],
      [130, 3],
    ] as const) {
      clock.mockReturnValue(now + seconds * 1_000);
      expect(await transport.dispatch(step(2))).toBe('not_dispatched');
      expect(complaints()).toEqual(Array<object>(warnings).fill(refusal as object));
    }
    clock.mockRestore();
  });

  it('tells what waits in the other queues where the broker tells nothing of one', async () => {
    const prefix = newPrefix();
    const refused: object[] = [];
    const transport = await open({ prefix, logger: { warn: (fields: object) => refused.push(fields) } });
    await consume(transport);
    await transport.consume({ kind: 'synthesis' }, 1, async ({ ack }) => ack());
    const others = async () => (await transport.backlog()).filter(({ queue }) => queue.kind === 'synthesis');
    await asOperator(process.env.TEST_NATS_URL ?? '', async (connection) => {
      const manager = await connection.jetstreamManager();
      // It is made again at once, sometimes before it is asked for.
      await eventually(true, async () => {
        await manager.consumers.delete(`${prefix}_RESEARCH_WORK`, 'step-provider-a').catch(() => false);
        expect(await others()).toEqual([{ queue: { kind: 'synthesis' }, pending: 0, unacknowledged: 0 }]);
        return refused.some((fields) => 'reason' in fields && fields.reason === 'queue_not_counted');
      });
    });
  });
});

describe('NATS transport: the address', () => {
  it.each(['localhost:4222', 'http://localhost', 'nats://', ''])('refuses %j with a remedy', async (url) => {
    await expect(open({ url })).rejects.toThrow(/NATS address .* is not usable: write nats:\/\//);
  });

  it('does not repeat a password', async () => {
    await expect(open({ url: 'nat://me:geheim@host:4222' })).rejects.not.toThrow(/geheim/);
  });

  it('carries the user and the password to the server', async () => {
    const { url } = await startServer({ user: 'research', password: 'p@ss' });
    const withCredentials = url.replace('nats://', 'nats://research:p%40ss@');

    expect((await open({ url: withCredentials })).connectedForMs()).not.toBeNull();
    expect((await open({ url })).connectedForMs()).toBeNull();
  });
});

it('uses the queue that exists on a server without room for another one', async () => {
  const { url } = await startServer({ maxStore: 200 * 1024 * 1024 });
  const prefix = newPrefix();
  const [maker, user] = [await open({ url, prefix }), await open({ url, prefix })];
  expect(await maker.dispatch(step(1))).toBe('queued');
  const taken = await consume(user);
  expect(await taken.next()).toBe('stp_1');
});

it('keeps no entry for ever: what nobody takes within an hour is dispatched again, and so is what no longer fits', async () => {
  const prefix = newPrefix();
  await (await open({ prefix })).dispatch({ kind: 'synthesis', jobId: 'job_1', first: true });
  const { config } = await asOperator(process.env.TEST_NATS_URL ?? '', async (connection) =>
    (await connection.jetstreamManager()).streams.info(`${prefix}_RESEARCH_WORK`),
  );
  const hourInNanoseconds = 3_600_000_000_000;
  expect(config).toMatchObject({ max_age: hourInNanoseconds, max_bytes: 128 * 1024 * 1024, storage: 'file', retention: 'workqueue' });
});

it('hands over hundreds of entries a second', async () => {
  const transport = await open();
  const taken = await consume(transport, 64);
  const start = performance.now();

  await Promise.all(Array.from({ length: 2_000 }, (_, number) => transport.dispatch(step(number))));
  const ids = new Set<string>();
  while (ids.size < 2_000) ids.add(await taken.next());

  expect(2_000 / ((performance.now() - start) / 1_000)).toBeGreaterThan(300);
});
