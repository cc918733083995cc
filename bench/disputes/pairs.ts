import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A sentence, what a person wrote so that it contradicts the sentence, and what stands before both. */
export interface Pair {
  id: string;
  claim: string;
  refuted: string;
  context: string;
}

/**
 * Reads `pairs.jsonl` of a folder, one pair a line: `{id, claim, refuted, context}`.
 *
 * @throws Error that names the line that cannot be used
 */
export async function readPairs(folder: string): Promise<Pair[]> {
  const file = join(folder, 'pairs.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [pairFrom(line, `${file}:${String(index + 1)}`)]));
}

/** Half of the pairs, chosen by a hash of their id: on these the rules may be tuned, and the others are for figures. */
export function isForTuning({ id }: Pair): boolean {
  const [first = 0] = createHash('sha256').update(id).digest();
  return first % 2 === 0;
}

function pairFrom(line: string, place: string): Pair {
  const { id, claim, refuted, context } = JSON.parse(line) as Partial<Pair>;
  if (typeof id !== 'string' || typeof claim !== 'string' || typeof refuted !== 'string' || typeof context !== 'string')
    throw new Error(`${place} is no pair: it needs the texts id, claim, refuted and context`);
  return { id, claim, refuted, context };
}
