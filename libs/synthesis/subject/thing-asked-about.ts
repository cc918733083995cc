import { SPACE } from '@lib/language/reading/characters';
import { partOf, readingOf } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import { fitsNumber } from './antecedent';
import type { Token } from '@lib/language/reading/token';
import type { Opening } from './opening';

/**
 * The one thing that a question names, and whether "it" may stand for that where nothing else does: "The court sits in The Hague. Its basis is a
 * treaty. It tries individuals". English.
 */
export class ThingAskedAbout {
  /** Null where the question names nothing, or several things. */
  readonly named: Reading | null;
  /** It was spoken of, and nothing since that "it" may be. */
  private goesOn = false;

  constructor(question: string) {
    this.named = nameIn(readingOf(question));
  }

  /** What "it" or "its" stands for where the sentence before does not tell. */
  get spokenOf(): Reading | null {
    return this.goesOn ? this.named : null;
  }

  startBlock(): void {
    this.goesOn = false;
  }

  /**
   * Give every sentence once it is known what it speaks of.
   * @param subject what a pronoun at its beginning stands for
   * @param isCommon its subject is a noun without an article: "Ice covers the lake"
   */
  follow(sentence: Reading, opening: Opening | null, subject: Reading | null, isCommon: boolean): void {
    if (!this.named) return;
    if (this.isNamedBy(opening?.named ?? null) || this.isNamedBy(subject) || this.begins(sentence)) this.goesOn = true;
    else if (!opening || (opening.named && !isCommon && !isSeveral(opening))) this.goesOn = false;
  }

  private isNamedBy(name: Reading | null): boolean {
    return name !== null && name.stems.size > 0 && this.named !== null && name.stems.isSubsetOf(this.named.stems);
  }

  private begins({ text }: Reading): boolean {
    return this.named !== null && text.toLowerCase().startsWith(this.named.text.toLowerCase());
  }
}

const isSeveral = (opening: Opening): boolean => fitsNumber(opening, true) && !fitsNumber(opening, false);

/** With the article before it. */
function nameIn(question: Reading): Reading | null {
  const names = question.names.filter(({ tokens }) => tokens[0] !== question.tokens[0]);
  const [name] = names;
  if (!name || names.length > 1) return null;
  const at = question.tokens.findIndex((token) => token === name.tokens[0]);
  let to = question.tokens.findIndex((token) => token === name.tokens.at(-1)) + 1;
  const from = question.tokens[at - 1]?.word.text === 'the' ? at - 1 : at;
  if (BEFORE_NAME.has(question.tokens[from - 1]?.word.text ?? '')) while (isOfName(question.tokens[to])) to += 1;
  const { text, tokens } = partOf(question, from, to);
  return new Reading(text.slice(0, tokens.at(-1)?.end), tokens);
}

/** Before a name no verb of the question follows it: "What is Lyme disease?", "How does Kelm resolve names?" */
const BEFORE_NAME = new Set('is was are were of about'.split(' '));

/** "Lyme disease" */
const isOfName = (token: Token | undefined): boolean =>
  token !== undefined && token.before === SPACE && !token.word.isStopWord && !token.word.verb.isPastForm && !token.word.verb.isFinite;
