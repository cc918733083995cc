import type { Exported } from '../audit/bundle/export-bundle';
import { exportBundle } from '../audit/bundle/export-bundle';
import { readAnchors } from '../audit/anchor';
import { readPriceTables } from '@lib/settings/price-tables';
import { readNamed } from '../folders';
import { boundHeap } from '../runtime/bounded-heap';
import { withOperatorPool } from './operator-pool';
import { requireThere } from './removed-history';
import { showEvents } from './verify-text';

interface ExportOptions {
  out: string;
  thread?: string;
  tenant?: string;
  since?: Date;
  /** Files and folders with checkpoints that were kept elsewhere. */
  against?: string[];
}

/**
 * Writes a bundle that can be checked without the database. Needs a role that may read, and no secret.
 * @throws Error if it is not said what to export, or there is nothing of it
 */
export async function exportCommand(jobId: string | undefined, { out, thread, tenant, since, against = [] }: ExportOptions): Promise<void> {
  boundHeap();
  const named = [jobId, thread, tenant ?? since].filter((one) => one !== undefined);
  if (named.length !== 1) throw new Error('say what to export: a job, or --thread, or --tenant, or --since, or the last two together');
  const scope = { jobId: jobId ?? null, threadId: thread ?? null, tenantId: tenant ?? null, since: since ?? null };
  const held = await readAnchors(against);
  const { PROVIDERS_FILE: file } = process.env;
  const priceTables = file === undefined ? readPriceTables(file) : await readNamed('PROVIDERS_FILE', file, () => readPriceTables(file));
  const exported = await withOperatorPool(async (pool) => {
    const one = jobId ?? thread;
    if (one !== undefined) await requireThere(pool, one);
    return exportBundle(pool, { scope, folder: out, held, priceTables }, showEvents);
  });
  process.stdout.write(textOf(out, exported));
}

function textOf(out: string, { streams, events, deletions, size, newer, unknownPrices }: Exported): string {
  return [
    ...(process.stderr.isTTY ? [''] : []),
    `${out}: ${events} events of ${streams} histories and ${deletions} receipts of deletions, proved by the checkpoint at ${size}.`,
    ...(newer > 0
      ? ['The newest events are not in it, since no checkpoint has them yet: run `research checkpoint` first to have all.']
      : []),
    ...unknownPrices.map((sha256) => `No price table has the digest ${sha256}: name the file that had it in PROVIDERS_FILE.`),
    '',
  ].join('\n');
}
