import { ROLES, type Role } from '../../src/roles';
import { Random } from './random';

/** Every slot holds one process; a role has two. */
export const SLOTS = ROLES.flatMap((role) => [1, 2].map((number) => `${role}-${number}` as const));
export type SlotName = (typeof SLOTS)[number];

/** What a process is connected by: customers reach an api, each process its servers, and those that deliver webhooks their receivers. */
export type Peer = 'customers' | 'receivers' | 'database' | 'broker';
/** A worker has no database, customers know only the apis, and what delivers webhooks hardly speaks to the broker. */
const PEERS: Readonly<Record<Role, readonly Peer[]>> = {
  api: ['customers', 'database', 'broker'],
  saga: ['database', 'broker'],
  worker: ['broker'],
  synthesizer: ['database', 'broker'],
  webhooks: ['receivers', 'database'],
};
export const roleOf = (slot: SlotName): Role => slot.replace(/-\d$/, '') as Role;
const SPEAKING = SLOTS.filter((slot) => PEERS[roleOf(slot)].includes('broker'));
export type Direction = 'there' | 'back' | 'both';

type Target = 'process' | 'connection' | 'database' | 'broker' | 'messages';

/** What may happen, to what, and for how many milliseconds (from, to). */
const KINDS = {
  'process killed': { target: 'process', ms: [0, 3000] },
  'process told to stop': { target: 'process', ms: [0, 1500] },
  'process frozen beyond its lease': { target: 'process', ms: [2500, 6000] },
  'process frozen in short bursts': { target: 'process', ms: [2000, 5000] },
  'event loop blocked': { target: 'process', ms: [1500, 5000] },
  'clock jumps by hours': { target: 'process', ms: [3000, 8000] },
  'memory limit reached': { target: 'process', ms: [0, 1000] },
  'previous build takes a turn': { target: 'process', ms: [8000, 15_000] },
  'connection partitioned': { target: 'connection', ms: [1000, 6000] },
  'connection half open': { target: 'connection', ms: [2000, 6000] },
  'connection slow': { target: 'connection', ms: [3000, 8000] },
  'connections reset': { target: 'connection', ms: [2000, 5000] },
  'connection narrow': { target: 'connection', ms: [3000, 6000] },
  'messages doubled': { target: 'messages', ms: [4000, 8000] },
  'messages reordered': { target: 'messages', ms: [4000, 8000] },
  'old messages sent again': { target: 'broker', ms: [0, 0] },
  'poison messages': { target: 'broker', ms: [0, 0] },
  'broker killed': { target: 'broker', ms: [500, 4000] },
  'broker frozen': { target: 'broker', ms: [1000, 6000] },
  'broker wiped': { target: 'broker', ms: [0, 1500] },
  'broker without a quorum': { target: 'broker', ms: [1000, 5000] },
  'broker disk full': { target: 'broker', ms: [1000, 4000] },
  'database crashed': { target: 'database', ms: [0, 3000] },
  'database sessions killed': { target: 'database', ms: [0, 0] },
  'database frozen': { target: 'database', ms: [1000, 6000] },
  'database fails over': { target: 'database', ms: [500, 4000] },
  'database disk full': { target: 'database', ms: [1500, 4000] },
  'database read-only': { target: 'database', ms: [1000, 4000] },
  'database commits slowly': { target: 'database', ms: [1000, 4000] },
  'database rows locked': { target: 'database', ms: [1000, 4000] },
} as const satisfies Record<string, { target: Target; ms: readonly [number, number] }>;

export type FaultKind = keyof typeof KINDS;
export const FAULT_KINDS = Object.keys(KINDS) as FaultKind[];

export interface PlannedFault {
  kind: FaultKind;
  /** From the start of the run. */
  atMs: number;
  forMs: number;
  slot: SlotName;
  peer: Peer;
  direction: Direction;
  /** Decides whatever else there is to decide. */
  seed: number;
}

export interface ScheduleOptions {
  seed: number;
  durationMs: number;
  kinds: readonly FaultKind[];
}

/** Between the beginnings of two faults: less than most of them last, so that they meet. */
const PAUSE_MS = [600, 2600] as const;

/**
 * What the nemesis does and when: a function of the seed, the duration and the kinds alone. Kinds come in shuffled rounds, so that a run that
 * is long enough has every one of them.
 */
export function schedule({ seed, durationMs, kinds }: ScheduleOptions): PlannedFault[] {
  const random = new Random(seed);
  const planned: PlannedFault[] = [];
  let round: FaultKind[] = [];
  for (let atMs = random.integer(...PAUSE_MS); atMs < durationMs; atMs += random.integer(...PAUSE_MS)) {
    if (round.length === 0) round = random.shuffled(kinds);
    const kind = round.pop();
    if (kind === undefined) break;
    planned.push({ kind, atMs, ...detailsOf(kind, random) });
  }
  return planned;
}

function detailsOf(kind: FaultKind, random: Random): Omit<PlannedFault, 'kind' | 'atMs'> {
  const { target, ms } = KINDS[kind];
  const slot = random.pick(target === 'messages' ? SPEAKING : SLOTS);
  return {
    forMs: random.integer(ms[0], ms[1]),
    slot,
    peer: target === 'messages' ? 'broker' : random.pick(PEERS[roleOf(slot)]),
    direction: random.pick(['there', 'back', 'both']),
    seed: random.integer(0, 2 ** 31),
  };
}

/** What a fault takes hold of: two faults of one hold wait for each other. */
export function holdOf({ kind, slot, peer }: PlannedFault): string {
  const { target } = KINDS[kind];
  if (target === 'process') return slot;
  return target === 'connection' || target === 'messages' ? `${slot} ${peer}` : target;
}
