import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { lookUp } from '@lib/language/reading/word';
import type { Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';
import { statedKindOf, namedIn } from './stated-kind';
import { topicOf, type Topic } from './question-topic';
import type { Opening } from './opening';

/** Consecutive capitalised words, with an article before them if there is one. */
const RUN = /(?<![\p{L}\p{N}’'-])(?:[Tt]he )?\p{Lu}[\p{L}\p{N}’'-]*(?: \p{Lu}[\p{L}\p{N}’'-]*)+(?![\p{L}\p{N}’'-])/gu;

/**
 * Resolves words for a kind of thing. "The Act" is the Data Portability Act if the report mentioned that and no other act; after "Quillstore is a
 * database", "the database" is Quillstore.
 */
export class NamesInFull {
  /** By the last word of a name, in lower case; null if names of different things end with it. */
  private found: ReadonlyMap<string, string | null> | undefined;
  /** How often lower-case words occur without "the": "the bank" may refer to an earlier "a bank". */
  private bare: ReadonlyMap<string, number> | undefined;

  private readonly spokenOf = new Set<string>();
  private readonly spokenOfInBlock = new Set<string>();
  /** Things said in this block to be of a kind, by the word for the kind; null if others named since may be meant. */
  private readonly ofKind = new Map<string, Reading | null>();
  private asked: Topic | null | undefined;
  /** Whether this block has named something other than the topic of the question. */
  private namesOthers = false;

  /** Pass the whole report. */
  constructor(
    private readonly report: string,
    private readonly question: Reading,
  ) {}

  startBlock(): void {
    this.namesOthers = false;
    this.spokenOfInBlock.clear();
    for (const [kind, name] of this.ofKind) if (!name?.tokens.every((word) => this.isOfTopic(word))) this.ofKind.delete(kind);
  }

  /** Pass each sentence after its subject was resolved, together with its opening. */
  follow(sentence: Reading, opening: Opening | null): void {
    const named = namedIn(sentence);
    for (const [kind, name] of this.ofKind) if (name && named.some((word) => !isAmong(word, name.tokens))) this.ofKind.set(kind, null);
    this.namesOthers ||= named.some((word) => !this.isOfTopic(word));
    if (opening?.kind !== 'name' || !opening.named) return;
    const kind = statedKindOf(sentence, opening.to);
    if (kind !== null && !this.ofKind.has(kind)) this.ofKind.set(kind, opening.named);
  }

  /** Pass the subject of each sentence. */
  learnFrom({ text, tokens }: Reading): void {
    if (tokens.length < 2 || !tokens.at(-1)?.isCapitalised) return;
    const name = withoutArticle(text);
    this.spokenOf.add(name);
    this.spokenOfInBlock.add(name);
  }

  /** Whether the question has a single topic, and this block has named nothing else so far. */
  get isOnTopic(): boolean {
    return this.topic !== null && !this.namesOthers;
  }

  /** Whether "the country" was said of one thing and others were named since. */
  mayBeOther({ tokens }: Reading): boolean {
    return tokens[0]?.word.text === 'the' && this.ofKind.get(tokens.at(-1)?.word.text ?? '') === null;
  }

  /** The meaning of two words such as "the Act" or "the database"; null for anything else. */
  nameFor({ tokens }: Reading): Reading | null {
    const [article, noun] = tokens;
    if (tokens.length !== 2 || article?.word.text !== 'the' || !noun) return null;
    return this.nameEndingWith(noun) ?? (noun.isCapitalised ? null : this.nameOfKind(noun.word.text));
  }

  /**
   * The only name in the report with this last word. A lower-case "the bridge" only resolves to one mentioned in this block, in a report without
   * other bridges.
   */
  private nameEndingWith({ isCapitalised, word: { text } }: Token): Reading | null {
    const spokenOf = isCapitalised ? this.spokenOf : this.spokenOfInBlock;
    // Checked first, because finding the names of a report takes a search through all of it.
    if (!spokenOf.values().some((said) => said.toLowerCase().endsWith(text))) return null;
    const name = this.names.get(text);
    if (!name || !spokenOf.has(withoutArticle(name))) return null;
    return isCapitalised || this.timesBare(text) === 0 ? readingOf(name) : null;
  }

  /** The thing that was said to be of a kind, or the topic that the question calls so if the block names nothing else. */
  private nameOfKind(word: string): Reading | null {
    const told = this.ofKind.get(word);
    const kind = this.isOnTopic ? this.topic?.kind : null;
    const meant = told === undefined && kind?.word === word ? kind.name : (told ?? null);
    return meant === null || this.names.has(word) || this.timesBare(word) > 1 ? null : meant;
  }

  private isOfTopic(word: Token): boolean {
    return this.topic !== null && isAmong(word, this.topic.name);
  }

  private get topic(): Topic | null {
    // Null is a result too, so it is not computed again for each word of a report.
    if (this.asked === undefined) this.asked = topicOf(this.question);
    return this.asked;
  }

  private get names(): ReadonlyMap<string, string | null> {
    return (this.found ??= namesIn(this.report));
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

/** The longer of two names of the same thing; null if they name two things. */
function longerOf(one: string, other: string): string | null {
  const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
  return ` ${longer}`.endsWith(` ${withoutArticle(shorter)}`) ? longer : null;
}
