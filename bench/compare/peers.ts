import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Round } from './rounds';

/** What a run of the peers' harness writes, as far as it is read here. */
interface Harness {
  runs: { closed: { rate: number; cpu: number; jobs: number }; single: { total: { p50: number } }; peak: number }[];
  failed: Record<string, string>;
  skipped: Record<string, string>;
}

/** The folder's harness, or why it cannot be run. */
export function findPeers(folder: string | null): { run: string } | { missing: string } {
  if (folder === null) return { missing: 'no folder of peers was named: --peers folder' };
  const run = resolve(folder, 'run.mjs');
  if (!existsSync(run)) return { missing: `${folder} has no run.mjs` };
  if (!existsSync(resolve(folder, 'node_modules'))) return { missing: `${folder} is not installed: run npm ci in it` };
  return { run };
}

/** One round of a peer, behind the same REST interface on a bare Fastify and driven by the harness's own client. @throws Error if it fails */
export async function runPeer(run: string, peer: string, jobs: number): Promise<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'research-peer-'));
  const out = join(folder, 'figures.json');
  const load = ['--jobs', String(jobs), '--single', '50', '--rounds', '1', '--open', '1'];
  try {
    const harness = spawn(process.execPath, [run, '--http', '--peer', peer, ...load, '--out', out], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    harness.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(harness, 'close');
    if (!existsSync(out)) throw new Error(said.slice(-500));
    const { runs, failed, skipped } = JSON.parse(await readFile(out, 'utf8')) as Harness;
    const figures = runs[0];
    if (!figures) throw new Error(failed[peer] ?? skipped[peer] ?? said.slice(-500));
    const { closed, single, peak } = figures;
    const cpu = (closed.cpu * 1000) / closed.jobs;
    return {
      jobsPerSecond: closed.rate,
      cpuSecondsPer1000Jobs: cpu,
      cpuSecondsPer1000JobsByProcess: { 'all processes': cpu },
      loneP50: single.total.p50,
      peakMegabytes: { 'all processes': peak },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
