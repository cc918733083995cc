import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What Linux says of processes in /proc. A process that ends while it is read counts as nothing. */

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const SAMPLE_MS = 500;

interface ProcessStat {
  parent: number;
  /** Of the process and of those of its children that have ended. */
  cpuSeconds: number;
}

/** CPU seconds used so far by a process and all of its descendants. */
export function cpuSecondsOf(root: number): number {
  const all = readProcesses();
  return family(root, all).reduce((sum, pid) => sum + (all.get(pid)?.cpuSeconds ?? 0), 0);
}

/** CPU seconds so far by name, those of this process as the client's. */
export function cpuByProcess(processes: ReadonlyMap<string, number>): Record<string, number> {
  const client = process.cpuUsage();
  const servers = [...processes].map(([name, pid]) => [name, cpuSecondsOf(pid)] as const);
  return { ...Object.fromEntries(servers), client: (client.user + client.system) / 1e6 };
}

/** Samples the memory of several processes, each including its descendants. */
export class PeakMemory {
  private readonly peaks = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly roots: ReadonlyMap<string, number>) {
    this.sample();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  /** The largest memory seen, by name, in MB; pages that processes share count once. */
  stop(): Record<string, number> {
    clearInterval(this.timer);
    this.sample();
    return Object.fromEntries(this.peaks);
  }

  private sample(): void {
    const all = readProcesses();
    for (const [name, root] of this.roots) {
      const megabytes = family(root, all).reduce((sum, pid) => sum + proportionalMegabytes(pid), 0);
      this.peaks.set(name, Math.max(this.peaks.get(name) ?? 0, megabytes));
    }
  }
}

function readProcesses(): Map<number, ProcessStat> {
  const numbers = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(
    numbers.flatMap((pid): [number, ProcessStat][] => {
      const line = readProcFile(pid, 'stat');
      // The second field is the program's name in brackets and may hold anything.
      const [, parent, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ');
      if (parent === undefined) return [];
      const ticks = fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0);
      return [[pid, { parent: Number(parent), cpuSeconds: ticks / TICKS_PER_SECOND }]];
    }),
  );
}

function family(root: number, all: ReadonlyMap<number, ProcessStat>): number[] {
  const children = [...all].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
  return [root, ...children.flatMap((child) => family(child, all))];
}

function proportionalMegabytes(pid: number): number {
  const kilobytes = /^Pss: +(\d+) kB$/m.exec(readProcFile(pid, 'smaps_rollup'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** Sockets that a process holds open. */
export function openSocketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((file) => linkOf(`${folder}/${file}`).startsWith('socket:')).length;
}

/** A file that was closed meanwhile leads nowhere. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
