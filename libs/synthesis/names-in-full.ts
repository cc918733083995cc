import { readingOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { lookUp } from '@lib/language/reading/word';
import { kindsAsked, kindTold, namesObject } from './kind-told';

/** Capitalised words in a row, after an article if there is one. */
const RUN = /(?<![\p{L}\p{N}’'-])(?:[Tt]he )?\p{Lu}[\p{L}\p{N}’'-]*(?: \p{Lu}[\p{L}\p{N}’'-]*)+(?![\p{L}\p{N}’'-])/gu;

/**
 * What a report means by a word for a kind of thing: "the Act" is the Data Portability Act where it spoke of that and names no other, and after
 * "Quillstore is a database" the database is Quillstore.
 */
export class NamesInFull {
  /** By the last word of a name, lower-cased; null where names of several things end with it. */
  private found: ReadonlyMap<string, string | null> | undefined;
  /** How often small words stand without "the": what "a bank" founded may be meant by "the bank". */
  private bare: ReadonlyMap<string, number> | undefined;

  private readonly spokenOf = new Set<string>();
  private readonly spokenOfInBlock = new Set<string>();
  /** What was said to be a thing of a kind, by the word for that. */
  private readonly ofKind = new Map<string, Reading>();
  private asked: ReadonlyMap<string, Reading> | undefined;

  /** Give the whole report. */
  constructor(
    private readonly report: string,
    private readonly question: string,
  ) {}

  startBlock(): void {
    this.spokenOfInBlock.clear();
    this.forgetKinds();
  }

  /** What the question asks about is still meant where something else is spoken of. */
  private forgetKinds(): void {
    for (const [kind, { text }] of this.ofKind) if (!this.question.includes(text)) this.ofKind.delete(kind);
  }

  /** Give each sentence that names what it speaks of, with the place of the word after it. */
  learnKind(name: Reading, sentence: Reading, end: number): void {
    const kind = kindTold(sentence, end);
    if (kind !== null && !this.ofKind.has(kind)) this.ofKind.set(kind, name);
  }

  /** Give each sentence, after what it speaks of was asked for. */
  follow(sentence: Reading): void {
    if (this.ofKind.size > 0 && namesObject(sentence)) this.forgetKinds();
  }

  /** Give what each sentence speaks of. */
  learnFrom({ text, tokens }: Reading): void {
    if (tokens.length < 2 || !tokens.at(-1)?.isCapitalised) return;
    const name = withoutArticle(text);
    this.spokenOf.add(name);
    this.spokenOfInBlock.add(name);
  }

  /**
   * The only name in the report that ends with the word of "the Act", or of what was said to be one; null for all but two such words. "The bridge"
   * may be any bridge, so it is one that this block spoke of or the question asks about, in a report that has no other bridge.
   */
  nameFor({ tokens }: Reading): Reading | null {
    const [article, noun] = tokens;
    if (tokens.length !== 2 || article?.word.text !== 'the' || !noun) return null;
    const { text } = noun.word;
    const name = (this.found ??= namesIn(this.report)).get(text);
    if (!name || !(noun.isCapitalised ? this.spokenOf : this.spokenOfInBlock).has(withoutArticle(name))) {
      if (noun.isCapitalised || name !== undefined) return null;
      const ofKind = this.ofKind.get(text) ?? (this.asked ??= kindsAsked(readingOf(this.question))).get(text);
      return ofKind && this.timesBare(text) <= 1 ? ofKind : null;
    }
    return noun.isCapitalised || this.timesBare(text) === 0 ? readingOf(name) : null;
  }

  private timesBare(word: string): number {
    return (this.bare ??= bareWordsIn(this.report)).get(word) ?? 0;
  }
}

function bareWordsIn(report: string): ReadonlyMap<string, number> {
  const bare = new Map<string, number>();
  for (const [, article, word = ''] of report.matchAll(SMALL_WORD)) if (article === undefined) bare.set(word, (bare.get(word) ?? 0) + 1);
  return bare;
}

const SMALL_WORD = /(?<![\p{L}\p{N}])([Tt]he )?(\p{Ll}[\p{L}\p{N}’'-]*)/gu;

const withoutArticle = (name: string): string => name.replace(/^The /, '');

function namesIn(report: string): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  for (const [run] of report.matchAll(RUN)) {
    const hasArticle = /^the /i.test(run);
    const said = (hasArticle ? run.slice('the '.length) : run).split(' ');
    const first = said.findIndex((word) => !lookUp(word.toLowerCase()).isStopWord);
    const words = first < 0 ? [] : said.slice(first);
    const last = words.at(-1)?.toLowerCase();
    if (last === undefined || words.length < 2) continue;
    const name = `${hasArticle ? 'The ' : ''}${words.join(' ')}`;
    const known = names.get(last);
    if (known === undefined) names.set(last, name);
    else if (known !== null) names.set(last, longerOf(known, name));
  }
  return names;
}

/** Of two names of one thing the longer; null where they name two. */
function longerOf(one: string, other: string): string | null {
  const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
  return ` ${longer}`.endsWith(` ${withoutArticle(shorter)}`) ? longer : null;
}
