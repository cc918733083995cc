/** Moments at which a fault test may end the process: the gaps between two steps that touch the outside. */
export type KillPoint =
  | 'claim.before-commit'
  | 'claim.after-commit'
  | 'worker.after-answer'
  | 'report.after-commit'
  | 'final.before-commit'
  | 'final.after-commit'
  | 'create.after-commit'
  | 'delete.after-commit';

/** Ends this process as a power cut would if `KILL_POINT` names the point; otherwise it does nothing. */
export function killPoint(point: KillPoint): void {
  if (process.env.KILL_POINT === point) process.kill(process.pid, 'SIGKILL');
}
