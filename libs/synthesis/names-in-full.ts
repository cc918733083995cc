import { readingOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { kindOf } from './kinds';
import type { Opening } from './opening';
import { allNamesIn, longerOf, withoutArticle, type NamesByKind } from './names-by-kind';

/** What a report means by a word for a kind of thing: "the Act" is the Data Portability Act where it spoke of that and names no other. */
export class NamesInFull {
  /** By a word for the kind of thing, lower-cased; null where several things are named with it. */
  private found: NamesByKind | undefined;
  /** How often a small word stands somewhere without "the": what "a bank" founded may be meant by "the bank". */
  private bare: ReadonlyMap<string, number> | undefined;

  private readonly spokenOf = new Set<string>();
  private readonly spokenOfInBlock = new Set<string>();
  /** What the report said that something is: "Arrajol is a magazine". Null where it said so of several. */
  private readonly said = new Map<string, Said | null>();
  private block = 0;

  /** Give the whole report, and what it was asked for. */
  constructor(
    private readonly report: string,
    private readonly question: string,
  ) {}

  startBlock(): void {
    this.block += 1;
    this.spokenOfInBlock.clear();
  }

  /** Give what each sentence speaks of, and the sentence. */
  learnFrom(named: Reading, opening: Opening, sentence: Reading): void {
    const { tokens, text } = named;
    if (!tokens.at(-1)?.isCapitalised) return;
    const name = withoutArticle(text);
    if (tokens.length > 1) {
      this.spokenOf.add(name);
      this.spokenOfInBlock.add(name);
    }
    const kind = kindOf(sentence, opening);
    if (kind === null) return;
    const known = this.said.get(kind);
    if (known === undefined) this.said.set(kind, { named, block: this.block, times: 1 });
    else if (known) this.said.set(kind, known.named.text === text ? { named, block: this.block, times: known.times + 1 } : null);
  }

  /**
   * The only thing of the report that "the Act" can be; null for all but two such words. "The bridge" may be any bridge, so it is one
   * that this block or the question spoke of, in a report that has no other bridge.
   */
  nameFor({ tokens }: Reading): Reading | null {
    const [article, noun] = tokens;
    if (tokens.length !== 2 || article?.word.text !== 'the' || !noun) return null;
    const kind = noun.word.text;
    const named = (this.found ??= allNamesIn(`${this.question}\n${this.report}`)).get(kind);
    const said = this.said.get(kind);
    if (named === null || said === null || (named === undefined && said === undefined)) return null;
    const bare = noun.isCapitalised ? 0 : ((this.bare ??= bareWordsIn(this.report)).get(kind) ?? 0);
    if (bare > (said?.times ?? 0)) return null;
    if (said && (named === undefined || longerOf(named, said.named.text) !== null)) return this.isNear(said, named) ? said.named : null;
    return named !== undefined && !said && this.isSpokenOf(withoutArticle(named), noun.isCapitalised) ? readingOf(named) : null;
  }

  private isNear({ named, block }: Said, inFull: string | undefined): boolean {
    return block === this.block || this.question.includes(withoutArticle(inFull ?? named.text));
  }

  private isSpokenOf(name: string, isCapitalised: boolean): boolean {
    return (isCapitalised ? this.spokenOf : this.spokenOfInBlock).has(name) || this.question.includes(name);
  }
}

/** Which thing was said to be of a kind, where last, and how often. */
interface Said {
  named: Reading;
  block: number;
  times: number;
}

function bareWordsIn(report: string): ReadonlyMap<string, number> {
  const bare = new Map<string, number>();
  for (const [, article, word = ''] of report.matchAll(SMALL_WORD)) if (article === undefined) bare.set(word, (bare.get(word) ?? 0) + 1);
  return bare;
}

const SMALL_WORD = /(?<![\p{L}\p{N}])([Tt]h(?:e|is) )?(\p{Ll}[\p{L}\p{N}’'-]*)/gu;
