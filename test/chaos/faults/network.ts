import { setTimeout as delay } from 'node:timers/promises';
import type { Connections } from '../connections';
import type { Toll, Weather } from '../stream';
import type { FaultKind } from '../schedule';
import { Random } from '../random';
import type { Evidence, Fault } from './evidence';
import { held } from './held';

/** Changes the weather for a while; the toll says whom it met. */
const weather =
  (change: (random: Random, direction: 'there' | 'back' | 'both') => Partial<Weather>, toll: keyof Toll, words: string): Fault =>
  async (deployment, { slot, peer, direction, forMs, seed }) => {
    const all = deployment.slot(slot).connectionsTo(peer);
    const before = sum(all, toll);
    const changed = change(new Random(seed), direction);
    for (const connections of all) Object.assign(connections.weather, structuredClone(changed));
    const seen = await held(forMs, () => (sum(all, toll) > before ? words : null));
    for (const connections of all) connections.calm();
    return seen;
  };

const sum = (all: readonly Connections[], toll: keyof Toll): number =>
  all.reduce((total, connections) => total + connections.toll[toll], 0);

const halfOpen: Fault = async (deployment, { slot, peer, direction, forMs, seed }) => {
  const gone = direction === 'both' ? new Random(seed).pick(['client', 'server'] as const) : direction === 'there' ? 'server' : 'client';
  const all = deployment.slot(slot).connectionsTo(peer);
  await held(0, (): Evidence => (all.some(({ open }) => open > 0) ? 'connected' : null));
  const before = sum(all, 'halfOpen');
  const halves = all.map((connections) => connections.halve(gone));
  await delay(forMs);
  halves.forEach((half) => half.end());
  return sum(all, 'halfOpen') > before ? `the ${gone} was gone` : null;
};

const reset: Fault = async (deployment, { slot, peer, forMs, seed }) => {
  const all = deployment.slot(slot).connectionsTo(peer);
  const random = new Random(seed);
  const before = sum(all, 'reset');
  return held(forMs, async () => {
    await delay(random.integer(50, 700));
    all.forEach((connections) => connections.reset());
    return sum(all, 'reset') > before + 1 ? 'connections were reset' : null;
  });
};

const partitioned = weather(
  (_, direction) => ({ held: { there: direction !== 'back', back: direction !== 'there' } }),
  'held',
  'bytes were held back',
);
const slow = weather((random) => ({ latencyMs: random.pick([50, 200, 800]) }), 'delayed', 'bytes were late');
const narrow = weather((random) => ({ bytesPerSecond: random.pick([2_000, 20_000]) }), 'delayed', 'bytes waited');
const doubled = weather(() => ({ doubles: true }), 'doubled', 'messages came twice');
const reordered = weather(() => ({ reorders: true }), 'reordered', 'messages were overtaken');

export const networkFaults: Partial<Record<FaultKind, Fault>> = {
  'connection partitioned': partitioned,
  'connection half open': halfOpen,
  'connection slow': slow,
  'connections reset': reset,
  'connection narrow': narrow,
  'messages doubled': doubled,
  'messages reordered': reordered,
};
