import { messageOfError } from '@lib/domain/message-of-error';

import type { BenchOptions } from '../options';
import { FLOOR, startFloor, startShape, type Surroundings } from './contenders';
import { findPeers, runPeer } from './peers';
import { Runner, type Round } from './rounds';

export interface Comparison {
  /** By contender, in the order in which they took turns. */
  rounds: Map<string, Round[]>;
  services: string[];
  /** Contenders that were requested but not run, and why. */
  notRun: Map<string, string>;
}

/**
 * Runs the same jobs on the service in its shapes, on the floor and on the peers. They take turns, so that other load on the machine affects all
 * alike.
 */
export async function compare(
  { shapes, jobs, rounds, peers, peersFolder }: BenchOptions,
  surroundings: Surroundings,
  progress: (text: string) => void,
): Promise<Comparison> {
  const runners: Runner[] = [];
  const comparison: Comparison = { rounds: new Map(), services: [], notRun: new Map() };
  const add = (name: string, round: Round) => {
    comparison.rounds.set(name, [...(comparison.rounds.get(name) ?? []), round]);
    progress(`${name}: ${Math.round(round.jobsPerSecond)} jobs/s, CPU ${round.cpuSecondsPer1000Jobs.toFixed(2)} s per 1,000`);
  };
  const harness = findPeers(peersFolder);
  if ('missing' in harness) for (const peer of peers) comparison.notRun.set(peer, harness.missing);
  try {
    progress(`starting ${FLOOR}`);
    runners.push(new Runner(await startFloor(surroundings)));
    for (const shape of shapes) {
      progress(`starting ${shape}`);
      const runner = new Runner(await startShape(shape, surroundings));
      runners.push(runner);
      comparison.services.push(runner.contender.name);
    }
    for (const runner of runners) await runner.warmUp();
    for (let round = 1; round <= rounds; round += 1) {
      for (const runner of runners) add(runner.contender.name, await runner.round(jobs));
      for (const peer of peers.filter((name) => !comparison.notRun.has(name))) {
        try {
          add(peer, await runPeer('run' in harness ? harness.run : '', peer, jobs));
        } catch (error) {
          comparison.notRun.set(peer, messageOfError(error));
        }
      }
    }
  } finally {
    for (const runner of runners) await runner.close();
  }
  return comparison;
}
