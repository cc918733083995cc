import pg from 'pg';
import type { BatchCommitter, Result } from '@lib/store/commit/batch-committer';
import type { PendingUnit } from '@lib/store/commit/decide-unit';
import type { Unit } from '@lib/store/commit/unit';
import { WritePath } from '@lib/store/commit/write-path';
import { AnswerTooLate, RowLocked, StoreBusy, StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { RequestRepeated, RequestUnderWay } from '@lib/store/requests/idempotent-requests';
import { META, TENANT } from '../support/store';

/** What a try of a batch comes to: the results of its units, or the error that refuses all of them. */
type Answer = Error | ((name: string) => Result);

const done = (name: string): Result => ({ status: 'fulfilled', value: { streams: new Map(), appended: [], name } as never });
const failed = (code: string): Error => Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code });
const outage = (): Error => Object.assign(new Error('gone'), { code: 'ECONNRESET' });
const nameOf = ({ unit }: PendingUnit): string => unit.commands[0]?.streamId ?? '';

/** A write path whose tries of batches are answered in this order, the last answer again and again. */
function writing(...answers: Answer[]) {
  const tried: string[] = [];
  const told: string[] = [];
  const invalidated = { streams: [] as string[], clock: 0, stored: [] as string[] };
  const last = answers.at(-1) as Answer;
  const commit = (pending: readonly PendingUnit[]): Promise<Result[]> => {
    tried.push(pending.map(nameOf).join(' '));
    invalidated.stored.push(pending.flatMap((one) => (one.mayBeStored ? [nameOf(one)] : [])).join(' '));
    const answer = answers.shift() ?? last;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(pending.map((one) => answer(nameOf(one))));
  };
  const batches = {
    commit,
    invalidate: (pending: readonly PendingUnit[]) => void invalidated.streams.push(pending.map(nameOf).join(' ')),
  };
  const clock = { invalidate: () => void (invalidated.clock += 1) };
  const path = new WritePath(batches as unknown as BatchCommitter, clock, (reason) => void told.push(reason));
  const write = (name: string, more: Partial<Unit> = {}): Promise<unknown> =>
    path.execute({ meta: META, commands: [message(name)], ...more }).then(
      (outcome) => ('name' in outcome ? outcome.name : outcome),
      (error: unknown) => error,
    );
  return { tried, told, invalidated, write, writeAll: (...names: string[]) => Promise.all(names.map((name) => write(name))) };
}

const message = (streamId: string, content = ''): Unit['commands'][number] => ({
  kind: 'thread',
  streamId,
  command: { type: 'AddMessage', tenantId: TENANT, messageId: 'msg', content },
});
const deletion = (streamId: string): Partial<Unit> => ({
  commands: [{ kind: 'thread', streamId, command: { type: 'DeleteThread', tenantId: TENANT } }],
});
/** Waited for so many times that it is asked. */
const wanted = (times: number): Partial<Unit> => ({ isWanted: () => times-- > 0 });

describe('units that arrive together', () => {
  it('are tried together, and each has its own outcome', async () => {
    const refusal = new Error('refused');
    const { writeAll, tried } = writing((name) => (name === 'b' ? { status: 'rejected', reason: refusal } : done(name)));
    expect(await writeAll('a', 'b', 'c')).toEqual(['a', refusal, 'c']);
    expect(tried).toEqual(['a b c']);
  });

  it('leave a deletion to go alone, after the others', async () => {
    const { write, tried } = writing(done);
    expect(await Promise.all([write('a'), write('b', deletion('b')), write('c'), write('d', deletion('d'))])).toEqual(['a', 'b', 'c', 'd']);
    expect(tried).toEqual(['a c', 'b', 'd']);
    tried.length = 0;
    expect(await Promise.all([write('e', deletion('e')), write('f', deletion('f'))])).toEqual(['e', 'f']);
    expect(tried).toEqual(['e', 'f']);
  });

  it.each(['23505', '40P01', '40001'])('are tried once more together after %s, then each alone', async (code) => {
    const { writeAll, tried, invalidated } = writing(failed(code), done);
    expect(await writeAll('a', 'b')).toEqual(['a', 'b']);
    expect(tried).toEqual(['a b', 'a b']);
    expect(invalidated).toEqual({ streams: ['a b'], clock: 0, stored: ['', ''] });
    const again = writing(failed(code), failed(code), done);
    expect(await again.writeAll('a', 'b')).toEqual(['a', 'b']);
    expect(again.tried).toEqual(['a b', 'a b', 'a', 'b']);
  });

  it('are each tried alone at once where anything else refuses them', async () => {
    const error = failed('22P05');
    const { writeAll, tried } = writing(error, error, done);
    expect(await writeAll('a', 'b')).toEqual([error, 'b']);
    expect(tried).toEqual(['a b', 'a', 'b']);
  });

  it('do not wait one by one for a database that is gone', async () => {
    const { writeAll, tried } = writing(failed('22P05'), done, outage());
    const [first, ...others] = await writeAll('a', 'b', 'c', 'd');
    expect(first).toBe('a');
    for (const other of others) expect(other).toBeInstanceOf(StoreUnavailable);
    expect(tried).toEqual(['a b c d', 'a', 'b', 'b']);
  });

  it('are each tried alone whichever of them turns out to be too late', async () => {
    const { write, tried } = writing(failed('RT002'), failed('RT004'), done);
    const [late, other] = await Promise.all([write('a', wanted(2)), write('b')]);
    expect(late).toBeInstanceOf(AnswerTooLate);
    expect(other).toBe('b');
    expect(tried).toEqual(['a b', 'a', 'b']);
  });

  it('are not tried alone once nobody waits for them', async () => {
    const { write, tried } = writing(failed('RT002'), done);
    const [unwanted, other] = await Promise.all([write('a', wanted(1)), write('b')]);
    expect(unwanted).toBeInstanceOf(AnswerTooLate);
    expect(other).toBe('b');
    expect(tried).toEqual(['a b', 'b']);
  });
});

