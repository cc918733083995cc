import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as tokenizers from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** The model reads 256 tokens at most; an answer is told by what stands first, and the time is proportional to their number. */
const MAX_TOKENS = 128;

/** What we use of the package, whose own types cannot be resolved. */
interface Tokenizer {
  encode(text: string): { ids: number[] };
}

const { Tokenizer } = tokenizers as unknown as { Tokenizer: new (tokenizer: object, config: object) => Tokenizer };

interface Model {
  tokenizer: Tokenizer;
  session: InferenceSession;
}

let opened: Promise<Model> | undefined;

async function open(folder: string): Promise<Model> {
  const read = async (name: string): Promise<object> => JSON.parse(await readFile(join(folder, name), 'utf8')) as object;
  const tokenizer = new Tokenizer(await read('tokenizer.json'), await read('tokenizer_config.json'));
  // One thread, and no memory held for the next text: a short text takes 5 ms.
  const session = await InferenceSession.create(join(folder, 'model.onnx'), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    enableMemPattern: false,
    extra: { session: { disable_prepacking: '1' } },
  });
  return { tokenizer, session };
}

/** A failure is not kept: the files may be there the next time. */
function openOnce(folder: string): Promise<Model> {
  return open(folder).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
}

/** Runs in a thread: the vectors of texts, each of length 1, one behind the other. */
export default async function vectorsOf({ folder, texts }: { folder: string; texts: readonly string[] }): Promise<Float32Array> {
  const { tokenizer, session } = await (opened ??= openOnce(folder));
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const ids = tokenizer.encode(text).ids;
    const kept = ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ...ids.slice(-1)] : ids;
    const tensor = (values: readonly number[]): Tensor => new Tensor('int64', BigInt64Array.from(values.map(BigInt)), [1, values.length]);
    const { embedding } = await session.run({ input_ids: tensor(kept), attention_mask: tensor(kept.map(() => 1)) });
    vectors.push(embedding?.data as Float32Array);
  }
  const all = new Float32Array(vectors.reduce((length, vector) => length + vector.length, 0));
  let at = 0;
  for (const vector of vectors) {
    all.set(vector, at);
    at += vector.length;
  }
  return all;
}
