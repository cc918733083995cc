import { createHash } from 'node:crypto';

/** A pseudo-random number from 0 (inclusive) to 1 (exclusive) that depends only on the parts. */
export function chance(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt32BE(0) / 2 ** 32;
}

/** One of the choices; which one depends only on the parts. */
export function pick<Choice>(choices: readonly [Choice, ...Choice[]], ...parts: readonly (string | number)[]): Choice {
  return choices[Math.floor(chance(...parts) * choices.length)] ?? choices[0];
}
