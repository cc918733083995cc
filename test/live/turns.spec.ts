import { Turns } from '../../src/live/turns';

const spin = (ms: number) => {
  for (const from = performance.now(); performance.now() < from + ms;);
};
/** Waits as what is awaited in an answer does: for nothing outside of the process. */
const inSteps = async (steps: number) => {
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
};

it('what one does in its turn, in however many steps, is over before the next one begins', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const act = async (name: string) => {
    await turns.next();
    done.push(`${name} begins`);
    await inSteps(30);
    done.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c'].map(act));
  expect(done).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it('few that do much, or many that do little, have their turns in one turn of the event loop', async () => {
  const turns = new Turns();
  const most = async (count: number, ms: number) => {
    let acted = 0;
    const act = async () => {
      await turns.next();
      await inSteps(5);
      spin(ms);
      acted += 1;
    };
    const all = Promise.all(Array.from({ length: count }, act));
    const inOneTurn: number[] = [];
    for (let before = 0; acted < count; before = acted) {
      await new Promise(setImmediate);
      inOneTurn.push(acted - before);
    }
    await all;
    return Math.max(...inOneTurn);
  };
  expect(await most(20, 1)).toBe(1);
  expect(await most(2_000, 0)).toBeGreaterThan(2);
});

it('one who asks again and again leaves turns to the others', async () => {
  const turns = new Turns();
  let isOver = false;
  const greedy = (async () => {
    let taken = 0;
    for (; !isOver; taken += 1) await turns.next();
    return taken;
  })();
  for (let asked = 0; asked < 100; asked += 1) await turns.next();
  isOver = true;
  expect(await greedy).toBeLessThan(110);
});
