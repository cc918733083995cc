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
    if (!this.hasRoom(item.tenantId, item.bytes)) return false;
    this.held.add(item);
    this.bytes.add(item.tenantId, item.bytes);
    return true;
  }

  release(item: Item): void {
    if (this.held.delete(item)) this.bytes.add(item.tenantId, -item.bytes);
  }

  /** An item may always shrink. @returns whether there was room for it to grow */
  resize(item: Item, bytes: number): boolean {
    // It was ended meanwhile, so nobody needs its room.
    if (!this.held.has(item)) return true;
    const more = bytes - item.bytes;
    if (more > 0 && !this.hasRoom(item.tenantId, more, item)) return false;
    item.bytes = bytes;
    this.bytes.add(item.tenantId, more);
    return true;
  }

  /** Makes room by ending items that are held for too long: those of the same tenant if its half is full, of any tenant if everything is full. */
  private hasRoom(tenantId: string, bytes: number, growing?: Item): boolean {
    const { maxBytes } = this.options;
    const ofTenant = (): boolean => this.bytes.of(tenantId) + bytes <= maxBytes / 2;
    const ofAll = (): boolean => this.bytes.total + bytes <= maxBytes;
    const isOther = (item: Item): boolean => item !== growing;
    return this.endSlow(ofTenant, (item) => isOther(item) && item.tenantId === tenantId) && this.endSlow(ofAll, isOther);
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
