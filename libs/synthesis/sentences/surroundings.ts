import type { Reading } from '@lib/language/reading/reading';

/** What a pronoun stands for is hardly named further back. */
const SENTENCES = 2;
/** Nobody reads more than this before a claim. */
const MAX_LENGTH = 300;

/** The last sentences of a block, and what the last one says. */
export interface Ending {
  before: readonly string[];
  said: string | null;
}

/** What stands before each sentence of a report, in its own block. */
export class Surroundings {
  /** What the sentence before this one says, behind the sentences that it continues; null where there is none, or none that can be understood. */
  said: string | null = null;
  /** What the last sentence says that names what it speaks of, with those after it that go on from it; null where one after it says nothing. */
  spokenOf: string | null = null;
  /** What the first sentence of a block goes on from that makes no sense alone: how the block before ended; null where none is below the same headings. */
  endingBefore: Ending | null = null;
  private before: readonly string[] = [];
  private headings = '';
  private isItem = false;

  /**
   * @param above the headings over it
   * @param isItem of a list or row of a table: neither the next one nor what stands behind goes on from it, but from what stands before
   */
  startBlock(above: readonly string[], isItem: boolean): void {
    const headings = above.join('\n');
    const hasEnded = this.before.length > 0 && !this.isItem;
    const ended = hasEnded ? { before: this.before, said: this.said } : this.endingBefore;
    this.endingBefore = headings === this.headings ? ended : null;
    this.headings = headings;
    this.isItem = isItem;
    this.before = [];
    this.say(null, null);
  }

  /** The words of the sentences before one, given it; none where it is the first of its block. Give the sentences in order. */
  follow({ wording }: Reading): readonly string[] {
    const { before } = this;
    this.before = [...this.before, wording].slice(-SENTENCES);
    return before;
  }

  /** Give what a sentence says, and what the last one says that names what it speaks of, after all that asks what stands before it. */
  say(said: string | null, spokenOf: string | null): void {
    this.said = said;
    this.spokenOf = spokenOf;
  }
}

/** What is spoken of still, after a sentence that goes on from it in its own words; null if that is too much to stand before a claim. */
export const goingOn = (spokenOf: string | null, text: string): string | null =>
  spokenOf === null || spokenOf.length + text.length > MAX_LENGTH ? null : `${spokenOf} ${text}`;
