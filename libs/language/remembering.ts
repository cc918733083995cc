const MOST_WORDS = 20_000;
const LONGEST_WORD = 40;

/** `derive` with a memory of bounded size for what it said of words: texts repeat theirs, and finding a word again costs next to nothing. */
export function remembering<Known>(derive: (word: string) => Known): (word: string) => Known {
  const known = new Map<string, Known>();
  return (word) => {
    const remembered = known.get(word);
    if (remembered !== undefined) return remembered;
    if (word.length > LONGEST_WORD) return derive(word);
    // A copy, because a word cut out of a text keeps the whole text in memory.
    const detached = JSON.parse(JSON.stringify(word)) as string;
    const derived = derive(detached);
    if (known.size >= MOST_WORDS) known.clear();
    known.set(detached, derived);
    return derived;
  };
}
