import { holdings } from '@lib/memory/holdings';
import { batch } from '@lib/batching/batch';

/** A way out that answers when it is told to. */
function gate() {
  const sent: string[][] = [];
  const waiting: (() => void)[] = [];
  const send = async (requests: string[]): Promise<string[]> => {
    sent.push(requests);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return requests.map((request) => request.toUpperCase());
  };
  return { sent, send, open: () => waiting.splice(0).forEach((resolve) => resolve()) };
}
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const outcome = (promise: Promise<string>): Promise<string> => promise.catch((error: unknown) => (error as Error).message);
const refuse = (reason: string) => new Error(reason);

describe('requests that wait for a batch', () => {
  it('are refused at once beyond their bound, by number or by size, and those before them are answered', async () => {
    const { send, open, sent } = gate();
    const maxWaiting = { items: 3, bytes: 10 };
    const ask = batch(send, { maxItems: 1, maxWaiting, sizeOf: (request) => request.length, refuse });
    const first = ask('out');
    await turn();
    const asked = ['a', 'b', 'c', 'd'].map((request) => outcome(ask(request)));
    await expect(asked[3]).resolves.toBe('full');
    for (let batches = 0; batches < 4; batches += 1) {
      open();
      await turn();
    }
    expect(await Promise.all([first, ...asked])).toEqual(['OUT', 'A', 'B', 'C', 'full']);

    const long = ask('a long one that is let in, since nothing waits');
    const second = outcome(ask('12345678901'));
    await expect(second).resolves.toBe('full');
    await turn();
    open();
    expect(await long).toContain('A LONG ONE');
    expect(sent).toHaveLength(5);
  });

  it('are bounded also where nobody says how, and what they hold can be read', async () => {
    const { send, open } = gate();
    const ask = batch(send, { maxItems: 50_000, name: 'test requests', refuse });
    const first = ask('out');
    await turn();
    const asked = Array.from({ length: 33_000 }, () => outcome(ask('waits')));
    const held = holdings().find(({ name }) => name === 'test requests');
    expect(held).toEqual({ name: 'test requests', items: 32_768, bytes: 16 * 1024 * 1024, maxBytes: 16 * 1024 * 1024 });
    open();
    await turn();
    open();
    const outcomes = await Promise.all([first, ...asked]);
    expect(outcomes.filter((one) => one === 'full')).toHaveLength(33_000 - 32_768);
    expect(outcomes.filter((one) => one === 'WAITS')).toHaveLength(32_768);
    expect(holdings().find(({ name }) => name === 'test requests')).toMatchObject({ items: 0, bytes: 0 });
  });

  it('are told with a bound in bytes where only their number is bounded', () => {
    batch(gate().send, { maxItems: 1, name: 'counted requests', maxWaiting: { items: 3, bytes: Infinity }, refuse });
    expect(holdings().find(({ name }) => name === 'counted requests')).toEqual({
      name: 'counted requests',
      items: 0,
      bytes: 0,
      maxBytes: 3 * 512,
    });
  });

  it('are told when their time is over, whether they are out or wait, and are not sent afterwards', async () => {
    const { send, open, sent } = gate();
    const ask = batch(send, { maxItems: 1, answerBy: () => performance.now() + 150, refuse });
    const asked = ['out', 'waiting'].map((request) => outcome(ask(request)));
    expect(await Promise.all(asked)).toEqual(['late', 'late']);
    const next = ask('next');
    open();
    await turn();
    open();
    expect(await next).toBe('NEXT');
    expect(sent).toEqual([['out'], ['next']]);
  });

  it('are dropped before they are sent if nobody waits for them any more', async () => {
    const { send, open, sent } = gate();
    const gone = new Set<string>();
    const ask = batch(send, { maxItems: 10, isWanted: (request) => !gone.has(request), refuse });
    const first = ask('first');
    await turn();
    const asked = ['stays', 'hangs up'].map((request) => outcome(ask(request)));
    gone.add('hangs up');
    open();
    await turn();
    open();
    expect(await Promise.all([first, ...asked])).toEqual(['FIRST', 'STAYS', 'unwanted']);
    expect(sent).toEqual([['first'], ['stays']]);
  });

  it('leave in one step where they wait in the same turn for different batches', async () => {
    const steps: string[] = [];
    // A connection writes what it was given in a step at the end of that step.
    const line = (name: string) =>
      batch(
        async (requests: string[]) => {
          steps.push(name);
          queueMicrotask(() => steps.push('written'));
          return requests;
        },
        { maxItems: 9 },
      );
    await Promise.all([line('one')('a'), line('other')('b')]);
    expect(steps).toEqual(['one', 'other', 'written', 'written']);
  });
});
