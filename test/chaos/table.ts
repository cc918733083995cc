import type { RunReport } from './run';
import { FAULT_KINDS } from './schedule';

/** What happened in a run, in Markdown. */
export function tableOf({ seed, seconds, brokers, deeds, untried, observations, verdict, ...report }: RunReport): string {
  const kinds = FAULT_KINDS.map((kind) => {
    const all = deeds.filter((deed) => deed.kind === kind);
    const happened = all.filter(({ evidence }) => evidence !== null);
    const seen = [...new Set(happened.map(({ evidence }) => evidence))].join('; ');
    return [kind, String(all.length), String(happened.length), all.length > 0 ? seen : (untried.get(kind) ?? 'not drawn')];
  });
  const statuses = Map.groupBy(observations.endings.values(), (status) => status);
  const jobs = [...statuses].map(([status, all]) => `${all.length} ${status}`).sort();
  const answers = [...observations.answers].sort(([one], [other]) => String(one).localeCompare(String(other)));
  const recovery = recoveryOf(report.recoveriesMs);
  const lines = [
    `Seed ${seed}: ${seconds} s of faults, ${brokers === 1 ? 'one nats-server' : `a cluster of ${brokers} nats-servers with ${brokers} replicas`}.`,
    '',
    ...aligned([['fault', 'planned', 'happened', 'how it was seen'], ...kinds]),
    '',
    `- jobs: ${observations.jobs.length} accepted, of these seen to end: ${jobs.join(', ') || 'none'}; ${observations.forgotten.size} threads deleted`,
    `- in the database: ${report.counts}`,
    `- answers to customers: ${answers.map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    `- repeated under their keys: ${observations.repetitions} requests; answers that had not changed: ${observations.tags.unchanged}`,
    `- webhooks: ${report.told}; log: ${verdict.checkpoints} checkpoints`,
    `- from the end of a fault to the next job that ended: ${recovery}; all was quiet ${(verdict.quietAfterMs / 1000).toFixed(1)} s after the last fault`,
    `- largest process: ${report.largestMegabytes} MB`,
    `- violations: ${verdict.violations.length === 0 ? 'none' : ''}`,
    ...verdict.violations.map((violation) => `  - seed ${seed}: ${violation}`),
  ];
  return `${lines.join('\n')}\n`;
}

function recoveryOf(recoveriesMs: readonly number[]): string {
  const sorted = [...recoveriesMs].sort((one, other) => one - other);
  const at = (share: number) => `${((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(1)} s`;
  return sorted.length === 0 ? 'nothing to measure' : `${at(0.5)} (median), ${at(0.99)} (99 %)`;
}

function aligned([header = [], ...rows]: string[][]): string[] {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
