import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Relevance, relevance } from '@lib/language/models/relevance';

const MODEL = resolve('models/ms-marco-minilm-l12-v2');
const FILES = ['model.onnx', 'tokenizer.json', 'tokenizer_config.json'];
const folder = mkdtempSync(join(tmpdir(), 'relevance-model-'));
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const ASKED = 'How many people live in Berlin?';
const TOLD = [
  'Berlin has a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometers.',
  'Berlin is well known for its museums.',
  'New York City is famous for the Metropolitan Museum of Art.',
];

describe('the relevance of texts to a question', () => {
  it('is highest for what answers, and higher for what is at least on its subject', async () => {
    const [answer = 0, subject = 0, other = 0] = await relevance().of(ASKED, TOLD, never);
    expect(answer - subject).toBeGreaterThan(10);
    expect(subject - other).toBeGreaterThan(5);
    expect(other).toBeLessThan(1);
  });

  // The example of the model's card, by numbers of 32 bits: 9.22 and -4.08.
  it('differs by what the published model gives, to some tenths', async () => {
    const [answer = 0, subject = 0] = await relevance().of(ASKED, TOLD, never);
    expect(Math.abs(answer - subject - 13.3)).toBeLessThan(0.5);
  });

  it.each([
    ['nothing', '', ''],
    ['no letter', '\u0000\uD800 \uFFFF', '\u0000\u0000'],
    ['a word of 200,000 letters', 'a'.repeat(200_000), 'b'.repeat(200_000)],
    ['a long text', 'Are dogs allowed? '.repeat(20_000), 'No dogs. '.repeat(20_000)],
  ])('is a number from 0 up for %s too', async (_, question, text) => {
    const [value = NaN] = await relevance().of(question, [text], never);
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThan(25);
  });

  it('comes in the order of the texts, the same for the same text', async () => {
    const texts = [...TOLD, ...TOLD.toReversed()];
    const together = await relevance().of(ASKED, texts, never);
    for (const [at, text] of texts.entries()) expect(await relevance().of(ASKED, [text], never)).toEqual([together[at]]);
  });

  it('is of this question: the same text is worth less to another', async () => {
    const [asked = 0] = await relevance().of(ASKED, TOLD, never);
    const [other = 0] = await relevance().of('Who wrote Faust?', TOLD, never);
    expect(asked - other).toBeGreaterThan(10);
  });

  it('is given to none who no longer waits', async () => {
    const gone = new AbortController();
    const abandoned = relevance().of(
      'Does anybody wait?',
      Array.from({ length: 60 }, (_, at) => `Text ${at}`),
      gone.signal,
    );
    gone.abort(new Error('nobody waits'));
    await expect(abandoned).rejects.toThrow();
    expect(await relevance().of('Does anybody wait?', ['Text 59'], never)).toHaveLength(1);
  });

  it.each(FILES)('is none if %s is damaged: it fails, and the process lives on', async (damaged) => {
    const own = mkdtempSync(join(folder, 'damaged-'));
    for (const name of FILES) copyFileSync(join(MODEL, name), join(own, name));
    writeFileSync(join(own, damaged), 'no such thing');
    const judging = new Relevance(own);
    await expect(judging.of(ASKED, ['a text'], never)).rejects.toThrow();
    copyFileSync(join(MODEL, damaged), join(own, damaged));
    await expect(judging.of(ASKED, ['a text'], never)).resolves.toHaveLength(1);
  });

  it('is none if the files are not there: the error names the file', async () => {
    await expect(new Relevance(join(folder, 'nowhere')).of(ASKED, ['a text'], never)).rejects.toThrow(/nowhere.tokenizer\.json/);
  });
});
