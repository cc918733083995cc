import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

type Space = 'new_space' | 'old_space';

/**
 * Makes objects of which the latest survive for a while, as under load, and says how large the old generation was at the most,
 * or the young one at the least in the second half: while it is collected it holds what survives twice.
 */
const work = (objects: number, then: string, space: Space = 'new_space'): string => `{
  const isYoung = ${space === 'new_space'};
  const latest = new Array(isYoung ? 200_000 : 600_000);
  let made = 0;
  let size = isYoung ? Infinity : 0;
  const sizeNow = () => require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === '${space}').space_size;
  const work = () => {
    for (let count = 0; count < 200_000; count += 1) latest[made++ % latest.length] = { made, text: 'x' + made };
    if (!isYoung) size = Math.max(size, sizeNow());
    else if (made > ${objects / 2}) size = Math.min(size, sizeNow());
    if (made < ${objects}) return setImmediate(work);
    ${then}
  };
  work();
}`;
const SHOW = 'console.log(size);';
const MANY = 20_000_000;
/** After so many it would still grow. */
const SOME = 3_000_000;
const built = (file: string): string => JSON.stringify(join(process.cwd(), 'dist', file));
const BOUNDED = `require(${built('src/runtime/bounded-heap.js')}).boundHeap();`;

/** In MB. */
async function shownBy(program: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  return Number(stdout) / 1024 / 1024;
}

const inThread = (maxYoungGenerationSizeMb: number, program = work(SOME, SHOW)): string => {
  const options = JSON.stringify({ eval: true, resourceLimits: { maxYoungGenerationSizeMb } });
  return `new (require('node:worker_threads').Worker)(${JSON.stringify(program)}, ${options});`;
};

/** Compares reports, and says by how much the old generation grew for each job, in bytes, once all code is warm. */
const comparing = (jobs: number): string => `{
  const { synthesize } = require(${built('libs/synthesis/synthesize.js')});
  const { PreparedReports } = require(${built('libs/providers/simulated/prepared-reports.js')});
  const reports = new PreparedReports({ seed: 1, reportBytes: 2048, citations: 5 });
  const stepOf = (query) => (provider) => {
    const { markdown, sources } = JSON.parse(reports.for(query, provider));
    return { stepId: provider, provider, status: 'completed', reportMarkdown: markdown, citations: sources, errorMessage: null, failure: null, truncated: false };
  };
  const used = () => require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
  let grown = 0;
  for (let job = 0; job < ${2 * jobs}; job += 1) {
    const query = 'Which facts are agreed on, and which of them are disputed? ' + job;
    const before = used();
    synthesize({ query, mode: 'fast', tier: 'M', steps: ['provider-a', 'provider-b', 'provider-c'].map(stepOf(query)) });
    if (job >= ${jobs}) grown += Math.max(0, used() - before);
  }
  console.log(grown / ${jobs});
}`;

it('the young generation stops growing, where V8 would let it grow under load', async () => {
  // Twice 16 MB.
  expect(await shownBy(work(MANY, SHOW))).toBeGreaterThan(48);
  expect(await shownBy(BOUNDED + work(MANY, SHOW))).toBeLessThan(48);
}, 120_000);

it('the old generation grows to less than twice what lives in it, where V8 would let it grow further', async () => {
  const bounded = await shownBy(BOUNDED + work(MANY, SHOW, 'old_space'));
  expect(bounded).toBeLessThan(0.7 * (await shownBy(work(MANY, SHOW, 'old_space'))));
}, 120_000);

it('a thread that starts once it has stopped has as much of it as its limit allows', async () => {
  // Two thirds of it.
  expect(await shownBy(BOUNDED + work(SOME, inThread(48)))).toBeGreaterThan(28);
  expect(await shownBy(BOUNDED + work(SOME, inThread(16)))).toBeLessThan(28);
}, 120_000);

it('of a report that was compared in a thread hardly anything is left in the old generation', async () => {
  // In KB; more than 50 if V8 decides what is put there at once.
  expect((await shownBy(BOUNDED + inThread(48, comparing(400)))) * 1024).toBeLessThan(20);
}, 120_000);
