import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Makes objects of which the latest survive for a while, as under load, and then says how large the young generation has become. */
const work = (objects: number, then: string): string => `{
  const latest = new Array(200_000);
  let made = 0;
  const work = () => {
    for (let count = 0; count < 200_000; count += 1) latest[made++ % latest.length] = { made, text: 'x' + made };
    if (made < ${objects}) return setImmediate(work);
    const { space_size } = require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    ${then}
  };
  work();
}`;
const SHOW = 'console.log(space_size);';
const MANY = 20_000_000;
/** After so many it would still grow. */
const SOME = 3_000_000;
const BOUNDED = `require(${JSON.stringify(join(process.cwd(), 'dist/src/young-generation.js'))}).boundYoungGeneration();`;

/** In MB. */
async function shownBy(program: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  return Number(stdout) / 1024 / 1024;
}

const inThread = (maxYoungGenerationSizeMb: number): string => {
  const options = JSON.stringify({ eval: true, resourceLimits: { maxYoungGenerationSizeMb } });
  return `new (require('node:worker_threads').Worker)(${JSON.stringify(work(SOME, SHOW))}, ${options});`;
};

it('the young generation stops growing, where V8 would let it grow under load', async () => {
  expect(await shownBy(work(MANY, SHOW))).toBeGreaterThan(40);
  expect(await shownBy(BOUNDED + work(MANY, SHOW))).toBeLessThan(40);
}, 120_000);

it('a thread that starts once it has stopped has as much of it as its limit allows', async () => {
  // Two thirds of it, and for a moment a part of what survives.
  expect(await shownBy(BOUNDED + work(SOME, inThread(48)))).toBeGreaterThan(24);
  expect(await shownBy(BOUNDED + work(SOME, inThread(16)))).toBeLessThanOrEqual(24);
}, 120_000);
