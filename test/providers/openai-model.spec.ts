import { OpenAiModel } from '@lib/providers/openai/language-model';

import { startEmulator, type Emulator } from '../../emulators/emulator';

const KEY = 'key-for-tests';
const PRICES = { inputMicrosPerMillionTokens: 750_000, cachedInputMicrosPerMillionTokens: 75_000, outputMicrosPerMillionTokens: 4_500_000 };

let emulator: Emulator;
beforeAll(async () => void (emulator = await startEmulator('openai', { key: KEY, workMs: 5 })));
afterAll(() => emulator.stop());

it('an answer in JSON is asked for in the input too, since OpenAI does not look for the word in the instructions', async () => {
  const model = new OpenAiModel({ baseUrl: emulator.baseUrl, model: 'gpt-5.4-mini', maxOutputTokens: 1000, prices: PRICES }, KEY);
  const prompt = { instructions: 'Answer with one JSON object.', input: '<question>\n"How does Wren rotate?"\n</question>' };
  await expect(model.write(prompt, 1_000_000, new AbortController().signal)).resolves.toMatchObject({ isCutOff: false });
  const [{ body } = {}] = emulator.requests;
  expect(body).toMatchObject({ text: { format: { type: 'json_object' } }, instructions: prompt.instructions });
  expect(body).toMatchObject({ input: expect.stringContaining(prompt.input) as string });
});
