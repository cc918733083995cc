import { tellHolding } from '@lib/memory/holdings';

const MAX_WORDS = 20_000;
const MAX_WORD_LENGTH = 40;

/** Bytes for a word with its copy and its map entry. */
const WORD_BYTES = 150;

/**
 * `derive` with a bounded cache for words, since texts repeat their words and a lookup is almost free.
 * @param knownBytes size of the result for one word
 */
export function remembering<Known>(derive: (word: string) => Known, knownBytes: number): (word: string) => Known {
  const known = new Map<string, Known>();
  const bytes = WORD_BYTES + knownBytes;
  tellHolding(known, 'words', MAX_WORDS * bytes, ({ size }) => ({ items: size, bytes: size * bytes }));
  return (word) => {
    const remembered = known.get(word);
    if (remembered !== undefined) return remembered;
    if (word.length > MAX_WORD_LENGTH) return derive(word);
    // A copy, because a substring would keep the whole text in memory.
    const detached = JSON.parse(JSON.stringify(word)) as string;
    const derived = derive(detached);
    if (known.size >= MAX_WORDS) known.clear();
    known.set(detached, derived);
    return derived;
  };
}
