import { ComputedOnce } from './computed-once';
import { modelFolder, runModel } from './model-thread';

/** In characters; the model reads no more than the beginning anyway, and what is kept has a bound. */
const MAX_LENGTH = { question: 400, text: 1_300 };
/** The question and the text count two bytes a character, one of which the cache adds. */
const BOUNDS = { name: 'relevance', maxBytes: 10_000_000, bytesOf: () => MAX_LENGTH.question + MAX_LENGTH.text };
const AT_ONCE = 24;
const SEPARATOR = '\u0000';

/** The logit of a text that says nothing to the question. */
const LEAST = -11.3;

/**
 * How well texts answer a question, read together with it, from 0 to about 20. By
 * ms-marco-MiniLM-L-12-v2 (see `models`). It orders texts well, but tells hardly whether there is an answer at all.
 */
export class Relevance {
  private readonly relevances: ComputedOnce<number>;

  /** @param folder has the model */
  constructor(folder: string) {
    this.relevances = new ComputedOnce(BOUNDS, AT_ONCE, (keys, signal) =>
      runModel('relevancesOf', { folder, pairs: keys.map((key) => key.split(SEPARATOR)) }, signal),
    );
  }

  /**
   * What the logit of each text, by its beginning, is above the least.
   * @throws Error if the model cannot be loaded or run, or `signal` is aborted
   */
  async of(question: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const keep = (text: string, most: number): string => text.slice(0, most).replaceAll(SEPARATOR, ' ');
    const asked = keep(question, MAX_LENGTH.question);
    const logits = await this.relevances.of(
      texts.map((text) => `${asked}${SEPARATOR}${keep(text, MAX_LENGTH.text)}`),
      signal,
    );
    return logits.map((logit) => Math.max(0, logit - LEAST));
  }
}

let opened: Relevance | undefined;

/** One per process. */
export const relevance = (): Relevance => (opened ??= new Relevance(modelFolder('ms-marco-minilm-l12-v2')));
