import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Makes objects of which the latest survive for a while, as under load, and prints how large the young generation has become. */
const WORK = `
  const latest = new Array(200_000);
  let made = 0;
  const work = () => {
    for (let count = 0; count < 200_000; count += 1) latest[made++ % latest.length] = { made, text: 'x' + made };
    if (made < 20_000_000) return setImmediate(work);
    const { space_size } = require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(space_size);
  };
  work();`;

/** In MB. */
async function grownTo(before: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', before + WORK]);
  return Number(stdout) / 1024 / 1024;
}

it('the young generation stops growing, where V8 would let it grow under load', async () => {
  const bounded = `require(${JSON.stringify(join(process.cwd(), 'dist/src/young-generation.js'))}).boundYoungGeneration();`;
  expect(await grownTo('')).toBeGreaterThan(40);
  expect(await grownTo(bounded)).toBeLessThan(40);
});
