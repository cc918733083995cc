import { readingOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { lookUp } from '@lib/language/reading/word';

/** Capitalised words in a row, after an article if there is one. */
const RUN = /(?<![\p{L}\p{N}’'-])(?:[Tt]he )?\p{Lu}[\p{L}\p{N}’'-]*(?: \p{Lu}[\p{L}\p{N}’'-]*)+(?![\p{L}\p{N}’'-])/gu;

/** What a report means by a word for a kind of thing: "the Act" is the Data Portability Act where it spoke of that and names no other. */
export class NamesInFull {
  /** By the last word of a name, lower-cased; null where names of several things end with it. */
  private found: ReadonlyMap<string, string | null> | undefined;

  private readonly spokenOf = new Set<string>();

  /** Give the whole report. */
  constructor(private readonly report: string) {}

  /** Give what each sentence speaks of. */
  learnFrom({ text, tokens }: Reading): void {
    if (tokens.length > 1 && tokens.at(-1)?.isCapitalised) this.spokenOf.add(withoutArticle(text));
  }

  /** The only name in the report that ends with the word of "the bridge"; null for all but two such words. */
  nameFor({ tokens }: Reading): Reading | null {
    const [article, noun] = tokens;
    if (tokens.length !== 2 || article?.word.text !== 'the' || !noun) return null;
    const name = (this.found ??= namesIn(this.report)).get(noun.word.text);
    return name && this.spokenOf.has(withoutArticle(name)) ? readingOf(name) : null;
  }
}

const withoutArticle = (name: string): string => name.replace(/^The /, '');

function namesIn(report: string): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  for (const [run] of report.matchAll(RUN)) {
    const hasArticle = /^the /i.test(run);
    const words = (hasArticle ? run.slice('the '.length) : run).split(' ');
    while (lookUp(words[0]?.toLowerCase() ?? '').isStopWord) words.shift();
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
