const MOST_WORDS = 20_000;
const LONGEST_WORD = 40;

/** `derive` with a memory of bounded size for what it said of words: texts repeat theirs, and finding a word again costs next to nothing. */
export function remembering<Known>(derive: (word: string) => Known): (word: string) => Known {
  const known = new Map<string, Known>();
  return (word) => {
    const remembered = known.get(word);
    if (remembered !== undefined) return remembered;
    const derived = derive(word);
    if (known.size >= MOST_WORDS) known.clear();
    if (word.length <= LONGEST_WORD) known.set(word, derived);
    return derived;
  };
}
