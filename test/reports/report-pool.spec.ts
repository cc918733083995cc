import { pino } from 'pino';
import { holdings } from '@lib/memory/holdings';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { ReportPool } from '../../src/reports/report-pool';
import { runHere } from '../support/run-task';
import { reported } from '../synthesis/steps';

const inputOf = (sentences: number): SynthesisInput => ({
  query: 'How many entries does the server keep?',
  mode: 'methodical',
  tier: 'M',
  steps: PROVIDERS.slice(0, 3).map((provider, at) => {
    const lines = Array.from(
      { length: sentences },
      (_, line) => `The server keeps ${String(line * 7 + at)} entries of list ${String(line)} [1].`,
    );
    const mentioning = `The server keeps its entries beside the mercury gauge [1]. ${lines.join(' ')}`;
    return reported(provider, mentioning, [`https://${provider}.example/`]);
  }),
});
const SMALL = inputOf(10);
const LARGE = inputOf(1_000);

const pool = new ReportPool(pino({ level: 'silent' }));
afterAll(() => pool.close());

describe('a task in a thread gives what it gives without one', () => {
  it.each([
    ['small', SMALL],
    ['large', LARGE],
  ])('for a %s input', async (_, input) => {
    expect(await pool.run('synthesize', input)).toEqual(await runHere('synthesize', input));
    expect(await pool.run('brief', input)).toBe(await runHere('brief', input));
  });

  it('for a summary by a model', async () => {
    const sheet = await pool.run('claimSheet', SMALL);
    expect(sheet).toEqual(await runHere('claimSheet', SMALL));
    const [claim] = sheet.values();
    const answer = JSON.stringify({ sections: [{ sentences: [{ text: claim?.text, claims: [claim?.id] }] }] });
    const checked = await pool.run('checkSummary', answer, SMALL.query, sheet);
    expect(checked.problems).toEqual([]);
    const summary = { ...checked, model: 'model-1' };
    const synthesis = await pool.run('synthesizeWithSummary', SMALL, summary);
    expect(synthesis).toEqual(await runHere('synthesizeWithSummary', SMALL, summary));
    expect(JSON.parse(synthesis.report.json)).toMatchObject({ markdown: expect.stringMatching(/^## Summary/) as unknown });
  });

  it('for topics to explore', async () => {
    const topics = await pool.run('topics', SMALL, [], 3);
    expect(topics).toEqual(await runHere('topics', SMALL, [], 3));
    expect(topics).toMatchObject([{ text: 'mercury gauge' }]);
  });
});

it('the event loop turns while reports are read', async () => {
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 5);
  await pool.run('synthesize', LARGE);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(0);
});

it('a task that the threads do not know fails, and says which', async () => {
  await expect(pool.run('summon' as 'brief', SMALL)).rejects.toThrow('no task "summon"');
});

it('what does not fit into the queue is refused, and nothing that fitted is lost', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 65 }, () => pool.run('claimSheet', SMALL)));
  expect(asked.map(({ status }) => status)).toEqual([...Array.from({ length: 64 }, () => 'fulfilled'), 'rejected']);
  expect(await pool.run('brief', SMALL)).not.toBeNull();
});

it('what is too long together is refused, and a single input of any length is not', async () => {
  const crowded = new ReportPool(pino({ level: 'silent' }));
  const long = (letters: number): SynthesisInput => ({
    ...SMALL,
    steps: SMALL.steps.map((step) => ({ ...step, reportMarkdown: 'é'.repeat(letters) })),
  });
  const alone = crowded.run('synthesize', long(20_000_000));
  await expect(crowded.run('synthesize', SMALL)).rejects.toThrow('bytes wait for the threads for reports');
  expect(holdings().find(({ name }) => name === 'calls of report threads')?.bytes).toBeGreaterThan(120_000_000);
  await crowded.close();
  await expect(alone).rejects.not.toThrow('bytes wait');
  const together = [1, 2, 3, 4].map(() =>
    crowded.run('synthesize', long(3_000_000)).catch((error: Error) => error.message.includes('bytes wait')),
  );
  expect(await Promise.all(together)).toEqual([false, false, false, true]);
});

it('however many briefs are asked for, syntheses and explorations are not refused', async () => {
  const briefs = Promise.allSettled(Array.from({ length: 200 }, () => pool.run('brief', SMALL)));
  const others = Promise.allSettled(Array.from({ length: 20 }, () => pool.run('synthesize', SMALL)));
  expect((await others).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'fulfilled'));
  expect((await briefs).filter(({ status }) => status === 'fulfilled')).toHaveLength(32);
});

it('inputs that are large by the texts of their citations do not delay small ones', async () => {
  const snippet = 'The server keeps its entries for seven days. '.repeat(1_000);
  const steps = SMALL.steps.map((step) => ({
    ...step,
    citations: step.citations.flatMap((citation) => Array.from({ length: 10 }, () => ({ ...citation, snippet }))),
  }));
  const ended: string[] = [];
  const run = async (name: string, input: SynthesisInput) => {
    await pool.run('synthesize', input);
    ended.push(name);
  };
  const cited = { ...SMALL, steps };
  await Promise.all([...Array.from({ length: 6 }, () => run('cited', cited)), run('small', SMALL)]);
  expect(ended.indexOf('small')).toBeLessThan(3);
});

it('small inputs do not wait for large ones', async () => {
  const ended: string[] = [];
  const run = async (name: string, input: SynthesisInput) => {
    await pool.run('synthesize', input);
    ended.push(name);
  };
  await Promise.all([run('large', LARGE), run('large', LARGE), run('large', LARGE), run('small', SMALL)]);
  expect(ended.indexOf('small')).toBeLessThan(2);
});
