import { isStopWord, stemOf, words } from '@lib/language/tokens';
import type { Answer, HumanFact, Topic } from './answers';

/** A text states a fact when it has such a share of the fact's weight and all its numbers; see `FactReader`. */
const STATED = 0.7;

/** A labelled fact with its position in the answer, in UTF-16 units. */
export interface PlacedFact extends HumanFact {
  system: string;
  start: number;
  end: number;
}

interface Terms {
  stems: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

/**
 * Says which facts a text states. A fact's weight is that of its stems, the rarer in all labelled sentences the heavier; the words of the
 * topic's name do not count, unless the fact has no others.
 */
export class FactReader {
  private readonly frequencies = new Map<string, number>();
  private readonly sentences: number;

  constructor(topics: readonly Topic[]) {
    const sentences = topics.flatMap(({ answers }) => answers.flatMap((answer) => answer.sentences ?? []));
    this.sentences = sentences.length;
    for (const { text } of sentences)
      for (const stem of termsOf(text).stems) this.frequencies.set(stem, (this.frequencies.get(stem) ?? 0) + 1);
  }

  states(text: string, fact: string, topic: string): boolean {
    const [stated, asked, name] = [termsOf(text), termsOf(fact), termsOf(topic)];
    if (!asked.numbers.isSubsetOf(stated.numbers)) return false;
    const own = asked.stems.difference(name.stems);
    const counted = own.size > 0 ? own : asked.stems;
    const weight = this.weightOf(counted);
    return weight === 0 || this.weightOf(counted.intersection(stated.stems)) >= STATED * weight;
  }

  private weightOf(stems: ReadonlySet<string>): number {
    let weight = 0;
    for (const stem of stems) weight += Math.log(1 + this.sentences / (1 + (this.frequencies.get(stem) ?? 0)));
    return weight;
  }
}

function termsOf(text: string): Terms {
  const all = words(text);
  const numbers = all.filter((word) => /\d/.test(word)).map((word) => word.replace(/,|(?<=\d)(?:st|nd|rd|th|s|'s)$/g, ''));
  return { stems: new Set(all.filter((word) => !isStopWord(word) && !/\d/.test(word)).map(stemOf)), numbers: new Set(numbers) };
}

/** The labelled facts of an answer, each at the sentence that it was taken from; one whose sentence is not in the answer is left out. */
export function placedFacts({ system, output, sentences }: Answer): PlacedFact[] {
  const { letters, offsets } = lettersOf(output);
  let from = 0;
  return (sentences ?? []).flatMap(({ text, facts }) => {
    const wanted = lettersOf(text).letters;
    const found = wanted === '' ? -1 : letters.indexOf(wanted, from);
    if (found === -1) return [];
    from = found + wanted.length;
    const [start = 0, last = 0] = [offsets[found], offsets[from - 1]];
    return facts.map((fact) => ({ ...fact, system, start, end: last + 1 }));
  });
}

/** The letters and digits of a text without its marks, and where each stands: the labelled sentences differ from the answers in the rest. */
function lettersOf(text: string): { letters: string; offsets: number[] } {
  const bare = text.replace(/\[\d+\]/g, (mark) => ' '.repeat(mark.length));
  const offsets: number[] = [];
  let letters = '';
  for (const { 0: letter, index } of bare.matchAll(/[\p{L}\p{N}]/gu)) {
    letters += letter;
    for (let unit = 0; unit < letter.length; unit += 1) offsets.push(index + unit);
  }
  return { letters, offsets };
}
