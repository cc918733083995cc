import { FILES } from '@lib/audit/format/bundle/files';
import { readReceiptLine, type ReceiptLine } from '@lib/audit/format/bundle/lines';
import {
  digestOfStreams,
  readReceipt,
  receiptFault,
  type DeletionReceipt,
  type RecordedDeletion,
} from '@lib/audit/format/deletion-receipt';
import { parseNote } from '@lib/audit/format/signed-note';
import type { RemovedSkeleton } from '@lib/domain/tenant';
import type { TrustedKeys } from '../trusted-keys';
import { at, BundleFault, type BundleLine } from './bundle-lines';

interface Receipt extends ReceiptLine {
  place: string;
  receipt: DeletionReceipt;
}

/** Compares the receipts of a bundle with the deletions in its events. Both come in the order of the threads. */
export class BundleReceipts {
  count = 0;
  /** Threads that the events show as deleted, but for which the bundle has no receipt. */
  readonly missing: string[] = [];
  private next: Receipt | null = null;
  private isRead = false;
  private lastId = '';
  /** What the tenant's event says about threads whose histories were removed and whose receipt was not read yet. */
  private readonly removed = new Map<string, RemovedSkeleton>();

  /**
   * @param roots of the checkpoints of the bundle, by their size
   * @param isWhole whether the bundle has all jobs of each thread
   */
  constructor(
    private readonly lines: AsyncGenerator<BundleLine, undefined>,
    private readonly keys: TrustedKeys,
    private readonly roots: ReadonlyMap<number, Buffer>,
    private readonly isWhole: boolean,
  ) {}

  /** Each of these threads must have a receipt, whether or not its events are in the bundle. */
  expect(threads: readonly RemovedSkeleton[]): void {
    for (const skeleton of threads) this.removed.set(skeleton.threadId, skeleton);
  }

  /** @throws BundleFault if the receipt of this thread says something else, or one before it is of no deleted thread */
  async compare(recorded: RecordedDeletion): Promise<void> {
    if (!this.isRead) await this.advance();
    while (this.next !== null && this.next.threadId < recorded.threadId) await this.takeRemoved(this.next);
    const { next } = this;
    if (next?.threadId !== recorded.threadId) {
      // Where its histories were removed, this is a fault: see the end.
      if (!this.removed.has(recorded.threadId)) this.missing.push(recorded.threadId);
      return;
    }
    const fault = receiptFault(next.receipt, next.streams, recorded, this.isWhole);
    if (fault !== null) throw new BundleFault(next.place, fault);
    // Its events may be there still.
    if (this.removed.has(next.threadId)) await this.takeRemoved(next);
    else await this.advance();
  }

  async end(): Promise<void> {
    if (!this.isRead) await this.advance();
    while (this.next !== null) await this.takeRemoved(this.next);
    const [missing] = this.removed.keys();
    if (missing !== undefined) throw new BundleFault(FILES.deletions, `lacks the receipt of ${missing}, whose histories were removed`);
  }

  private async takeRemoved(next: Receipt): Promise<void> {
    const { threadId, place, receipt } = next;
    const removed = this.removed.get(threadId);
    if (!removed) throw notDeleted(next);
    const { count, sha256 } = digestOfStreams(next.streams);
    if (receipt.streams.sha256 !== sha256 || receipt.streams.count !== count)
      throw new BundleFault(place, 'lists other streams than those that were signed');
    if (
      receipt.threadId !== threadId ||
      removed.deletedAt !== receipt.deletedAt ||
      removed.streams.sha256 !== sha256 ||
      removed.streams.count !== count
    )
      throw new BundleFault(place, 'says something else than the event that records the removal');
    this.removed.delete(threadId);
    await this.advance();
  }

  private async advance(): Promise<void> {
    this.isRead = true;
    const line = await this.lines.next();
    if (line.done !== true) this.count += 1;
    const next = line.done === true ? null : at(line.value.place, () => this.read(line.value));
    if (next !== null && next.threadId <= this.lastId) throw new BundleFault(next.place, 'comes twice, or not in the order of ids');
    this.lastId = next?.threadId ?? this.lastId;
    this.next = next;
  }

  private read({ place, text }: BundleLine): Receipt {
    const line = readReceiptLine(text);
    const wrong = this.keys.wrongWith(parseNote(line.note));
    if (wrong !== null) throw new Error(wrong);
    const receipt = readReceipt(parseNote(line.note).text);
    const root = this.roots.get(receipt.checkpoint.size);
    if (root && root.toString('base64') !== receipt.checkpoint.root) throw new Error('names another checkpoint than the log has');
    return { ...line, place, receipt };
  }
}

const notDeleted = ({ place, threadId }: Receipt): BundleFault =>
  new BundleFault(place, `is of ${threadId}, which the events do not show as deleted`);
