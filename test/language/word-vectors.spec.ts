import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  frequentIn,
  readShippedVectors,
  readVectors,
  readVectorsAtOnce,
  writeVectors,
  type VectorTable,
} from '@lib/language/word-vector-file';
import { cosine, WordVectors } from '@lib/language/word-vectors';

let table: VectorTable;
let vectors: WordVectors;
beforeAll(async () => {
  table = await readShippedVectors(20_000);
  vectors = new WordVectors(table);
});

const closeness = (left: string, right: string): number =>
  cosine(vectors.vectorOf(left) ?? fail(left), vectors.vectorOf(right) ?? fail(right));
const fail = (word: string): never => {
  throw new Error(`${word} is not known`);
};
const sentence = (text: string): Float32Array => vectors.sentenceVector(text.split(' ')) ?? fail(text);
const folder = (): string => mkdtempSync(join(tmpdir(), 'vectors-'));

describe('vectors of words', () => {
  it('hold the most frequent words, letters only, in order of frequency', () => {
    expect(table.words).toHaveLength(20_000);
    expect(table.words.slice(0, 5)).toEqual(['the', 'of', 'to', 'and', 'in']);
    expect(vectors.frequencyWeight('the')).toBeLessThan(vectors.frequencyWeight('lighthouse') / 5);
  });

  it('are close for words that are used alike', () => {
    expect(closeness('football', 'soccer')).toBeGreaterThan(0.75);
    expect(closeness('remove', 'cut')).toBeGreaterThan(closeness('remove', 'mountain') + 0.3);
    expect(closeness('file', 'file')).toBeCloseTo(1, 5);
  });

  it('have length 1', () => {
    for (const word of ['the', 'error', 'lighthouse']) expect(Math.hypot(...(vectors.vectorOf(word) ?? []))).toBeCloseTo(1, 2);
  });

  it('are none for a word that is not known', () => {
    expect(vectors.vectorOf('fastifyy')).toBeNull();
    expect(vectors.vectorOf('constructor() {}')).toBeNull();
  });
});

describe('the vector of a sentence', () => {
  it('is close to that of a paraphrase', () => {
    const asked = sentence('how do i delete an old file');
    expect(cosine(asked, sentence('removing old documents from disk'))).toBeGreaterThan(
      cosine(asked, sentence('the capital of france')) + 0.2,
    );
  });

  it('likens unknown words to themselves alone', () => {
    const [one, same, other] = [sentence('zzyzx'), sentence('zzyzx'), sentence('qwxyq')];
    expect(cosine(one, same)).toBeCloseTo(1, 5);
    expect(Math.abs(cosine(one, other))).toBeLessThan(0.4);
  });

  it('takes the weights that it is given', () => {
    const football = vectors.sentenceVector(['football', 'mountain'], (word) => (word === 'football' ? 1 : 0));
    expect(cosine(football ?? [], vectors.vectorOf('football') ?? [])).toBeCloseTo(1, 5);
  });

  it('is none for no words', () => {
    expect(vectors.sentenceVector([])).toBeNull();
    expect(vectors.sentenceVector(['the'], () => 0)).toBeNull();
  });
});

describe('kept vectors', () => {
  it('are the same when they are read again', async () => {
    const file = join(folder(), 'deep', 'vectors.bin');
    await writeVectors(file, table);
    const read = await readVectors(file);
    expect(read?.words).toEqual(table.words);
    expect(Buffer.from(read?.components.slice() ?? []).equals(Buffer.from(table.components))).toBe(true);
    expect(read?.scales).toEqual(table.scales);
  });

  it('are not read from a file that is missing, cut, damaged or something else', async () => {
    const place = folder();
    const file = join(place, 'vectors.bin');
    await writeVectors(file, table);
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    damaged[1000] = (damaged[1000] ?? 0) ^ 1;
    for (const [name, content] of Object.entries({
      cut: whole.subarray(0, 5000),
      damaged,
      text: Buffer.from('no vectors'),
      empty: Buffer.of(),
    })) {
      writeFileSync(join(place, name), content);
      expect(await readVectors(join(place, name))).toBeNull();
      expect(readVectorsAtOnce(join(place, name))).toBeNull();
    }
    expect(await readVectors(join(place, 'missing'))).toBeNull();
    expect(readVectorsAtOnce(join(place, 'missing'))).toBeNull();
  });

  it('are the same of the most frequent words alone', async () => {
    const file = join(folder(), 'vectors.bin');
    await writeVectors(file, frequentIn(table, 500));
    const read = readVectorsAtOnce(file);
    expect(read?.words).toEqual(table.words.slice(0, 500));
    const few = new WordVectors(read ?? table);
    for (const word of ['the', 'city', 'water']) expect(few.vectorOf(word)).toEqual(vectors.vectorOf(word));
    expect(few.has('lighthouse')).toBe(false);
  });

  it('survive many writers at once and leave nothing beside', async () => {
    const place = folder();
    const file = join(place, 'vectors.bin');
    await Promise.all(Array.from({ length: 8 }, () => writeVectors(file, table)));
    expect((await readVectors(file))?.words).toHaveLength(20_000);
    expect(readdirSync(place)).toEqual(['vectors.bin']);
  });

  it('are rid of what a crash left beside them, and not of what another process writes', async () => {
    const place = folder();
    const [left, underWay] = [`vectors.bin.${randomUUID()}`, `vectors.bin.${randomUUID()}`];
    for (const name of [left, underWay]) writeFileSync(join(place, name), 'half');
    utimesSync(join(place, left), new Date(), new Date(Date.now() - 2 * 60 * 60_000));
    await writeVectors(join(place, 'vectors.bin'), table);
    expect(readdirSync(place).sort()).toEqual(['vectors.bin', underWay]);
  });

  it('leave nothing where they cannot be put', async () => {
    const place = folder();
    mkdirSync(join(place, 'vectors.bin', 'a folder'), { recursive: true });
    await expect(writeVectors(join(place, 'vectors.bin'), table)).rejects.toThrow();
    expect(readdirSync(place)).toEqual(['vectors.bin']);
  });
});
