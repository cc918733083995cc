/** An event as it stands in the database, whatever this build makes of it. */
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
  /** Whose it is to the policies of the database; null in rows of earlier builds. */
  tenantId?: string | null;
}

/** What is wrong with a stream, and where. */
export interface Fault {
  streamId: string;
  /** Of the event; null if the fault is not at one event. */
  version: number | null;
  /** The column or the fact that is not what it has to be; `hash` stands for every column that the hash covers. */
  field: string;
  what: string;
}
