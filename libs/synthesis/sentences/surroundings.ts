import type { Reading } from '@lib/language/reading/reading';

/** How many sentences are kept: the antecedent of a pronoun is hardly ever further back. */
const SENTENCES = 2;
/** Most characters of context shown before a claim. */
const MAX_LENGTH = 300;

/** The last sentences of a block, and the statement of the last one. */
export interface Ending {
  before: readonly string[];
  said: string | null;
}

/** The context of each sentence of a report within its block. */
export class Surroundings {
  /** The text of the preceding sentence, with the sentences it continues; null if there is none, or none that can be understood. */
  said: string | null = null;
  /** The text of the last sentence that names its subject, with later ones that continue it; null if one of these states nothing. */
  spokenOf: string | null = null;
  /** The end of the previous block, for a first sentence that makes no sense alone; null if no block with the same headings precedes. */
  endingBefore: Ending | null = null;
  private before: readonly string[] = [];
  private headings = '';
  private isItem = false;

  /**
   * @param above the headings above the block
   * @param isItem whether it is a list item or table row: the next block and later text then continue what was before it, not the item
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

  /** The words of the sentences before this one; none if it is the first of its block. Pass the sentences in order. */
  follow({ wording }: Reading): readonly string[] {
    const { before } = this;
    this.before = [...this.before, wording].slice(-SENTENCES);
    return before;
  }

  /** Sets the text of a sentence, and of the last one that names its subject; to be called after everything that needs the previous values. */
  say(said: string | null, spokenOf: string | null): void {
    this.said = said;
    this.spokenOf = spokenOf;
  }
}

/**
 * The subject's context after a sentence that continues it; null if it is too long to be shown before a claim.
 * @param spokenOf the context so far, which may be empty
 */
export const goingOn = (spokenOf: string | null, text: string): string | null =>
  spokenOf === null || spokenOf.length + text.length > MAX_LENGTH ? null : `${spokenOf} ${text}`.trimStart();
