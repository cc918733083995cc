/** The content of a run id, by which any process can poll a run. */
export interface SimulatedRun {
  stepId: string;
  attempt: number;
  /** When the run ends, in milliseconds since 1970. */
  endsAt: number;
}

const RUN_ID = /^sim_([0-9a-z]{1,11})_(\d{1,9})_(.+)$/;

export const formatRunId = ({ stepId, attempt, endsAt }: SimulatedRun): string => `sim_${endsAt.toString(36)}_${attempt}_${stepId}`;

export function parseRunId(runId: string): SimulatedRun | undefined {
  const [, endsAt, attempt, stepId] = RUN_ID.exec(runId) ?? [];
  return endsAt && attempt && stepId ? { stepId, attempt: Number(attempt), endsAt: Number.parseInt(endsAt, 36) } : undefined;
}
