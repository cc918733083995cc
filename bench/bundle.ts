import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markdownTable } from 'markdown-table';
import { packageFolder } from './package-folder';

const KEY = Buffer.alloc(32, 7).toString('base64');

/** Cost of exporting everything, and of checking the bundle with the command and with the documentation's script. */
export async function bundled(databaseUrl: string, folder: string, events: number): Promise<string> {
  const command = join(packageFolder(), 'dist', 'src', 'cli', 'main.js');
  const script = join(packageFolder(), 'docs', 'audit', 'verify.py');
  const out = join(folder, 'bundle');
  const environment = { ...process.env, DATABASE_URL: databaseUrl, CHECKPOINT_KEY: KEY, DATA_DIR: join(folder, 'data') };
  const of = (...args: string[]): Promise<Cost> => costOf(process.execPath, [command, ...args], environment);
  await of('checkpoint');
  const costs: [string, Cost][] = [
    ['research export', await of('export', '--since', '2000-01-01T00:00:00Z', '--out', out)],
    ['research verify of the bundle', await of('verify', out)],
    ['verify.py', await costOf('python3', [script, out], environment)],
  ];
  const rows = costs.map(([name, { cpuSeconds, peakMb }]) =>
    [name, events, cpuSeconds.toFixed(1), (events / cpuSeconds).toFixed(0), peakMb.toFixed(0)].map(String),
  );
  return markdownTable([['command', 'events', 'CPU s', 'events a CPU second', 'largest memory MB'], ...rows]);
}

interface Cost {
  cpuSeconds: number;
  peakMb: number;
}

/** Cost of the process itself, as last sampled; the work of the database is not included. */
async function costOf(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Cost> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const cost: Cost = { cpuSeconds: 0, peakMb: 0 };
  while (child.exitCode === null && child.signalCode === null) {
    const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => '');
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
    // Clock ticks are hundredths of a second.
    cost.cpuSeconds = Math.max(cost.cpuSeconds, (user + system) / 100);
    cost.peakMb = Math.max(cost.peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    await sleep(20);
  }
  if (child.exitCode !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${child.exitCode}`);
  return cost;
}
