import type { VerifierKey } from '@lib/audit/format/signed-note';
import { readAnchors } from '../audit/anchor';
import { verifyBundle, type LookedAtBundle } from '../audit/bundle/verify-bundle';
import { faultLine, lineOf, NOT_LOOKED, notLookedAt, TAMPERED, showEvents } from './verify-text';

interface VerifyBundleOptions {
  json?: boolean;
  against?: string[];
  key?: VerifierKey[];
}

/** Says whether a bundle is what was exported, with nothing else at hand. Exit codes as those of a look at the database. */
export async function verifyBundleCommand(folder: string, { json, against = [], key = [] }: VerifyBundleOptions): Promise<void> {
  try {
    const looked = await verifyBundle(folder, await readAnchors(against), key, showEvents);
    process.stdout.write(json === true ? `${JSON.stringify(looked)}\n` : textOf(looked, key.length + against.length > 0));
    if (looked.faults.length > 0) process.exitCode = TAMPERED;
    else if (looked.unknown.length > 0 || looked.incomparable.length > 0) process.exitCode = NOT_LOOKED;
  } catch (error) {
    notLookedAt(error);
  }
}

const UNCHECKED = 'Who signed was not checked: the keys are those of the bundle. Name the key of the log with --key.';

/** @param isTrusted whether the auditor holds something of whoever signs for the log */
function textOf(looked: LookedAtBundle, isTrusted: boolean): string {
  const { faults, unknown, incomparable, notices } = looked;
  return [
    ...(process.stderr.isTTY ? [''] : []),
    ...faults.map(faultLine),
    ...unknown.map(({ streamId, why }) => lineOf(`${streamId}: not looked at, ${why}`)),
    ...incomparable.map((what) => lineOf(`not compared: ${what}`)),
    ...notices.map((what) => lineOf(`notice: ${what}`)),
    `Bundle: ${extentOf(looked)}; with a fault: ${faults.length}.`,
    ...(looked.isCutShort && looked.events > 0 ? ['The last fault named ended the look: what comes behind it was not looked at.'] : []),
    ...(isTrusted || looked.events === 0 ? [] : [UNCHECKED]),
    '',
  ].join('\n');
}

/** A fault may end a look before it has come to the events. */
function extentOf({ streams, events, entries, checkpoints, deletions }: LookedAtBundle): string {
  if (events === 0) return 'no event was looked at';
  const share = events === entries ? 'all' : `${events}`;
  return `${streams} histories, ${share} of the ${entries} entries of the log, ${checkpoints} checkpoints, ${deletions} receipts`;
}
