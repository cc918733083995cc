import { relative } from 'node:path';

export interface Check {
  name: string;
  /** `warning`: it works, but should be looked at. `problem`: something that is configured will not work. */
  status: 'ok' | 'warning' | 'problem';
  /** What was found; never a key or a part of one. */
  detail: string;
  /** What to do; null where all is well. */
  remedy: string | null;
}

/** The clock of another machine. */
export interface Clock {
  name: string;
  /** How far it is ahead of ours, in milliseconds. */
  aheadMs: number;
}

/** What a group of checks found. */
export interface Findings {
  checks: Check[];
  clocks?: Clock[];
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail, remedy: null });
export const warning = (name: string, detail: string, remedy: string): Check => ({ name, status: 'warning', detail, remedy });
export const problem = (name: string, detail: string, remedy: string): Check => ({ name, status: 'problem', detail, remedy });

/** A path for display: relative if it is below the working folder. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below === '' || below.startsWith('..') ? path : below;
}
