import type { Fault } from '@lib/audit/audited-event';
import { BundleAudit } from '@lib/audit/bundle/bundle-audit';
import { PriceTables } from '@lib/audit/bundle/prices';
import { FILES, readHead, readSums, SUMS, type BundleHead } from '@lib/audit/format/bundle/files';
import { readEvent } from '@lib/audit/format/bundle/lines';
import type { RecordedDeletion } from '@lib/audit/format/deletion-receipt';
import type { RemovedSkeleton } from '@lib/domain/tenant';
import type { VerifierKey } from '@lib/audit/format/signed-note';
import { messageOfError } from '@lib/domain/message-of-error';
import { UnknownEvent, upcast } from '@lib/store/history/upcasters';
import type { Anchor } from '../anchor';
import { readCheckpoints, type BundleCheckpoints } from './bundle-checkpoints';
import { BundleReceipts } from './bundle-receipts';
import { at, BundleFault, linesOf, sumOf, textOf, type Sums } from './bundle-lines';

export interface LookedAtBundle {
  streams: number;
  events: number;
  /** How many entries the log has that contains the events. */
  entries: number;
  checkpoints: number;
  /** Receipts of deletions. */
  deletions: number;
  faults: Fault[];
  /** Whether a fault ended the look, so that what comes behind it in the files was not looked at. */
  isCutShort: boolean;
  unknown: { streamId: string; why: string }[];
  /** Kept checkpoints that the bundle says nothing of. */
  incomparable: string[];
  /** Things that are no fault by themselves, but that an auditor has to ask about. */
  notices: string[];
}

const PROGRESS_EVERY = 1_000;

/**
 * Looks at a bundle, with nothing else at hand. Every file has its digest; the checkpoint is signed by whom the auditor believes, and goes on from
 * the older ones; every event stands in the log, in a chain without a gap and in a legal history.
 * @throws Error if the folder is no bundle that this build reads
 */
export async function verifyBundle(
  folder: string,
  anchors: readonly Anchor[],
  named: readonly VerifierKey[],
  progress: (events: number) => void,
): Promise<LookedAtBundle> {
  const looked: LookedAtBundle = {
    streams: 0,
    events: 0,
    entries: 0,
    checkpoints: 0,
    deletions: 0,
    faults: [],
    isCutShort: false,
    unknown: [],
    incomparable: [],
    notices: [],
  };
  try {
    const head = await readBundleHead(folder);
    const sumsText = await textOf(folder, SUMS, null);
    const sums = at(SUMS, () => readSums(sumsText));
    for (const name of [FILES.readme, FILES.head]) await textOf(folder, name, sumOf(sums, name));
    const checkpoints = await readCheckpoints(folder, sums, anchors, named);
    looked.entries = checkpoints.newest.size;
    looked.checkpoints = checkpoints.roots.size;
    looked.incomparable = checkpoints.incomparable;
    looked.faults.push(...checkpoints.faults);
    requireHead(head, checkpoints);
    await lookAtEvents(folder, { head, sums, checkpoints, looked, progress });
  } catch (error) {
    if (!(error instanceof BundleFault)) throw error;
    looked.faults.push(inBundle(error));
    looked.isCutShort = true;
  }
  return looked;
}

const inBundle = ({ place, message }: BundleFault): Fault => ({ streamId: 'bundle', version: null, field: place, what: message });

/** @throws Error for what is no bundle, or of a newer build; BundleFault if it is not what its digest says */
async function readBundleHead(folder: string): Promise<BundleHead> {
  try {
    return readHead(await textOf(folder, FILES.head, null));
  } catch (error) {
    const sums = await sumsOrNothing(folder);
    if (sums !== null) await textOf(folder, FILES.head, sumOf(sums, FILES.head));
    const what = messageOfError(error);
    throw new Error(`${folder} is no whole bundle of \`research export\`: its ${FILES.head} ${what}`, { cause: error });
  }
}

/** Null where no whole list of digests is, as in a folder that is no bundle. */
async function sumsOrNothing(folder: string): Promise<Sums | null> {
  try {
    return readSums(await textOf(folder, SUMS, null));
  } catch {
    return null;
  }
}

function requireHead({ checkpoint }: BundleHead, { newest }: BundleCheckpoints): void {
  if (checkpoint.origin !== newest.origin || checkpoint.size !== newest.size)
    throw new BundleFault(FILES.head, `names the checkpoint of ${checkpoint.origin} at ${checkpoint.size}, and the bundle has another one`);
}

interface Look {
  head: BundleHead;
  sums: Sums;
  checkpoints: BundleCheckpoints;
  looked: LookedAtBundle;
  progress: (events: number) => void;
}

async function lookAtEvents(folder: string, { head, sums, checkpoints, looked, progress }: Look): Promise<void> {
  const prices = new PriceTables();
  for await (const { place, text } of linesOf(folder, FILES.prices, sumOf(sums, FILES.prices))) at(place, () => prices.add(text));
  const { size, root } = checkpoints.newest;
  const isUnknown = (error: unknown): boolean => error instanceof UnknownEvent;
  const { scope } = head;
  const deleted: RecordedDeletion[] = [];
  const onDeleted = (deletion: RecordedDeletion): void => void deleted.push(deletion);
  const lines = linesOf(folder, FILES.deletions, sumOf(sums, FILES.deletions));
  const receipts = new BundleReceipts(lines, checkpoints.keys, checkpoints.roots, scope.job === null);
  const onRemoved = (threads: unknown): void => receipts.expect(threads as RemovedSkeleton[]);
  const audit = new BundleAudit({ size, root, prices, scope, upcast, isUnknown, onDeleted, onRemoved });
  const compare = async (): Promise<void> => {
    for (const deletion of deleted.splice(0)) await receipts.compare(deletion);
  };
  try {
    for await (const { place, text } of linesOf(folder, FILES.events, sumOf(sums, FILES.events))) {
      audit.take(at(place, () => readEvent(text)));
      if (deleted.length > 0) await compare();
      if (audit.events % PROGRESS_EVERY === 0) progress(audit.events);
    }
    audit.end();
    await compare();
    await receipts.end();
    requireCounts(head, audit, receipts);
  } finally {
    Object.assign(looked, { streams: audit.streams, events: audit.events, deletions: receipts.count });
    looked.unknown.push(...audit.unknown);
    looked.faults.push(...audit.faults);
    looked.notices.push(...receipts.missing.map((threadId) => `thread ${threadId} is deleted and the bundle has no receipt of it`));
    looked.notices.push(...openJobs(audit), ...uncheckedCharges(prices));
  }
}

/** A bundle with fewer events than the log cannot show that nothing follows. */
function openJobs({ open: { count, first } }: BundleAudit): string[] {
  if (count === 0) return [];
  const which = count === 1 ? `job ${first} has` : `${String(count)} jobs, ${first} the first, have`;
  return [`${which} no final event: open when the bundle was made, or the end was cut off`];
}

const uncheckedCharges = ({ unchecked }: PriceTables): string[] =>
  unchecked === 0 ? [] : [`computed charges that could not be recomputed, as prices.jsonl has null for their price table: ${unchecked}`];

function requireCounts({ counts }: BundleHead, { streams, events }: BundleAudit, { count }: BundleReceipts): void {
  if (streams === counts.streams && events === counts.events && count === counts.deletions) return;
  const said = `${counts.events} events of ${counts.streams} histories and ${counts.deletions} receipts`;
  throw new BundleFault(FILES.head, `says ${said}, and there are ${events} of ${streams} and ${count}`);
}
