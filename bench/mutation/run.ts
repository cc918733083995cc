import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';

import { endAfterFailure } from '../end-after-failure';
import { packageFolder } from '../package-folder';
import { mutateRoom, type Result } from './room';
import { ROOMS } from './rooms';
import { interval } from './sample';
import { startServers } from './test-process';

const { values } = parseArgs({
  options: {
    room: { type: 'string', default: '' },
    /** Only files with this in their path. */
    file: { type: 'string', default: '' },
    sample: { type: 'string', default: '200' },
    /** Of each of them a sample is drawn and its score told; a mutant that is in several is tried once. */
    seeds: { type: 'string', default: '1' },
    /** How many run tests at the same time. */
    processes: { type: 'string', default: '1' },
  },
});

/** Mutation testing: breaks the code on purpose, in many small ways, and reports the changes that no test notices. */
async function main(): Promise<void> {
  const rooms = values.room === '' ? Object.keys(ROOMS) : [values.room];
  const unknown = rooms.find((room) => !(room in ROOMS));
  if (unknown !== undefined) throw new Error(`no such room: ${unknown}; there are ${Object.keys(ROOMS).join(', ')}`);
  const size = wholeNumber('sample', values.sample);
  const seeds = values.seeds.split(',').map((seed) => wholeNumber('seeds', seed));
  const processes = wholeNumber('processes', values.processes);
  const { environment, stop } = await startServers();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(1)));
  const rows: string[][] = [];
  try {
    for (const room of rooms) {
      const { mutants, samples, results } = await mutateRoom({ room, only: values.file, size, seeds, processes }, environment, tell);
      writeFileSync(join(packageFolder(), '.cache/mutation', room, 'results.json'), JSON.stringify(results, null, 1));
      for (const [place, drawn] of samples.entries()) {
        const ofSample = results.filter(({ mutant }) => drawn.has(mutant));
        rows.push([room, String(seeds[place]), ...rowOf(mutants, ofSample)]);
      }
    }
  } finally {
    await stop();
  }
  const headings = ['room', 'seed', 'mutants', 'tried', 'killed', 'timeouts', 'survived', 'accepted', 'score', '95 % of all'];
  process.stdout.write(`\n${markdownTable([headings, ...rows])}\n`);
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} ${text}: give a whole number of at least 1`);
  return number;
}

function tell({ mutant: { file, line, operator, original, replacement }, outcome, by }: Result): void {
  const change = `${shown(original)} -> ${shown(replacement)}`;
  process.stdout.write(`${outcome.padEnd(11)} ${file}:${line} ${operator}: ${change}${by === null ? '' : `   (${shown(by)})`}\n`);
}

const shown = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
};

/** A timeout counts as noticed, since the tests do not end. Accepted mutants are not counted. */
function rowOf(mutants: number, results: readonly Result[]): string[] {
  const count = (...outcomes: Result['outcome'][]) => results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [killed, late, survived, accepted] = [count('killed'), count('timeout'), count('survived', 'not covered'), count('accepted')];
  const tried = killed + late + survived;
  const percent = (share: number) => (100 * share).toFixed(1);
  const [low, high] = interval(killed + late, tried);
  const whole = results.length === mutants;
  return [
    mutants,
    tried,
    killed,
    late,
    survived,
    accepted,
    `${percent((killed + late) / tried)} %`,
    whole ? 'all tried' : `${percent(low)} to ${percent(high)} %`,
  ].map(String);
}

void main().catch(endAfterFailure);
