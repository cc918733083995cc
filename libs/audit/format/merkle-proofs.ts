import { EMPTY_ROOT, HASH_BYTES, nodeHash } from './merkle';

/** Verifiers of the proofs of RFC 6962, by the algorithms of RFC 9162. They share no code with what makes the proofs. */

export interface InclusionProof {
  index: number;
  size: number;
  leaf: Buffer;
  hashes: readonly Buffer[];
}

/** @returns the root of the only tree that has the leaf at this index; null if the proof is invalid */
export function rootOfInclusion({ index, size, leaf, hashes }: InclusionProof): Buffer | null {
  if (!isSize(index) || !isSize(size) || index >= size || !areHashes(hashes)) return null;
  let [node, last] = [index, size - 1];
  let root = leaf;
  for (const hash of hashes) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      root = nodeHash(hash, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = nodeHash(root, hash);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : null;
}

export interface ConsistencyProof {
  first: number;
  second: number;
  firstRoot: Buffer;
  secondRoot: Buffer;
  hashes: readonly Buffer[];
}

/** Whether the first tree is the beginning of the second. */
export function isConsistent({ first, second, firstRoot, secondRoot, hashes }: ConsistencyProof): boolean {
  if (!isSize(first) || !isSize(second) || first > second || !areHashes(hashes)) return false;
  if (first === second) return hashes.length === 0 && firstRoot.equals(secondRoot);
  if (first === 0) return hashes.length === 0 && firstRoot.equals(EMPTY_ROOT);
  const isPower = Number.isInteger(Math.log2(first));
  const [seed, ...rest] = isPower ? [firstRoot, ...hashes] : hashes;
  if (seed === undefined) return false;
  let [node, last] = [first - 1, second - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let [oldRoot, newRoot] = [seed, seed];
  for (const hash of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [oldRoot, newRoot] = [nodeHash(hash, oldRoot), nodeHash(hash, newRoot)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      newRoot = nodeHash(newRoot, hash);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && oldRoot.equals(firstRoot) && newRoot.equals(secondRoot);
}

const half = (value: number): number => Math.floor(value / 2);
const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const areHashes = (hashes: readonly Buffer[]): boolean => hashes.every(({ length }) => length === HASH_BYTES);
