import { parseArgs } from 'node:util';
import type { Role } from '../src/roles';

/** How the roles are spread over processes; `all` runs on the memory transport, the others on NATS. */
export const SHAPES = {
  two: [['api', 'saga', 'synthesizer'], ['worker']],
  four: [['api'], ['saga'], ['synthesizer'], ['worker']],
  all: [['api', 'saga', 'worker', 'synthesizer', 'webhooks']],
} as const satisfies Record<string, readonly (readonly Role[])[]>;
export type Shape = keyof typeof SHAPES;

export interface BenchOptions {
  /** Jobs of each measured load. */
  jobs: number;
  /** How many finished jobs are stored when a measurement begins, ascending. */
  stored: number[];
  shapes: Shape[];
  /** File for the figures as JSON; null for none. */
  out: string | null;
  /** Do the same work as a floor and as peers, in turns, instead of measuring the service alone. */
  compare: boolean;
  /** How often each takes its turn. */
  rounds: number;
  /** A folder with an installed harness of peers; null for none. */
  peersFolder: string | null;
  /** Names of the harness's drivers. */
  peers: string[];
  /** Folder for the profiles of the roles, one folder for each process; null for none. */
  cpuProf: string | null;
}

const USAGE = `bench [--jobs 1000] [--stored 1000,10000] [--shapes ${Object.keys(SHAPES).join(',')}] [--out figures.json] [--cpu-prof folder]
bench --compare [--rounds 3] [--jobs 1000] [--shapes two,all] [--peers folder] [--peer pg-boss-inline,bullmq]`;

/** @throws Error that says what is wrong with the command line */
export function readOptions(args: string[]): BenchOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      jobs: text,
      stored: text,
      shapes: text,
      out: text,
      'cpu-prof': text,
      compare: { type: 'boolean' },
      rounds: text,
      peers: text,
      peer: text,
    },
  });
  const compare = values.compare ?? values.peers !== undefined;
  const stored = (values.stored ?? '1000,10000').split(',').map((part) => count('stored', part));
  return {
    jobs: count('jobs', values.jobs ?? '1000'),
    stored: stored.toSorted((one, other) => one - other),
    shapes: (values.shapes ?? (compare ? 'two,all' : Object.keys(SHAPES).join(','))).split(',').map(shapeOf),
    out: values.out ?? null,
    compare,
    rounds: count('rounds', values.rounds ?? '3'),
    peersFolder: values.peers ?? null,
    peers: (values.peer ?? 'pg-boss-inline,bullmq').split(','),
    cpuProf: values['cpu-prof'] ?? null,
  };
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name} "${text}" is not a whole number from 1 to 9999999. ${USAGE}`);
  return Number(text);
}

function shapeOf(text: string): Shape {
  if (!Object.hasOwn(SHAPES, text)) throw new Error(`--shapes "${text}" is none of ${Object.keys(SHAPES).join(', ')}. ${USAGE}`);
  return text as Shape;
}
