import type { Reading } from '@lib/language/reading/reading';

/** What a pronoun stands for is hardly named further back. */
const SENTENCES = 2;

/** What stands before each sentence of a report, in its own block. */
export class Surroundings {
  /** The sentence before this one; null where it is the first of its block. */
  last: string | null = null;
  /** The last sentence before this one that says what it speaks of. */
  spokenOf: string | null = null;
  private before: readonly string[] = [];
  private following: string | null = null;

  startBlock(): void {
    this.before = [];
    this.following = null;
    this.spokenOf = null;
  }

  /** The words of the sentences before one, given it; none where it is the first of its block. Give the sentences in order. */
  follow({ wording, text }: Reading): readonly string[] {
    const { before } = this;
    this.last = this.following;
    this.following = text;
    this.before = [...this.before, wording].slice(-SENTENCES);
    return before;
  }

  /** Give what a sentence says where it can be understood alone, after all that asks what stands before it. */
  speakOf(text: string): void {
    this.spokenOf = text;
  }
}
