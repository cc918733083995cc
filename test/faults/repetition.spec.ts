import { randomUUID } from 'node:crypto';
import fc from '../support/properties';
import type { KillPoint } from '../../src/runtime/kill-point';
import type { RoleProcess } from '../support/role-process';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

const AT_ONCE = 50;
const MAX_ROUNDS = 40;
const PATIENCE_MS = 60_000;

interface Received {
  status: number;
  text: string;
  replayed: boolean;
  /** Whether an earlier try had no answer that told what became of it: it may have been done then. */
  wasLost?: boolean;
}
interface Asked {
  method: string;
  path: string;
  body?: object;
}

describe('two api processes and clients that repeat with an Idempotency-Key', () => {
  let supervisor: Supervisor;
  let lasting: RoleProcess;

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    lasting = await supervisor.start('api');
  });
  afterAll(() => supervisor?.close());

  /** Null if nobody answered: what became of the request is unknown. */
  async function ask(address: string, { method, path, body }: Asked, key: string): Promise<Received | null> {
    const headers = { authorization: `Bearer ${supervisor.apiKey}`, 'content-type': 'application/json', 'idempotency-key': key };
    try {
      const response = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      return { status: response.status, text: await response.text(), replayed };
    } catch {
      return null;
    }
  }

  /** As a client should: the same request with the same key until there is an answer that is no outage. */
  async function untilAnswered(address: string | null, asked: Asked, key: string): Promise<Received> {
    let wasLost = false;
    for (const began = performance.now(); performance.now() < began + PATIENCE_MS; address = lasting.address) {
      const received = await ask(address ?? '', asked, key);
      if (received && received.status !== 503 && received.status !== 409) return { ...received, wasLost };
      wasLost ||= received?.status !== 409;
    }
    throw new Error(`${asked.method} ${asked.path} had no answer in ${PATIENCE_MS} ms`);
  }

  const count = async (type: string): Promise<number> =>
    (await supervisor.pool.query<{ count: number }>('select count(*)::int as count from event where type = $1', [type])).rows[0]?.count ??
    0;
  const counts = () => Promise.all(['ThreadCreated', 'MessageAdded', 'JobRequested', 'ThreadDeleted'].map(count));

  async function created(): Promise<string> {
    const { text } = await untilAnswered(lasting.address, { method: 'POST', path: '/v1/threads', body: { message: 'How?' } }, randomUUID());
    return (JSON.parse(text) as { id: string }).id;
  }

  const gains = (before: number[], after: number[]) => after.map((many, place) => many - (before[place] ?? 0));

  it.each<[KillPoint, () => Promise<Asked>, number, number[]]>([
    ['create.after-commit', async () => ({ method: 'POST', path: '/v1/threads', body: { message: 'Why?' } }), 201, [1, 1, 1, 0]],
    ['delete.after-commit', async () => ({ method: 'DELETE', path: `/v1/threads/${await created()}` }), 200, [0, 0, 0, 1]],
  ])(
    '%s: 50 at once have one effect and one answer, though one process dies between commit and answer',
    async (point, request, status, effect) => {
      const doomed = supervisor.startDoomed('api', point);
      await doomed.serving;
      // Whichever of both is first; sooner or later that is the doomed one.
      for (let round = 0; round < MAX_ROUNDS && doomed.isRunning; round += 1) {
        const asked = await request();
        const before = await counts();
        const key = randomUUID();
        const addresses = Array.from({ length: AT_ONCE }, (_, place) => (place % 2 === 0 ? doomed : lasting).address);
        const received = await Promise.all(addresses.map((address) => untilAnswered(address, asked, key)));

        expect(new Set(received.map((one) => `${one.status} ${one.text}`)).size).toBe(1);
        expect(received[0]?.status).toBe(status);
        // Nobody, if the one that was to be told first was told by the process that died.
        expect(received.filter(({ replayed }) => !replayed).length).toBeLessThan(2);
        expect(gains(before, await counts())).toEqual(effect);
      }
      expect(doomed.isRunning).toBe(false);
      expect(await doomed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    },
  );

  it('whoever of both is asked, how often and at once with whatever else, a request has one effect and one answer', async () => {
    const other = await supervisor.start('api');
    const threadId = await created();
    const addresses = [lasting.address, other.address];
    const requests = fc.array(
      fc.record({ isMessage: fc.boolean(), processes: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 12 }) }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(requests, async (all) => {
        const before = await counts();
        const answers = await Promise.all(
          all.map(async ({ isMessage, processes }, number) => {
            const key = randomUUID();
            const path = isMessage ? `/v1/threads/${threadId}/messages` : '/v1/threads';
            const asked = { method: 'POST', path, body: { message: `Number ${number}` } };
            return Promise.all(processes.map((process) => untilAnswered(addresses[process] ?? null, asked, key)));
          }),
        );
        for (const same of answers) {
          expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
          expect(same.map(({ status }) => status)).toEqual(same.map(() => 201));
          const firsts = same.filter(({ replayed }) => !replayed).length;
          // On a machine so slow that the first answer came too late, all are told again.
          expect(firsts).toBe(same.some(({ wasLost }) => wasLost) ? Math.min(firsts, 1) : 1);
        }
        const threads = all.filter(({ isMessage }) => !isMessage).length;
        expect(gains(before, await counts())).toEqual([threads, all.length, threads, 0]);
      }),
      { numRuns: 25 },
    );
  });
});
