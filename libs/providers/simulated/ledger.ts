import { appendFileSync } from 'node:fs';

import type { ProviderId } from '@lib/domain/vocabulary';

/** A call that a real provider would have seen. */
export interface LedgerEntry {
  call: 'submit' | 'cancel';
  stepId: string;
  attempt: number;
  /** Null for a cancel, which knows only the run id. */
  provider: ProviderId | null;
  runId: string;
  /** ISO 8601 with milliseconds. */
  at: string;
}

/** Appends one line of JSON and flushes it to disk, so that a test can count the calls of killed processes too. */
export function recordCall(file: string | null, entry: Omit<LedgerEntry, 'at'>): void {
  if (file === null) return;
  const line: LedgerEntry = { ...entry, at: new Date().toISOString() };
  appendFileSync(file, `${JSON.stringify(line)}\n`, { flush: true });
}
