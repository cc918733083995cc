/** What a pronoun stands for is hardly named further back. */
const SENTENCES = 2;

/** What stands before each sentence of a report, in its own block. */
export class Surroundings {
  private before: readonly string[] = [];

  startBlock(): void {
    this.before = [];
  }

  /** The words of the sentences before one, given its own; none where it is the first of its block. Give the sentences in order. */
  follow(wording: string): readonly string[] {
    const { before } = this;
    this.before = [...this.before, wording].slice(-SENTENCES);
    return before;
  }
}
