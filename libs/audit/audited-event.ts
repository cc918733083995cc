/** An event as it stands in the database, even if this build cannot read it. */
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
  /** The tenant that the policies of the database check; null in rows of earlier builds. */
  tenantId?: string | null;
  /** A number in a column that is not written as RFC 8785 writes it; null or absent if there is none. */
  respelled?: { column: string; name: string; written: string; canonical: string } | null;
}

/** What is wrong with a stream, and where. */
export interface Fault {
  streamId: string;
  /** Version of the event; null if the fault is not at one event. */
  version: number | null;
  /** The column or the fact that is wrong; `hash` stands for every column that the hash covers. */
  field: string;
  what: string;
}