describe('after an outage', () => {
  it('whoever still waits is tried once more, all together, as one that may be stored', async () => {
    const { writeAll, tried, invalidated } = writing(outage(), done);
    expect(await writeAll('a', 'b')).toEqual(['a', 'b']);
    expect(tried).toEqual(['a b', 'a b']);
    expect(invalidated).toEqual({ streams: ['a b'], clock: 0, stored: ['', 'a b'] });
  });

  it('that goes on nobody is tried a third time', async () => {
    const { writeAll, tried } = writing(outage());
    for (const outcome of await writeAll('a', 'b')) expect(outcome).toBeInstanceOf(StoreUnavailable);
    expect(tried).toEqual(['a b', 'a b']);
  });

  it('each is tried alone if the second try is refused as a whole', async () => {
    const { writeAll, tried } = writing(outage(), failed('22P05'), done);
    expect(await writeAll('a', 'b')).toEqual(['a', 'b']);
    expect(tried).toEqual(['a b', 'a b', 'a', 'b']);
  });

  it('whoever waits no longer is not tried again', async () => {
    const { write, tried } = writing(outage(), done);
    const [gone, waiting] = await Promise.all([write('a', wanted(1)), write('b')]);
    expect(gone).toBeInstanceOf(StoreUnavailable);
    expect(waiting).toBe('b');
    expect(tried).toEqual(['a b', 'b']);
    tried.length = 0;
    const alone = writing(outage(), done);
    expect(await alone.write('a', wanted(1))).toBeInstanceOf(StoreUnavailable);
    expect(alone.tried).toEqual(['a']);
  });

  it('that was an answer too late, the time of the database is asked anew', async () => {
    const { write, tried, invalidated } = writing(failed('RT004'));
    expect(await write('a')).toBeInstanceOf(StoreUnavailable);
    expect(tried).toEqual(['a', 'a']);
    expect(invalidated).toMatchObject({ clock: 2, streams: ['a', 'a'] });
  });

  it('that was twice the oldest answer too late, each is tried alone', async () => {
    const { writeAll, tried } = writing(failed('RT004'), failed('RT004'), done);
    expect(await writeAll('a', 'b')).toEqual(['a', 'b']);
    expect(tried).toEqual(['a b', 'a b', 'a', 'b']);
  });
});

describe('a unit alone', () => {
  it('is a conflict after eight tries that met somebody else', async () => {
    const { write, tried } = writing(failed('23505'));
    const detail = 'Others kept changing a at the same time, so nothing was done: repeat the request.';
    expect(await write('a')).toMatchObject({ code: 'conflict', detail });
    expect(tried).toHaveLength(8);
    const late = writing(...Array.from({ length: 7 }, () => failed('40001')), done);
    expect(await late.write('a')).toBe('a');
  });

  it('has its own error where no further try would help', async () => {
    const error = failed('22P05');
    const { write, tried } = writing(error);
    expect(await write('a')).toBe(error);
    expect(tried).toEqual(['a']);
    const later = writing(failed('40P01'), error);
    expect(await later.write('a')).toBe(error);
    expect(later.tried).toEqual(['a', 'a']);
  });

  it('does nothing if its lease was renewed', async () => {
    expect(await writing(failed('RT002')).write('a')).toEqual({ streams: new Map(), appended: [], at: null });
  });
});

describe('a unit that is decided again', () => {
  it('because it was stale is tried at once, sixty-four times at most', async () => {
    const { write, tried, told } = writing(() => 'stale');
    expect(await write('a')).toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(/^Others kept changing a .* repeat the request/),
    });
    expect([tried.length, told.length, new Set(told)]).toEqual([64, 64, new Set(['stale'])]);
    const other = writing(() => 'stale', done);
    expect(await other.write('a')).toBe('a');
    expect(other.told).toEqual(['stale']);
  });

  it.each([
    ['locked', RowLocked],
    ['under way', RequestUnderWay],
  ] as const)('because it is %s is tried after a pause, for as long as somebody waits', async (result, expected) => {
    const { write, tried, told } = writing(
      () => result,
      () => result,
      done,
    );
    const asked = performance.now();
    expect(await write('a')).toBe('a');
    // Half of four and of eight milliseconds at least.
    expect(performance.now() - asked).toBeGreaterThan(5);
    expect([tried.length, told]).toEqual([3, [result, result]]);

    const given = writing(() => result);
    expect(await given.write('a', wanted(3))).toBeInstanceOf(expected);
    expect(given.tried.length).toBeLessThan(4);
  });

  it('because a row is locked for a statement alone says so too', async () => {
    const { write, told } = writing(failed('55P03'), done);
    expect(await write('a')).toBe('a');
    expect(told).toEqual(['locked']);
  });

  it('is not where its request was recorded before', async () => {
    const { write, tried, told } = writing(() => 'repeated');
    expect(await write('a')).toBeInstanceOf(RequestRepeated);
    expect([tried.length, told]).toEqual([1, []]);
  });
});

it('units that wait hold so much content and no more', async () => {
  const under = Promise.withResolvers<void>();
  const { write } = writing(done);
  const long = { commands: [message('long', 'x'.repeat(6 * 1024 * 1024))] };
  const first = write('first', { isWanted: () => (under.resolve(), true) });
  await under.promise;
  const outcomes = await Promise.all([first, ...[1, 2, 3].map(() => write('long', long))]);
  expect(outcomes.slice(0, 3)).toEqual(['first', 'long', 'long']);
  expect(outcomes[3]).toBeInstanceOf(StoreBusy);
});
