/** What only a person can mend. */
export interface StoreAlert {
  reason: 'corrupt_history' | 'job_not_erased' | 'thread_not_erased';
  /** The thread or job. */
  of: string;
  error: unknown;
}

export type TellAlert = (alert: StoreAlert) => void;
