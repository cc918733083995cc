import { relative } from 'node:path';

/** One thing that the doctor looked at. */
export interface Check {
  name: string;
  /** `warning`: it works, and somebody should look at it. `problem`: something that was asked for will not work. */
  status: 'ok' | 'warning' | 'problem';
  /** What was found; never a key or a part of one. */
  detail: string;
  /** What to do; null where all is well. */
  remedy: string | null;
}

/** A clock beside that of this process. */
export interface Clock {
  name: string;
  /** How far it is ahead, in milliseconds. */
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

/** A path as people wrote it: from where they are, if it lies below. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below === '' || below.startsWith('..') ? path : below;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
