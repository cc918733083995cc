import type { AgendaKind } from '@lib/domain/job/agenda';
import type { ProviderId } from '@lib/domain/vocabulary';

/** An agenda row that a sweeper took. */
export interface DueEntry {
  jobId: string;
  kind: AgendaKind;
  ref: string;
  stepId: string | null;
  attempt: number | null;
  provider: ProviderId | null;
  run: number | null;
}

export const dueEntry = (row: Record<string, unknown>): DueEntry => ({
  jobId: row.job_id as string,
  kind: row.kind as AgendaKind,
  ref: row.ref as string,
  stepId: row.step_id as string | null,
  attempt: row.attempt as number | null,
  provider: row.provider as ProviderId | null,
  run: row.run as number | null,
});
