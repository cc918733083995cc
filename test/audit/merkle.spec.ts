import {
  consistencyRanges,
  EMPTY_ROOT,
  GrowingTree,
  inclusionRanges,
  joined,
  leafHash,
  nodeHash,
  subtreesOf,
} from '@lib/audit/format/merkle';
import { isConsistent, rootOfInclusion } from '@lib/audit/format/merkle-proofs';
import { createHash } from 'node:crypto';
import fc from '../support/properties';

/** The reference data of Certificate Transparency. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const leaves = INPUTS.map((input) => leafHash(Buffer.from(input, 'hex')));
const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));

/** RFC 6962, section 2.1, word for word. */
function treeHash(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (!first) return createHash('sha256').digest();
  if (hashes.length === 1) return first;
  let half = 1;
  while (half * 2 < hashes.length) half *= 2;
  return nodeHash(treeHash(hashes.slice(0, half)), treeHash(hashes.slice(half)));
}

const included = (hashes: readonly Buffer[], index: number) =>
  inclusionRanges(index, hashes.length).map(({ start, end }) => treeHash(hashes.slice(start, end)));
const consistent = (hashes: readonly Buffer[], first: number) =>
  consistencyRanges(first, hashes.length).map(({ start, end }) => treeHash(hashes.slice(start, end)));

it.each(ROOTS.map((root, size) => [size, root] as const))('has the root of the reference data at size %i', (size, root) => {
  const tree = new GrowingTree();
  for (const leaf of leaves.slice(0, size)) tree.add(leaf);
  expect(tree.root().toString('hex')).toBe(root);
});

it.each([
  [
    0,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
])('proves leaf %i of 8 as the reference data does', (index, proof) => expect(hex(included(leaves, index))).toEqual(proof));

it.each([
  [
    2,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
])('proves that size %i is the beginning of 8 as the reference data does', (first, proof) =>
  expect(hex(consistent(leaves, first))).toEqual(proof),
);

const MAX_SIZE = 200;
const many = Array.from({ length: MAX_SIZE }, (_, index) => leafHash(`leaf ${index}`));
const roots = Array.from({ length: MAX_SIZE + 1 }, (_, size) => treeHash(many.slice(0, size)));
const rootOf = (size: number): Buffer => roots[size] ?? EMPTY_ROOT;

it('grows to the root of every size, which its complete subtrees have too', () => {
  const tree = new GrowingTree();
  for (let size = 0; size <= MAX_SIZE; size += 1) {
    const parts = subtreesOf({ start: 0, end: size }).map(({ level, index }) =>
      treeHash(many.slice(index * 2 ** level, (index + 1) * 2 ** level)),
    );
    expect([tree.root(), joined(parts)]).toEqual([rootOf(size), rootOf(size)]);
    if (size < MAX_SIZE) tree.add(many[size] as Buffer);
  }
});

it('proves every leaf of every size', () => {
  for (let size = 1; size <= MAX_SIZE; size += 1)
    for (let index = 0; index < size; index += size > 40 ? 7 : 1) {
      const proof = { index, size, leaf: many[index] as Buffer, hashes: included(many.slice(0, size), index) };
      expect(rootOfInclusion(proof)).toEqual(rootOf(size));
    }
});

it('proves that every size is the beginning of every larger one', () => {
  for (let second = 0; second <= MAX_SIZE; second += 1)
    for (let first = 0; first <= second; first += second > 40 ? 7 : 1) {
      const hashes = consistent(many.slice(0, second), first);
      expect(isConsistent({ first, second, firstRoot: rootOf(first), secondRoot: rootOf(second), hashes })).toBe(true);
    }
});

const hashOf = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes): Buffer => Buffer.from(bytes));
/** What somebody might do to a proof. */
const changes = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), at: fc.nat(12), hash: hashOf }),
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat(12) }),
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(12), bit: fc.nat(255) }),
);
type Change = { kind: 'add'; at: number; hash: Buffer } | { kind: 'drop'; at: number } | { kind: 'flip'; at: number; bit: number };

function changed(hashes: readonly Buffer[], change: Change): Buffer[] {
  const copy = hashes.map((hash): Buffer => Buffer.from(hash));
  const at = change.at % (copy.length + 1);
  if (change.kind === 'add') copy.splice(at, 0, change.hash);
  const hash = copy[at];
  if (change.kind === 'drop') copy.splice(at, 1);
  if (change.kind === 'flip' && hash) hash[change.bit >> 3] = (hash[change.bit >> 3] as number) ^ (1 << (change.bit & 7));
  return copy;
}

const isSame = (one: readonly Buffer[], other: readonly Buffer[]) => hex(one).join() === hex(other).join();

it('refuses every proof that was changed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_SIZE }), fc.nat(), fc.nat(), changes, (size, leaf, older, change) => {
      const [index, first] = [leaf % size, 1 + (older % size)];
      const inclusion = included(many.slice(0, size), index);
      const consistency = consistent(many.slice(0, size), first);
      const [inclusionChanged, consistencyChanged] = [changed(inclusion, change), changed(consistency, change)];
      if (!isSame(inclusion, inclusionChanged)) {
        const proof = { index, size, leaf: many[index] as Buffer, hashes: inclusionChanged };
        expect(rootOfInclusion(proof)?.equals(rootOf(size)) ?? false).toBe(false);
      }
      if (isSame(consistency, consistencyChanged)) return;
      const proof = { first, second: size, firstRoot: rootOf(first), secondRoot: rootOf(size), hashes: consistencyChanged };
      expect(isConsistent(proof)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

it('refuses other sizes, other roots and what is no size', () => {
  const proof = { first: 6, second: 8, firstRoot: rootOf(6), secondRoot: rootOf(8), hashes: consistent(many.slice(0, 8), 6) };
  expect(isConsistent(proof)).toBe(true);
  for (const wrong of [
    { firstRoot: rootOf(5) },
    { secondRoot: rootOf(9) },
    { first: 5 },
    { second: 5 },
    { first: -1 },
    { second: 8.5 },
    { hashes: [] },
  ])
    expect(isConsistent({ ...proof, ...wrong })).toBe(false);
  const inclusion = { index: 5, size: 8, leaf: many[5] as Buffer, hashes: included(many.slice(0, 8), 5) };
  expect(rootOfInclusion(inclusion)).toEqual(rootOf(8));
  for (const wrong of [{ index: 8 }, { index: -1 }, { size: 0 }, { size: 1e300 }, { hashes: [Buffer.alloc(31)] }])
    expect(rootOfInclusion({ ...inclusion, ...wrong })).toBeNull();
});
