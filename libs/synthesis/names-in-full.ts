import { readingOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { lookUp } from '@lib/language/reading/word';

/** Capitalised words in a row, after an article if there is one. */
const RUN = /(?<![\p{L}\p{N}’'-])(?:[Tt]he )?\p{Lu}[\p{L}\p{N}’'-]*(?: \p{Lu}[\p{L}\p{N}’'-]*)+(?![\p{L}\p{N}’'-])/gu;

/** What a report means by a word for a kind of thing: "the Act" is the Data Portability Act where it spoke of that and names no other. */
export class NamesInFull {
  /** By the last word of a name, lower-cased; null where names of several things end with it. */
  private found: ReadonlyMap<string, string | null> | undefined;
  /** Small words that stand somewhere without "the": what "a bank" founded may be meant by "the bank". */
  private bare: ReadonlySet<string> | undefined;

  private readonly spokenOf = new Set<string>();
  private readonly spokenOfInBlock = new Set<string>();

  /** Give the whole report. */
  constructor(private readonly report: string) {}

  startBlock(): void {
    this.spokenOfInBlock.clear();
  }

  /** Give what each sentence speaks of. */
  learnFrom({ text, tokens }: Reading): void {
    if (tokens.length < 2 || !tokens.at(-1)?.isCapitalised) return;
    const name = withoutArticle(text);
    this.spokenOf.add(name);
    this.spokenOfInBlock.add(name);
  }

  /**
   * The only name in the report that ends with the word of "the Act"; null for all but two such words. "The bridge" may be any bridge, so it is one
   * that this block spoke of, in a report that has no other bridge.
   */
  nameFor({ tokens }: Reading): Reading | null {
    const [article, noun] = tokens;
    if (tokens.length !== 2 || article?.word.text !== 'the' || !noun) return null;
    const name = (this.found ??= namesIn(this.report)).get(noun.word.text);
    if (!name || !(noun.isCapitalised ? this.spokenOf : this.spokenOfInBlock).has(withoutArticle(name))) return null;
    return noun.isCapitalised || !(this.bare ??= bareWordsIn(this.report)).has(noun.word.text) ? readingOf(name) : null;
  }
}

function bareWordsIn(report: string): ReadonlySet<string> {
  const bare = new Set<string>();
  for (const [, article, word = ''] of report.matchAll(SMALL_WORD)) if (article === undefined) bare.add(word);
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
