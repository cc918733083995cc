import { isStopWord, stemOf, words } from '@lib/text/tokens';

const LONGEST_WORDS = 3;
/** A word that can name something: no number, and in an alphabet at least three letters. */
const NAMING = /\p{L}{3}|\p{L}\p{M}|\p{Lo}/u;

/** A run of words that some texts share. */
interface Phrase {
  words: string[];
  /** The texts that have it, the first of them where the phrase is read from. */
  texts: string[];
}

/**
 * The phrase that says the most about some texts: how many of them have it, weighed with how many words it has. It stands in one of them,
 * but for the case of its first letter. Null if no two texts share one. `ignored` are stems that name nothing.
 */
export function titleOf(texts: readonly string[], ignored: ReadonlySet<string>): string | null {
  const phrases = new Map<string, Phrase>();
  for (const text of texts) {
    for (const [key, run] of runsOf(text, ignored)) {
      const phrase = phrases.get(key) ?? { words: run, texts: [] };
      phrase.texts.push(text);
      phrases.set(key, phrase);
    }
  }
  const shared = [...phrases.values()].filter((phrase) => phrase.texts.length > 1).sort((a, b) => weightOf(b) - weightOf(a));
  for (const phrase of shared) {
    const found = asWritten(phrase);
    if (found !== null && isTelling(phrase, found)) return found.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  }
  return null;
}

const weightOf = (phrase: Phrase): number => phrase.texts.length * Math.sqrt(phrase.words.length);

/** A lone word in lower case may be any verb: it names a topic only if most would take it for one. */
const isTelling = (phrase: Phrase, found: string): boolean =>
  phrase.words.length > 1 || phrase.texts.length > 2 || /[^\p{Ll}]/u.test(found);

/** Null where something stands between its words, or the text reads otherwise than its words. */
function asWritten({ words: [...run], texts: [text = ''] }: Phrase): string | null {
  const phrase = run.join(' ');
  const at = text.toLowerCase().indexOf(phrase);
  const found = text.slice(at, at + phrase.length);
  return at >= 0 && found.toLowerCase() === phrase ? found.replace(/['’]s$/, '') : null;
}

/** Runs of meaningful words by their stems. */
function runsOf(text: string, ignored: ReadonlySet<string>): Map<string, string[]> {
  const found = words(text).map((word) => ({ word, stem: stemOf(word), names: !isStopWord(word) && NAMING.test(word) }));
  const runs = new Map<string, string[]>();
  for (let start = 0; start < found.length; start += 1) {
    const run: string[] = [];
    let key = '';
    let tells = false;
    for (const { word, stem, names } of found.slice(start, start + LONGEST_WORDS)) {
      if (!names) break;
      run.push(word);
      key += `${stem} `;
      tells ||= !ignored.has(stem);
      if (tells && !runs.has(key)) runs.set(key, [...run]);
    }
  }
  return runs;
}
