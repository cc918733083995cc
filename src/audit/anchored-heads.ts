import type { Fault } from '@lib/audit/audited-event';
import type { Checkpoint } from '@lib/audit/format/checkpoint';
import type { GrowingTree } from '@lib/audit/format/merkle';
import type { LogOrigin, StoredCheckpoint } from '@lib/store/log/checkpoints';
import type { Anchor } from './anchor';
import { lostEntries, predecessorOf, successorsOf } from './restored-logs';
import type { TrustedKeys } from './trusted-keys';

interface Place {
  streamId: string;
  version: number;
}

/** What is wrong with the log as a whole. */
export const inLog = (field: string, what: string): Fault => ({ streamId: 'log', version: null, field, what });

/** Compares the tree, while it grows, with every checkpoint of its size: those of the database, and those that somebody kept elsewhere. */
export class AnchoredHeads {
  /** How many were compared. */
  checkpoints = 0;
  private readonly faults: Fault[] = [];
  private readonly anchors: Anchor[];
  private next: StoredCheckpoint | undefined;
  private isRead = false;
  /** The largest size at which a checkpoint agrees with the tree, and the entry that follows it. */
  private agreed = 0;
  private after: Place | null = null;
  /** The same of the checkpoints of each log. */
  private readonly agreedOf = new Map<string, number>();
  /** Those that a recorded restore has put out of date, with the log that was opened then. */
  private readonly outdated: { anchor: Anchor; successor: LogOrigin }[] = [];
  private isBroken = false;

  constructor(
    private readonly stored: AsyncGenerator<StoredCheckpoint, undefined>,
    anchors: readonly Anchor[],
    private readonly keys: TrustedKeys,
    private readonly logs: readonly LogOrigin[],
  ) {
    this.anchors = anchors.toSorted((one, other) => one.checkpoint.size - other.checkpoint.size).filter((anchor) => this.isUsable(anchor));
  }

  /** @param entry the one that the tree has grown by; null before the first */
  async reach(tree: GrowingTree, entry: Place | null): Promise<void> {
    if (!this.isRead) await this.advance();
    if (tree.size === this.agreed + 1) this.after = entry;
    const kept: Anchor[] = [];
    for (; this.anchors[0]?.checkpoint.size === tree.size; this.anchors.shift()) {
      const [anchor] = this.anchors;
      const { file, checkpoint } = anchor;
      if (this.isLost(tree, anchor)) continue;
      this.compare(tree, checkpoint, entry, `the checkpoint ${file}`);
      kept.push(anchor);
    }
    const stored = new Set<string>();
    for (; this.next?.size === tree.size; await this.advance()) {
      const told = this.keys.read(this.next);
      const name = `the checkpoint of ${this.next.origin} at ${this.next.size}`;
      stored.add(this.next.origin);
      if (typeof told === 'string') this.faults.push(inLog('checkpoint', `${name} ${told}`));
      else if (!this.namesPredecessor(told)) this.faults.push(inLog('log_origin', `${name} names another log before it`));
      else this.compare(tree, told, entry, name);
    }
    for (const anchor of kept) this.requireStored(anchor, stored);
  }

  /** Checkpoints are never removed. Only a restore to a moment between an entry and its checkpoint loses one. */
  private requireStored({ file, checkpoint: { origin, size } }: Anchor, stored: ReadonlySet<string>): void {
    if (stored.has(origin) || !this.logs.some((log) => log.origin === origin)) return;
    const lost = 'it was removed, or the database was restored to a moment before it';
    this.tell('checkpoint', `the checkpoint ${file} of ${origin} at ${size} is not in the database any more: ${lost}`);
  }

  /** When the tree has every entry. @param logged how many there are by now */
  end({ size }: GrowingTree, logged: number): Fault[] {
    const cut = (name: string, had: number): Fault =>
      inLog('log_entry', `the log has ${size} entries, and ${name} says that it had ${had}`);
    const missing = this.anchors.map(({ file, checkpoint }) => cut(`the checkpoint ${file}`, checkpoint.size));
    // A checkpoint that was signed during the verification may cover entries that were not read any more.
    const stored = this.next && this.next.size > logged ? [cut(`the checkpoint of ${this.next.origin}`, this.next.size)] : [];
    return [...this.faults, ...this.outdated.map((one) => this.gap(one)), ...missing, ...stored];
  }

  /** New entries may have taken the places of the lost ones before the restored database got a log of its own. */
  private isLost(tree: GrowingTree, anchor: Anchor): boolean {
    const { origin, size, root } = anchor.checkpoint;
    if (this.isBroken || tree.root().equals(root)) return false;
    const successor = this.logs.find((log) => {
      const head = predecessorOf(log);
      return head?.origin === origin && head.size >= size;
    });
    if (!successor) return false;
    this.tell('gap', lostEntries(anchor, this.agreed, successor));
    return true;
  }

  /** How far the database still has that log is shown by its own checkpoints and those of the logs before it, not by those of its successor. */
  private gap({ anchor, successor }: { anchor: Anchor; successor: LogOrigin }): Fault {
    const before = this.logs.slice(0, this.logs.indexOf(successor)).map(({ origin }) => origin);
    const agreed = Math.max(0, ...[...before, anchor.checkpoint.origin].map((origin) => this.agreedOf.get(origin) ?? 0));
    return inLog('gap', lostEntries(anchor, agreed, successor));
  }

  private compare(tree: GrowingTree, { origin, size, root }: Checkpoint, entry: Place | null, name: string): void {
    this.checkpoints += 1;
    if (tree.root().equals(root)) {
      this.agreedOf.set(origin, size);
      if (!this.isBroken) [this.agreed, this.after] = [size, null];
      return;
    }
    // Everything after the first difference differs too, so only the first one is reported.
    if (this.isBroken) return;
    this.isBroken = true;
    const place = (at: Place | null): string => (at === null ? 'none' : `${at.streamId} version ${at.version}`);
    const range = `between entry ${this.agreed} (now ${place(this.after)}) and entry ${size - 1} (now ${place(entry)})`;
    this.faults.push(inLog('root', `the events are not those of ${name}: the first that differs lies ${range}`));
  }

  /** Whether the checkpoint can be compared with the tree. One that a recorded restore has outdated cannot: it only shows what was lost. */
  private isUsable(anchor: Anchor): boolean {
    const { file, note } = anchor;
    const { origin, size } = anchor.checkpoint;
    const wrong = this.keys.hold(note);
    // It is compared even so, because whoever kept it may know that it is genuine.
    if (wrong !== null) this.tell('checkpoint', `the checkpoint ${file} ${wrong}`);
    const [successor] = successorsOf(this.logs, origin);
    if (!successor && !this.logs.some((log) => log.origin === origin))
      return this.tell('log_origin', `the database knows no log ${origin}, of which the checkpoint ${file} is`);
    if (!successor || size <= successor.size) return true;
    this.outdated.push({ anchor, successor });
    return false;
  }

  private tell(field: string, what: string): false {
    this.faults.push(inLog(field, what));
    return false;
  }

  private namesPredecessor({ origin, predecessor }: Checkpoint): boolean {
    const log = this.logs.find((one) => one.origin === origin);
    const head = log && predecessorOf(log);
    if (!head || !predecessor) return !head === !predecessor;
    return head.origin === predecessor.origin && head.size === predecessor.size && head.root.equals(predecessor.root);
  }

  private async advance(): Promise<void> {
    this.isRead = true;
    const { value } = await this.stored.next();
    this.next = value;
  }
}
