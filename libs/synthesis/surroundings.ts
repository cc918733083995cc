/** What a pronoun stands for is hardly named further back. */
const SENTENCES = 2;

/** What stands before each sentence of a report, in its own block. */
export class Surroundings {
  private before: readonly string[] = [];

  startBlock(): void {
    this.before = [];
  }

  /** The words before a sentence, given its own; null where it is the first of its block. Give the sentences in order. */
  follow(wording: string): string | null {
    const before = this.before.length === 0 ? null : this.before.join('\n');
    this.before = [...this.before, wording].slice(-SENTENCES);
    return before;
  }
}
