import type { MessageAdded, ThreadCreated } from '@lib/domain/thread';

/** Of the event that begins a stream. */
export const FIRST_VERSION = 1;

/** The texts of one thread, null if erased. Pieces requested together are read together. */
export class ThreadContents {
  /** @param read the content of the event of that version, whatever its type */
  constructor(private readonly read: (version: number) => Promise<object | null>) {}

  async title(): Promise<string | null> {
    return ((await this.read(FIRST_VERSION)) as ThreadCreated['content'] | null)?.title ?? null;
  }

  /** @param version of the event that added the message */
  async message(version: number): Promise<string | null> {
    return ((await this.read(version)) as MessageAdded['content'] | null)?.content ?? null;
  }
}
