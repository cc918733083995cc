import { tellHolding } from '@lib/memory/holdings';
import { Tally } from '@lib/memory/tally';

/** Something that takes room. */
export interface RoomItem {
  /** Empty for whoever needs no key. */
  tenantId: string;
  bytes: number;
  /** By `performance.now()`. */
  since: number;
}

interface RoomOptions<Item> {
  /** The name under which a process reports what it holds. */
  name: string;
  /** One tenant may have half of it, so that its clients leave room for others, however often they start again. */
  maxBytes: number;
  /** Something may be held for so long, even if others wait for its room. */
  forMs: number;
  /** Whether it is the client's fault that an item has been held for so long. */
  mayEnd: (item: Item) => boolean;
  end: (item: Item) => void;
}

/** Bounded room for what clients may keep as long as they like: what is held for too long gives its room to the next. */
export class FairRoom<Item extends RoomItem> {
  /** The oldest first. */
  private readonly held = new Set<Item>();
  private readonly bytes = new Tally();

  constructor(private readonly options: RoomOptions<Item>) {
    tellHolding(this, options.name, options.maxBytes, ({ held, bytes }) => ({ items: held.size, bytes: bytes.total }));
  }

  /** @returns whether there was room; it is taken until it is released */
  take(item: Item): boolean {
    if (!this.hasRoom(item)) return false;
    this.held.add(item);
    this.bytes.add(item.tenantId, item.bytes);
    return true;
  }

  release(item: Item): void {
    if (this.held.delete(item)) this.bytes.add(item.tenantId, -item.bytes);
  }

  /** Makes room by ending items that are held for too long: those of the same tenant if its half is full, of any tenant if everything is full. */
  private hasRoom({ tenantId, bytes }: RoomItem): boolean {
    const { maxBytes } = this.options;
    const ofTenant = (): boolean => this.bytes.of(tenantId) + bytes <= maxBytes / 2;
    const ofAll = (): boolean => this.bytes.total + bytes <= maxBytes;
    return this.endSlow(ofTenant, (item) => item.tenantId === tenantId) && this.endSlow(ofAll, () => true);
  }

  /** @returns whether there is room */
  private endSlow(hasRoom: () => boolean, isMeant: (item: Item) => boolean): boolean {
    const { forMs, mayEnd, end } = this.options;
    for (const item of this.held) {
      if (hasRoom() || performance.now() - item.since < forMs) break;
      if (!isMeant(item) || !mayEnd(item)) continue;
      this.release(item);
      end(item);
    }
    return hasRoom();
  }
}
