import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as tokenizers from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** The time is proportional to their number. An answer is told by what stands first. */
const MAX_TOKENS = { alone: 128, question: 64, pair: 256 };

/** What we use of the package, whose own types cannot be resolved. */
interface Tokenizer {
  encode(text: string): { ids: number[] };
}

const { Tokenizer } = tokenizers as unknown as { Tokenizer: new (tokenizer: object, config: object) => Tokenizer };

interface Model {
  tokenizer: Tokenizer;
  session: InferenceSession;
}

const models = new Map<string, Promise<Model>>();

/**
 * Opens it once, unless that fails: the files may be there the next time.
 * @param folder has the model and its tokenizer
 */
function modelIn(folder: string): Promise<Model> {
  const model = models.get(folder) ?? open(folder);
  models.set(folder, model);
  model.catch(() => models.delete(folder));
  return model;
}

async function open(folder: string): Promise<Model> {
  const read = async (name: string): Promise<object> => JSON.parse(await readFile(join(folder, name), 'utf8')) as object;
  const tokenizer = new Tokenizer(await read('tokenizer.json'), await read('tokenizer_config.json'));
  // One thread, and no memory held for the next text: a short text takes 5 to 15 ms.
  const session = await InferenceSession.create(join(folder, 'model.onnx'), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    enableMemPattern: false,
    extra: { session: { disable_prepacking: '1' } },
  });
  return { tokenizer, session };
}

const tensorOf = (values: readonly number[]): Tensor => new Tensor('int64', BigInt64Array.from(values.map(BigInt)), [1, values.length]);

/** The first tokens, and the mark for the end. */
const cut = (ids: readonly number[], most: number): readonly number[] =>
  ids.length > most ? [...ids.slice(0, most - 1), ...ids.slice(-1)] : ids;

/** Runs in a thread: the vectors of texts, each of length 1. */
export async function vectorsOf({ folder, texts }: { folder: string; texts: readonly string[] }): Promise<Float32Array[]> {
  const { tokenizer, session } = await modelIn(folder);
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const ids = cut(tokenizer.encode(text).ids, MAX_TOKENS.alone);
    const { embedding } = await session.run({ input_ids: tensorOf(ids), attention_mask: tensorOf(ids.map(() => 1)) });
    vectors.push(embedding?.data as Float32Array);
  }
  return vectors;
}

/** Runs in a thread: how well each text answers the question that stands with it. */
export async function relevancesOf({
  folder,
  pairs,
}: {
  folder: string;
  pairs: readonly (readonly [question: string, text: string])[];
}): Promise<number[]> {
  const { tokenizer, session } = await modelIn(folder);
  const relevances: number[] = [];
  for (const [question, text] of pairs) {
    const asked = cut(tokenizer.encode(question).ids, MAX_TOKENS.question);
    // Without the mark for the beginning, which only the first has.
    const told = cut(tokenizer.encode(text).ids.slice(1), MAX_TOKENS.pair - asked.length);
    const { logits } = await session.run({
      input_ids: tensorOf([...asked, ...told]),
      attention_mask: tensorOf([...asked, ...told].map(() => 1)),
      token_type_ids: tensorOf([...asked.map(() => 0), ...told.map(() => 1)]),
    });
    relevances.push((logits?.data as Float32Array)[0] ?? 0);
  }
  return relevances;
}
