export const ALERTS = ['corrupt_history', 'corrupt_content', 'job_not_erased', 'thread_not_erased', 'deletion_not_listed'] as const;

/** A problem that only a person can fix. */
export interface StoreAlert {
  reason: (typeof ALERTS)[number];
  /** The thread or job. */
  of: string;
  error: unknown;
}

export type TellAlert = (alert: StoreAlert) => void;
