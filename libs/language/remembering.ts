import { tellHolding } from '@lib/memory/holdings';

const MAX_WORDS = 20_000;
const MAX_WORD_LENGTH = 40;

/** Bytes that a word takes with its copy and its place in the map. */
const WORD_BYTES = 150;

/**
 * `derive` with a memory of bounded size for what it said of words: texts repeat theirs, and finding a word again costs next to nothing.
 * @param knownBytes of what it says of one word
 */
export function remembering<Known>(derive: (word: string) => Known, knownBytes: number): (word: string) => Known {
  const known = new Map<string, Known>();
  const bytes = WORD_BYTES + knownBytes;
  tellHolding(known, 'words', MAX_WORDS * bytes, ({ size }) => ({ items: size, bytes: size * bytes }));
  return (word) => {
    const remembered = known.get(word);
    if (remembered !== undefined) return remembered;
    if (word.length > MAX_WORD_LENGTH) return derive(word);
    // A copy, because a word cut out of a text keeps the whole text in memory.
    const detached = JSON.parse(JSON.stringify(word)) as string;
    const derived = derive(detached);
    if (known.size >= MAX_WORDS) known.clear();
    known.set(detached, derived);
    return derived;
  };
}
