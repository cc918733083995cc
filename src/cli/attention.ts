/** Something that whoever is on call should look at, and what to read. */
export interface Attention {
  what: string;
  /** A file of docs/runbooks, without its ending; null where `what` says all. */
  runbook: string | null;
}
