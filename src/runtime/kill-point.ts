/** Points at which a fault test may end the process: between two external effects. */
export type KillPoint =
  | 'claim.before-commit'
  | 'claim.after-commit'
  | 'worker.after-answer'
  | 'report.after-commit'
  | 'final.before-commit'
  | 'final.after-commit'
  | 'create.after-commit'
  | 'delete.after-commit'
  | 'webhook.after-commit'
  | 'webhook.after-answer'
  | 'log.before-append'
  | 'log.after-append'
  | 'checkpoint.before-save'
  | 'checkpoint.after-save'
  | 'views.half-written'
  | 'views.before-commit'
  | 'views.after-commit';

/** If `KILL_POINT` names this point, ends the process as a power cut would. */
export function killPoint(point: KillPoint): void {
  if (process.env.KILL_POINT === point) process.kill(process.pid, 'SIGKILL');
}
