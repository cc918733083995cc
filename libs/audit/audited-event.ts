/** An event as stored in the database, not yet interpreted by this build. */
export interface AuditedEvent {
  streamId: string;
  version: number;
  id: string;
  type: string;
  schemaVersion: number;
  facts: Record<string, unknown>;
  meta: Record<string, unknown>;
  /** The sealed content; null if the event has none or it was erased. */
  sealed: Buffer | null;
  sealedSha256: Buffer | null;
  prevHash: Buffer;
  hash: Buffer;
  /** The tenant for the database's row policies; null in rows of earlier builds. */
  tenantId?: string | null;
}

/** What is wrong with a stream, and where. */
export interface Fault {
  streamId: string;
  /** The event's version; null if the fault does not concern a single event. */
  version: number | null;
  /** The wrong column or fact. `hash` stands for any column that the hash covers. */
  field: string;
  what: string;
}
