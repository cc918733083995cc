import type { Deliveries, TakenDelivery } from '@lib/store/webhooks/deliveries';
import { SharedRoom } from '../../src/webhooks/shared-room';

type Asked = Parameters<Deliveries['take']>[0];

const SETTINGS = { perWebhook: 4, perTenant: 16, leaseMs: 60_000 };
const one = { webhookId: 'whk_1', tenantId: 'tenant' } as TakenDelivery;

/** A database that answers with one delivery each time, once it is let. */
function database() {
  const asked: Asked[] = [];
  const answer = Promise.withResolvers<void>();
  const take = async (room: Asked) => {
    asked.push(room);
    await answer.promise;
    return [{ ...one }];
  };
  return { asked, answer: answer.resolve, room: new SharedRoom({ take }, SETTINGS) };
}

it('counts what every lane has under way, also where two look at the same time, until it leaves', async () => {
  const { asked, answer, room } = database();
  const both = Promise.all([room.take(8, false), room.take(8, true)]);
  answer();
  const [[healthy], [failing]] = await both;
  expect(asked.map(({ underWay }) => underWay)).toEqual([[], [one]]);
  room.leave(healthy as TakenDelivery);
  await room.take(8, false);
  expect(asked[2]?.underWay).toEqual([failing]);
});

it('leaves room for one webhook that works to a tenant whose others fail', async () => {
  const { asked, answer, room } = database();
  answer();
  await room.take(8, false);
  await room.take(8, true);
  expect(asked.map(({ perTenant, perWebhook }) => [perTenant, perWebhook])).toEqual([
    [16, 4],
    [12, 4],
  ]);
});

it('goes on after a look that failed', async () => {
  const take = jest.fn<Promise<TakenDelivery[]>, [Asked]>().mockRejectedValueOnce(new Error('no database')).mockResolvedValue([one]);
  const room = new SharedRoom({ take }, SETTINGS);
  await expect(room.take(8, false)).rejects.toThrow('no database');
  expect(await room.take(8, true)).toEqual([one]);
});
