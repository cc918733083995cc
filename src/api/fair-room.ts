import { tellHolding } from '@lib/memory/holdings';
import { Tally } from '@lib/memory/tally';

/** Something that takes room. */
export interface Held {
  /** Empty for whoever needs no key. */
  tenantId: string;
  bytes: number;
  /** By `performance.now()`. */
  since: number;
}

interface RoomOptions<Item> {
  /** As it is told of what a process holds. */
  name: string;
  /** One tenant has half of it, so that its clients leave room to the others, however often they begin anew. */
  maxBytes: number;
  /** Something may be held for so long, even if others wait for its room. */
  forMs: number;
  /** Whether what has been held for so long is held by a client's fault. */
  mayEnd: (item: Item) => boolean;
  end: (item: Item) => void;
}

/** Bounded room for what clients may keep as long as they like: what is held for too long gives its room to the next. */
export class FairRoom<Item extends Held> {
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

  /** Makes room by ending what is held for too long: of the same tenant if its room is full, of any if all room is. */
  private hasRoom({ tenantId, bytes }: Held): boolean {
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
