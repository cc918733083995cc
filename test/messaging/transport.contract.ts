import { setTimeout as sleep } from 'node:timers/promises';
import type { Work, WorkQueue } from '@lib/messaging/subjects';
import { NO_ANSWER, RequestFailed, type Delivery, type Subscription, type Transport } from '@lib/messaging/transport';
import { Arrivals } from './arrivals';
import { eventually } from './eventually';

/** How long an entry in these tests waits for its acknowledgement. */
export const ACK_WAIT_MS = 400;

export interface TransportUnderTest {
  /** As one process would; all of them share the wire. In one process they are the same object. */
  connect(): Promise<Transport>;
  close(): Promise<void>;
}

export const STEPS: WorkQueue = { kind: 'step', provider: 'provider-a' };
const SYNTHESES = { kind: 'synthesis' } as const;

export const step = (number: number): Work => ({
  kind: 'step',
  provider: 'provider-a',
  jobId: 'job_1',
  stepId: `stp_${number}`,
  resumes: false,
});

/** What each transport promises, whatever carries it. */
export const describeTransport = (name: string, begin: () => Promise<TransportUnderTest>): void => {
  let wire: TransportUnderTest;
  let here: Transport;
  let there: Transport;

  beforeEach(async () => {
    wire = await begin();
    [here, there] = await Promise.all([wire.connect(), wire.connect()]);
  });

  afterEach(() => wire.close());

  /** Takes deliveries and leaves each one open until the test says otherwise. */
  const take = async (
    transport: Transport,
    queue: WorkQueue,
    slots: number,
  ): Promise<Arrivals<OpenDelivery> & { subscription: Subscription }> => {
    const arrivals = new Arrivals<OpenDelivery>();
    const subscription = await transport.consume(
      queue,
      slots,
      (delivery) => new Promise((end, fail) => arrivals.push({ delivery, end, fail })),
    );
    return Object.assign(arrivals, { subscription });
  };

  const acknowledge = ({ delivery, end }: OpenDelivery): void => {
    delivery.ack();
    end();
  };

  describe(`${name}: work`, () => {
    it('reaches a consumer that came later, with its ids', async () => {
      expect(await here.dispatch(step(1))).toBe('queued');
      const taken = await take(there, STEPS, 1);

      const first = await taken.next();

      expect(first.delivery.work).toEqual(step(1));
      expect(first.delivery.deliveries).toBe(1);
      acknowledge(first);
    });

    it('says how many of its queue wait behind it', async () => {
      for (const number of [1, 2, 3]) await here.dispatch(step(number));
      const taken = await take(there, STEPS, 1);
      for (const behind of [2, 1, 0]) {
        const one = await taken.next();
        expect(one.delivery.behind).toBe(behind);
        acknowledge(one);
      }
    });

    it('says where in a trace it was dispatched, if anybody does, each time that it comes', async () => {
      const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: false };
      await here.dispatch(step(1), trace);
      const taken = await take(there, STEPS, 2);
      const first = await taken.next();
      expect(first.delivery.trace).toEqual(trace);
      first.delivery.retryAfter(10);
      first.end();
      const second = await taken.next();
      expect(second.delivery).toMatchObject({ deliveries: 2, trace });
      acknowledge(second);
      await here.dispatch(step(2));
      const untraced = await taken.next();
      expect(untraced.delivery.trace).toBeNull();
      acknowledge(untraced);
    });

    it('says whether the step goes on with a run', async () => {
      const taken = await take(there, STEPS, 1);
      const resumed: Work = { kind: 'step', provider: 'provider-a', jobId: 'job_1', stepId: 'stp_1', resumes: true };
      await here.dispatch(resumed);

      const first = await taken.next();

      expect(first.delivery.work).toEqual(resumed);
      acknowledge(first);
    });

    it('goes to the queue of its provider and of its kind only', async () => {
      const [steps, syntheses] = [await take(there, STEPS, 1), await take(there, SYNTHESES, 1)];
      await here.dispatch({ kind: 'step', provider: 'provider-b', jobId: 'job_1', stepId: 'stp_1', resumes: false });
      await here.dispatch({ kind: 'synthesis', jobId: 'job_1', first: true });
      await here.dispatch(step(1));

      const [gotStep, gotSynthesis] = [await steps.next(), await syntheses.next()];

      expect(gotStep.delivery.work).toEqual(step(1));
      expect(gotSynthesis.delivery.work).toEqual({ kind: 'synthesis', jobId: 'job_1', first: true });
      [gotStep, gotSynthesis].forEach(acknowledge);
    });

    it('never fills more than the slots, and fills each one that becomes free', async () => {
      let running = 0;
      let most = 0;
      const done = new Arrivals<string>();
      await there.consume(STEPS, 3, async (delivery) => {
        most = Math.max(most, ++running);
        // Longer than a turn of the event loop, so that entries meet.
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        delivery.ack();
        done.push(delivery.work.kind === 'step' ? delivery.work.stepId : '');
      });

      await Promise.all(Array.from({ length: 30 }, (_, number) => here.dispatch(step(number))));
      const ids = new Set<string>();
      while (ids.size < 30) ids.add(await done.next());

      expect(most).toBe(3);
    });

    it('is shared by two consumers of one queue', async () => {
      const [mine, yours] = [await take(here, STEPS, 1), await take(there, STEPS, 1)];
      await Promise.all([here.dispatch(step(1)), here.dispatch(step(2))]);

      const both = await Promise.all([mine.next(), yours.next()]);

      expect(both.map(({ delivery }) => delivery.work)).toEqual(expect.arrayContaining([step(1), step(2)]));
      both.forEach(acknowledge);
    });

    it('is refused while the same piece still waits or is held, and taken again once it is acknowledged', async () => {
      await here.dispatch(step(1));
      expect(await here.dispatch(step(1))).toBe('already_queued');
      const taken = await take(there, STEPS, 1);
      const held = await taken.next();
      expect(await there.dispatch(step(1))).toBe('already_queued');

      acknowledge(held);

      await eventually('queued', () => here.dispatch(step(1)));
      const again = await taken.next();
      expect(again.delivery.deliveries).toBe(1);
      acknowledge(again);
    });

    it.each([
      ['rejects', ({ fail }: OpenDelivery) => fail(new Error('broken'))],
      ['ends without an acknowledgement', ({ end }: OpenDelivery) => end()],
    ])('comes again after a while when its handler %s', async (_, finish) => {
      const taken = await take(there, STEPS, 1);
      await here.dispatch(step(1));
      const start = performance.now();
      finish(await taken.next());

      const second = await taken.next();

      expect(second.delivery.deliveries).toBe(2);
      expect(performance.now() - start).toBeGreaterThan(ACK_WAIT_MS * 0.9);
      acknowledge(second);
    });

    it.each<{ queue: WorkQueue; work: Work }>([
      { queue: SYNTHESES, work: { kind: 'synthesis', jobId: 'job_1', first: true } },
      { queue: { kind: 'explore' }, work: { kind: 'explore', jobId: 'job_1' } },
    ])('that takes long ($queue.kind) comes to nobody while its handler runs, and again if that acknowledges nothing', async (long) => {
      const taken = new Arrivals<OpenDelivery>();
      for (const transport of [here, there])
        await transport.consume(long.queue, 1, (delivery) => new Promise((end, fail) => taken.push({ delivery, end, fail })));
      await here.dispatch(long.work);
      const first = await taken.next();
      await sleep(ACK_WAIT_MS * 4);
      const meanwhile = taken.unseen.length;
      first.end();
      const second = await taken.next();
      acknowledge(second);
      expect([meanwhile, second.delivery]).toMatchObject([0, { work: long.work, deliveries: 2 }]);
    });

    it('comes again after the delay that its handler asked for, and other work goes on meanwhile', async () => {
      const taken = await take(there, STEPS, 1);
      await here.dispatch(step(1));
      const first = await taken.next();
      const start = performance.now();
      first.delivery.retryAfter(ACK_WAIT_MS / 2);
      first.end();
      await here.dispatch(step(2));
      expect(await here.dispatch(step(1))).toBe('already_queued');

      const other = await taken.next();
      expect(other.delivery.work).toEqual(step(2));
      acknowledge(other);
      const second = await taken.next();

      expect(second.delivery).toMatchObject({ work: step(1), deliveries: 2 });
      expect(performance.now() - start).toBeGreaterThan(ACK_WAIT_MS * 0.45);
      acknowledge(second);
    });

    it('is left to others once a consumer stops, which waits for what is running', async () => {
      const mine = await take(here, STEPS, 1);
      await here.dispatch(step(1));
      const held = await mine.next();
      let ended = false;
      const stopping = mine.subscription.stop().then(() => (ended = true));
      const yours = await take(there, STEPS, 1);
      await here.dispatch(step(2));

      acknowledge(await yours.next());
      expect(ended).toBe(false);
      acknowledge(held);
      await stopping;

      expect(mine.unseen).toEqual([]);
    });
  });

  describe(`${name}: backlog`, () => {
    const counted = async (): Promise<string> => JSON.stringify(await there.backlog());
    const says = (pending: number, unacknowledged: number) =>
      eventually(JSON.stringify([{ queue: STEPS, pending, unacknowledged }]), counted);

    it('tells what was given to nobody and what nobody has acknowledged, of the queues that a process consumes', async () => {
      expect(await there.backlog()).toEqual([]);
      const taken = await take(there, STEPS, 1);
      await says(0, 0);
      await here.dispatch(step(1));
      const first = await taken.next();
      await here.dispatch(step(2));
      await here.dispatch({ kind: 'synthesis', jobId: 'job_1', first: false });
      await says(1, 1);
      acknowledge(first);
      acknowledge(await taken.next());
      await says(0, 0);
      await taken.subscription.stop();
      expect(await there.backlog()).toEqual([]);
    });
  });

  describe(`${name}: request`, () => {
    it('gets the answer of the one who serves it', async () => {
      await there.serve('step.claim', async (payload) => ({ heard: payload }));
      expect(await here.request('step.claim', [{ v: 1, claimId: 'ä' }], 5_000)).toEqual({ heard: [{ v: 1, claimId: 'ä' }] });
    });

    it('is answered once, by one of several who serve it', async () => {
      let answers = 0;
      const serve = async (): Promise<number> => ++answers;
      await here.serve('step.claim', serve);
      await there.serve('step.claim', serve);

      await Promise.all(Array.from({ length: 20 }, () => here.request('step.claim', null, 5_000)));

      expect(answers).toBe(20);
    });

    it.each([
      ['no_responders', 'nobody serves it', async () => undefined],
      [
        'timeout',
        'no answer comes in time',
        async () => void (await there.serve('step.claim', () => new Promise((end) => setTimeout(end, 200)))),
      ],
    ])('fails with %s when %s', async (reason, _, arrange) => {
      await arrange();
      await expect(here.request('step.claim', {}, 50)).rejects.toMatchObject({ name: 'RequestFailed', reason });
    });

    it('fails with what the serving side threw', async () => {
      await there.serve('step.claim', async () => {
        throw new Error('the ledger is closed – "für immer"');
      });

      const failure = await here.request('step.claim', {}, 5_000).catch((error: unknown) => error);

      expect(failure).toBeInstanceOf(RequestFailed);
      expect(failure).toMatchObject({
        reason: 'rejected',
        message: expect.stringContaining('the ledger is closed – "für immer"') as string,
      });
    });

    it('hears each part of an answer as soon as it is said, and none after its time', async () => {
      const more = new Arrivals<(part: string) => void>();
      const last = Promise.withResolvers<string>();
      await there.serve('step.claim', (_, say) => {
        more.push(say);
        return last.promise;
      });
      const heard = new Arrivals<unknown>();
      const answer = here.request('step.claim', {}, 5_000, heard.push);
      const impatient = here.request('step.claim', {}, 50, heard.push);
      const [say, sayToImpatient] = [await more.next(), await more.next()];

      say('first');
      say('second');

      expect([await heard.next(), await heard.next()]).toEqual(['first', 'second']);
      await expect(impatient).rejects.toMatchObject({ reason: 'timeout' });
      sayToImpatient('too late');
      say('third');
      expect(await heard.next()).toBe('third');
      last.resolve('last');
      expect(await answer).toBe('last');
      expect(heard.unseen).toEqual([]);
    });

    it('reaches all who are asked together; the first of them that has an answer gives it', async () => {
      const asked = new Arrivals<string>();
      const serveAs = (who: string, answer: unknown) => async () => {
        asked.push(who);
        return answer;
      };
      await here.serve('step.heartbeat', serveAs('here', NO_ANSWER), 'every');
      const answering = await there.serve('step.heartbeat', serveAs('there', 'yes'), 'every');

      expect(await here.request('step.heartbeat', {}, 5_000)).toBe('yes');
      expect([await asked.next(), await asked.next()].sort()).toEqual(['here', 'there']);
      await answering.stop();
      await expect(here.request('step.heartbeat', {}, 50)).rejects.toMatchObject({ reason: 'timeout' });
    });

    it('finds nobody after the serving side has stopped, which finishes what it began', async () => {
      const arrived = new Arrivals<(answer: string) => void>();
      const serving = await there.serve('step.claim', () => new Promise((answer) => arrived.push(answer)));
      const answer = here.request('step.claim', {}, 5_000);
      const finish = await arrived.next();
      const stopping = serving.stop();

      finish('late but there');

      expect(await answer).toBe('late but there');
      await stopping;
      await expect(here.request('step.claim', {}, 5_000)).rejects.toMatchObject({ reason: 'no_responders' });
    });
  });

  describe(`${name}: publish`, () => {
    it('tells everybody who listens, by subject or by pattern', async () => {
      const heard = new Arrivals<string>();
      const listen = (who: string) => (payload: unknown, subject: string) => heard.push(`${who} ${subject} ${JSON.stringify(payload)}`);
      await here.subscribe('job.changed.job_1', listen('exact'));
      await there.subscribe('job.changed.*', listen('pattern'));
      await there.subscribe('job.changed.job_2', listen('other'));

      here.publish('job.changed.job_1', { v: 1, version: 7 });

      const both = [await heard.next(), await heard.next()].sort();
      expect(both).toEqual(['exact job.changed.job_1 {"v":1,"version":7}', 'pattern job.changed.job_1 {"v":1,"version":7}']);
    });

    it('survives a listener that throws, and forgets one that stopped', async () => {
      const heard = new Arrivals<unknown>();
      await there.subscribe('job.changed.*', () => {
        throw new Error('broken listener');
      });
      const stopped = await there.subscribe('job.changed.*', () => heard.push('stopped'));
      await there.subscribe('job.changed.*', heard.push);
      await stopped.stop();

      here.publish('job.changed.job_1', 1);
      here.publish('job.changed.job_1', 2);

      expect([await heard.next(), await heard.next()]).toEqual([1, 2]);
    });
  });

  describe(`${name}: connection`, () => {
    it('counts since when it has been up, until it is closed', async () => {
      expect(here.connectedForMs()).toBeGreaterThanOrEqual(0);

      await here.close();

      expect(here.connectedForMs()).toBeNull();
      expect(await here.dispatch(step(1))).toBe('not_dispatched');
      await expect(here.request('step.claim', {}, 1_000)).rejects.toMatchObject({ reason: 'disconnected' });
    });
  });
};

interface OpenDelivery {
  delivery: Delivery;
  end(): void;
  fail(error: Error): void;
}
