import { table } from '../table';
import type { Comparison } from './compare';
import type { Round } from './rounds';

/** Medians over the rounds. */
interface Medians {
  jobsPerSecond: number;
  cpu: number;
  loneP50: number;
  megabytes: number;
}

/** The figures of all contenders, the ratio of each service to each of the others, and what the service's processes used. */
export function comparisonMarkdown({ rounds, services, notRun }: Comparison): string {
  const medians = new Map([...rounds].map(([name, all]) => [name, mediansOf(all)]));
  const others = [...medians.keys()].filter((name) => !services.includes(name));
  const figures = [...medians].map(([name, { jobsPerSecond, cpu, loneP50, megabytes }]) => [
    name,
    jobsPerSecond.toFixed(0),
    cpu.toFixed(2),
    loneP50.toFixed(1),
    megabytes.toFixed(0),
  ]);
  const ratios = services.flatMap((service) => others.map((other) => ratioRow(service, other, medians)));
  return [
    table(['', 'jobs/s, 64 in flight', 'CPU s per 1,000 jobs', 'lone job p50 ms', 'peak MB of all processes'], figures),
    table(['', 'jobs/s', 'CPU per job', 'lone job p50'], ratios),
    ...services.map((service) => processTable(service, rounds.get(service) ?? [])),
    ...[...notRun].map(([name, why]) => `Not run: ${name} (${why}).`),
  ].join('\n\n');
}

function ratioRow(service: string, other: string, medians: ReadonlyMap<string, Medians>): string[] {
  const ratio = (figure: keyof Medians) =>
    `${((medians.get(service)?.[figure] ?? NaN) / (medians.get(other)?.[figure] ?? NaN)).toFixed(2)}x`;
  return [`${service} ÷ ${other}`, ratio('jobsPerSecond'), ratio('cpu'), ratio('loneP50')];
}

function processTable(service: string, rounds: readonly Round[]): string {
  const names = Object.keys(rounds[0]?.cpuSecondsPer1000JobsByProcess ?? {});
  const rows = names.map((name) => {
    const megabytes = median(rounds.map(({ peakMegabytes }) => peakMegabytes[name] ?? NaN));
    const cpu = median(rounds.map((round) => round.cpuSecondsPer1000JobsByProcess[name] ?? NaN));
    return [name, cpu.toFixed(2), Number.isNaN(megabytes) ? '' : megabytes.toFixed(0)];
  });
  return table([service, 'CPU s per 1,000 jobs', 'peak MB'], rows);
}

const mediansOf = (rounds: readonly Round[]): Medians => ({
  jobsPerSecond: median(rounds.map(({ jobsPerSecond }) => jobsPerSecond)),
  cpu: median(rounds.map(({ cpuSecondsPer1000Jobs }) => cpuSecondsPer1000Jobs)),
  loneP50: median(rounds.map(({ loneP50 }) => loneP50)),
  megabytes: median(rounds.map(({ peakMegabytes }) => Object.values(peakMegabytes).reduce((sum, value) => sum + value, 0))),
});

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
}
