import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { SentenceVectors, sentenceVectors } from '@lib/language/models/sentence-vectors';
import { cosine } from '@lib/language/word-vectors';

const MODEL = resolve('models/all-minilm-l6-v2');
const FILES = ['model.onnx', 'tokenizer.json', 'tokenizer_config.json'];
const folder = mkdtempSync(join(tmpdir(), 'sentence-model-'));
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const likeness = async (one: string, other: string): Promise<number> => {
  const [left = [], right = []] = await sentenceVectors().of([one, other], never);
  return cosine(left, right);
};

describe('the vectors of sentences', () => {
  it('are close for what means the same, in whatever words', async () => {
    const asked = 'May I cut the grass on a weekday evening?';
    const answers = await likeness(asked, 'Mowers are allowed until 20:00 on working days.');
    expect(answers).toBeGreaterThan(0.4);
    expect(answers).toBeGreaterThan((await likeness(asked, 'Dogs are kept on a lead in the park.')) + 0.2);
  });

  // By the original, with numbers of 32 bits, in Python: 0.520 and -0.009.
  it.each([
    ['How much does it cost?', 'The price is 5 euros.', 0.52],
    ['How much does it cost?', 'Cats are furry.', 0],
  ])('have the cosine that the original gives, to some hundredths: %s, %s', async (one, other, original) => {
    expect(Math.abs((await likeness(one, other)) - original)).toBeLessThan(0.05);
  });

  it.each([
    ['nothing', ''],
    ['no letter', '\u0000\uD800 \uFFFF'],
    ['one word of 200,000 letters', 'a'.repeat(200_000)],
    ['a long text', 'No dogs. '.repeat(20_000)],
  ])('are made of %s too, of length 1', async (_, text) => {
    const [vector = []] = await sentenceVectors().of([text], never);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
  });

  it('come in the order of their texts, the same for the same text', async () => {
    const texts = ['one', 'two', 'one', 'three'];
    const together = await sentenceVectors().of(texts, never);
    for (const [at, text] of texts.entries()) expect((await sentenceVectors().of([text], never))[0]).toEqual(together[at]);
    expect(together[0]).toEqual(together[2]);
  });

  it('are given to all who ask at once, and to none who no longer waits', async () => {
    const texts = Array.from({ length: 150 }, (_, at) => `Rule ${at} of the house`);
    const gone = new AbortController();
    const asked = [0, 1, 2].map(() => sentenceVectors().of(texts, never));
    const abandoned = sentenceVectors().of([...texts, 'and one more'], gone.signal);
    gone.abort(new Error('nobody waits'));
    await expect(abandoned).rejects.toThrow();
    for (const vectors of await Promise.all(asked)) expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => 384));
  });

  it.each(FILES)('are none if %s is damaged: it fails, and the process lives on', async (damaged) => {
    const own = mkdtempSync(join(folder, 'damaged-'));
    for (const name of FILES) copyFileSync(join(MODEL, name), join(own, name));
    writeFileSync(join(own, damaged), 'no such thing');
    const vectors = new SentenceVectors(own);
    await expect(vectors.of(['a text'], never)).rejects.toThrow();
    copyFileSync(join(MODEL, damaged), join(own, damaged));
    await expect(new SentenceVectors(own).of(['a text'], never)).resolves.toHaveLength(1);
  });

  it('are none if the files are not there: the error names the file', async () => {
    await expect(new SentenceVectors(join(folder, 'nowhere')).of(['a text'], never)).rejects.toThrow(/nowhere.tokenizer\.json/);
  });
});
