import type { VerifierKey } from '@lib/audit/format/signed-note';
import { readEnv } from '@lib/settings/read-env';
import { readAnchors } from '../audit/anchor';
import { verifyEntries, verifyLog, type LookedAtLog } from '../audit/verify-log';
import { verifyHistories, type Looked } from '../audit/verify-histories';
import { openOperatorPool, requireAllTenants, requireSchema } from '../database';
import { boundHeap } from '../runtime/bounded-heap';
import { MAX_STATEMENT_MS } from './operator-pool';
import { verifyBundleCommand } from './verify-bundle';
import { isHistory } from './option-parsers';
import { requireThere } from './removed-history';
import { faultLine, lineOf, NOT_LOOKED, notLookedAt, TAMPERED } from './verify-text';

interface VerifyOptions {
  tenant?: string;
  after?: string;
  json?: boolean;
  /** Files and folders with checkpoints that were kept elsewhere. */
  against?: string[];
  /** Verifier keys of those who may have signed them. */
  key?: VerifierKey[];
}

interface LookedAtAll extends Looked {
  log: Omit<LookedAtLog, 'faults'>;
}

const CONNECTIONS = 3;

/**
 * Says whether the histories, or a bundle of them, are what was recorded. Exit code 0 if they are, 1 if one is not, 2 if it could not look. Needs a
 * role that may read, and no secret.
 */
export async function verifyCommand(
  /** A history by its id, or the folder of a bundle; everything if it is neither. */
  streamId: string | undefined,
  { tenant, after, json, against = [], key = [] }: VerifyOptions,
): Promise<void> {
  // Nearly everything that is read becomes garbage at once.
  boundHeap(50);
  if (streamId !== undefined && !isHistory(streamId)) {
    if (tenant === undefined && after === undefined) return verifyBundleCommand(streamId, { json, against, key });
    return notLookedAt(new Error('--tenant and --after are of a look at the database: leave them out for a bundle'));
  }
  try {
    const isWhole = streamId === undefined && tenant === undefined;
    if (!isWhole && against.length > 0) throw new Error('--against compares the log of all histories: leave out the id and --tenant');
    const anchors = await readAnchors(against);
    await using closing = new AsyncDisposableStack();
    const { pool } = await openOperatorPool(readEnv(process.env), closing, CONNECTIONS, MAX_STATEMENT_MS);
    await requireSchema(pool);
    await requireAllTenants(pool);
    const histories = await verifyHistories(pool, { streamId, tenantId: tenant, after }, showProgress);
    const { faults, ...log } = isWhole
      ? await verifyLog(pool, anchors, key, showLogProgress)
      : await verifyEntries(pool, { streamId, tenantId: tenant });
    const looked: LookedAtAll = { ...histories, faults: [...histories.faults, ...faults], log };
    process.stdout.write(json ? `${JSON.stringify(looked)}\n` : textOf(looked));
    if (looked.faults.length > 0) {
      // Where nothing of it is left, the faults say so: why would only replace their exit code.
      process.exitCode = TAMPERED;
      return;
    }
    if (looked.unknown.length > 0) process.exitCode = NOT_LOOKED;
    // With `--after`, the tenant may have no histories left.
    const named = streamId ?? (after === undefined ? tenant : undefined);
    if (looked.events === 0 && named !== undefined) await requireThere(pool, named);
    if (looked.events === 0 && named !== undefined) throw new Error(`the database holds no event of ${named}`);
  } catch (error) {
    notLookedAt(error);
  }
}

/** On a terminal; whoever interrupts it can go on after the stream that it names. */
function showProgress({ streams, events, last, faults }: Looked): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${streams} histories, ${events} events, ${faults.length} faults, up to ${last} `);
}

function showLogProgress(entries: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${entries} entries of the log `);
}

function textOf({ streams, events, last, faults, unknown, log }: LookedAtAll): string {
  return [
    ...(process.stderr.isTTY ? [''] : []),
    ...faults.map(faultLine),
    ...unknown.map(({ streamId, why }) => lineOf(`${streamId}: not looked at, ${why}`)),
    `Histories: ${streams}, events: ${events}, the last one ${last || 'none'}; with a fault: ${faults.length}, not looked at: ${unknown.length}.`,
    ...logLines(log),
    '',
  ].join('\n');
}

function logLines({ entries, checkpoints, cutShortOf, isWhole }: LookedAtAll['log']): string[] {
  if (!isWhole)
    return [
      `Log: ${entries} entries, compared with these events. Not looked at: its tree, checkpoints and receipts; leave out the id and --tenant for these.`,
    ];
  if (cutShortOf !== undefined)
    return [
      `Log: looked at ${entries} of ${cutShortOf} entries, up to the first that is missing, and compared with ${checkpoints} checkpoints. ` +
        'Not looked at: what comes behind it, and stored nodes, receipts and removals.',
    ];
  return entries > 0 ? [`Log: ${entries} entries, compared with ${checkpoints} checkpoints.`] : [];
}
