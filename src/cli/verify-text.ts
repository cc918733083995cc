import type { Fault } from '@lib/audit/audited-event';
import { messageForOperator } from '../database';
import { plainText } from './plain-text';

/** Exit codes of a look. */
export const TAMPERED = 1;
export const NOT_LOOKED = 2;

export function faultLine({ streamId, version, field, what }: Fault): string {
  return lineOf(`${streamId}${version === null ? '' : ` version ${version}`} ${field}: ${what}`);
}

/** Tampered data may contain characters that move the cursor, or text that looks like a line of this command. */
export const lineOf = (text: string): string => plainText(text.replace(/\s+/g, ' '));

export function notLookedAt(error: unknown): void {
  process.stderr.write(`could not look: ${lineOf(messageForOperator(error))}\n`);
  process.exitCode = NOT_LOOKED;
}

/** How far it is, where somebody looks on. */
export function showEvents(events: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${events} events `);
}
