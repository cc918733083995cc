import { parseNote } from '@lib/audit/signed-note';
import { readReceipt, receiptFault, type DeletionReceipt, type RecordedDeletion } from '@lib/audit/deletion-receipt';
import { readReceiptLine, type ReceiptLine } from '@lib/audit/bundle/lines';
import type { TrustedKeys } from '../trusted-keys';
import { at, BundleFault, type BundleLine } from './bundle-lines';

interface Receipt extends ReceiptLine {
  place: string;
  receipt: DeletionReceipt;
}

/** The receipts of a bundle beside the deletions that its events tell: both come in the order of the threads. */
export class BundleReceipts {
  count = 0;
  private next: Receipt | null = null;
  private isRead = false;

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

  /** @throws BundleFault if the receipt of this thread says something else, or one before it is of no deleted thread */
  async compare(recorded: RecordedDeletion): Promise<void> {
    if (!this.isRead) await this.advance();
    const { next } = this;
    if (next === null || next.threadId > recorded.threadId) return;
    if (next.threadId < recorded.threadId) throw notDeleted(next);
    const fault = receiptFault(next.receipt, next.streams, recorded, this.isWhole);
    if (fault !== null) throw new BundleFault(next.place, fault);
    await this.advance();
  }

  async end(): Promise<void> {
    if (!this.isRead) await this.advance();
    if (this.next) throw notDeleted(this.next);
  }

  private async advance(): Promise<void> {
    this.isRead = true;
    const line = await this.lines.next();
    if (line.done !== true) this.count += 1;
    this.next = line.done === true ? null : at(line.value.place, () => this.read(line.value));
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
