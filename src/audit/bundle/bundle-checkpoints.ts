import { FILES } from '@lib/audit/format/bundle/files';
import { readOlderCheckpoint } from '@lib/audit/format/bundle/lines';
import { parseCheckpoint, type Checkpoint } from '@lib/audit/format/checkpoint';
import { isConsistent } from '@lib/audit/format/merkle-proofs';
import { keyOfText, parseNote, type VerifierKey } from '@lib/audit/format/signed-note';
import type { Anchor } from '../anchor';
import { inLog } from '../anchored-heads';
import { TrustedKeys } from '../trusted-keys';
import type { Fault } from '@lib/audit/audited-event';
import { at, BundleFault, linesOf, sumOf, textOf, type Sums } from './bundle-lines';

export interface BundleCheckpoints {
  newest: Checkpoint;
  /** The roots of all that were compared, by their size. */
  roots: ReadonlyMap<number, Buffer>;
  faults: Fault[];
  /** Kept checkpoints that the bundle says nothing of. */
  incomparable: string[];
  /** Whoever signs for the log. */
  keys: TrustedKeys;
}

async function readKeys(folder: string, sums: Sums): Promise<VerifierKey[]> {
  const keys: VerifierKey[] = [];
  for await (const { place, text } of linesOf(folder, FILES.keys, sumOf(sums, FILES.keys))) keys.push(at(place, () => keyOfText(text)));
  return keys;
}

/**
 * Reads the checkpoint of a bundle. Checks that a key which the auditor trusts signed it, and that it continues the older checkpoints and those that
 * the auditor kept.
 * @throws BundleFault if nothing can be compared with it
 */
export async function readCheckpoints(
  folder: string,
  sums: Sums,
  anchors: readonly Anchor[],
  named: readonly VerifierKey[],
): Promise<BundleCheckpoints> {
  const keys = new TrustedKeys(await readKeys(folder, sums), named);
  const faults: Fault[] = [];
  for (const { file, note } of anchors) {
    const wrong = keys.hold(note);
    if (wrong !== null) faults.push(inLog('checkpoint', `the checkpoint ${file} ${wrong}`));
  }
  const note = await textOf(folder, FILES.checkpoint, sumOf(sums, FILES.checkpoint));
  const newest = at(FILES.checkpoint, () => parseCheckpoint(parseNote(note).text));
  const roots = new Map<number, Buffer>();
  for await (const { place, text } of linesOf(folder, FILES.consistency, sumOf(sums, FILES.consistency))) {
    const { checkpoint, proof } = at(place, () => readOlderCheckpoint(text));
    const older = readSigned(keys, checkpoint, place);
    const { size: first, root: firstRoot } = older;
    if (!isConsistent({ first, second: newest.size, firstRoot, secondRoot: newest.root, hashes: proof }))
      throw new BundleFault(place, `does not prove that the log goes on from the checkpoint at ${first}`);
    roots.set(first, firstRoot);
  }
  readSigned(keys, note, FILES.checkpoint);
  roots.set(newest.size, newest.root);
  const incomparable: string[] = [];
  for (const { file, checkpoint } of anchors) {
    const root = roots.get(checkpoint.size);
    if (!root)
      incomparable.push(`the checkpoint ${file} has ${checkpoint.size} entries, and the bundle has no proof from there: ${REMEDY}`);
    else if (!root.equals(checkpoint.root)) faults.push(inLog('root', `the log of the bundle is not that of the checkpoint ${file}`));
  }
  return { newest, roots, faults, incomparable, keys };
}

const REMEDY = 'have it exported again, with --against and this checkpoint';

function readSigned(keys: TrustedKeys, note: string, place: string): Checkpoint {
  const { origin, size, time } = at(place, () => parseCheckpoint(parseNote(note).text));
  const read = keys.read({ origin, size, note, signedAt: new Date(time ?? NaN) });
  if (typeof read === 'string') throw new BundleFault(place, `the checkpoint of ${origin} at ${size} ${read}`);
  return read;
}
