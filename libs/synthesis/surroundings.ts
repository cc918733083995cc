import type { Reading } from '@lib/language/reading/reading';

/** What a pronoun stands for is hardly named further back. */
const SENTENCES = 2;

/** What stands before each sentence of a report, in its own block. */
export class Surroundings {
  /** What the sentence before this one says; null where it says nothing that can be understood, or is none. */
  said: string | null = null;
  /** What the last sentence says that names what it speaks of; null where one after it says nothing. */
  spokenOf: string | null = null;
  private before: readonly string[] = [];

  startBlock(): void {
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
