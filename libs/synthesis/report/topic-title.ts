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
  const read = texts.map((text) => ({ text, words: words(text).map((word) => ({ word, stem: stemOf(word) })) }));
  const shared = sharedOf(read.map(({ words: ofText }) => new Set(ofText.map(({ stem }) => stem))));
  for (const { text, words: ofText } of read) {
    for (const [key, run] of runsOf(ofText, shared, ignored)) {
      const phrase = phrases.get(key) ?? { words: run, texts: [] };
      phrase.texts.push(text);
      phrases.set(key, phrase);
    }
  }
  const titles = [...phrases.values()].filter((phrase) => phrase.texts.length > 1).sort((a, b) => weightOf(b) - weightOf(a));
  for (const phrase of titles) {
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

/** What several of the texts have. */
function sharedOf(texts: readonly ReadonlySet<string>[]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const stems of texts) for (const stem of stems) (seen.has(stem) ? shared : seen).add(stem);
  return shared;
}

interface TextWord {
  word: string;
  stem: string;
}

/** Runs of meaningful words by their stems; a run with a stem that is not shared is in no other text. */
function runsOf(text: readonly TextWord[], shared: ReadonlySet<string>, ignored: ReadonlySet<string>): Map<string, string[]> {
  const found = text.map(({ word, stem }) => ({ word, stem, names: shared.has(stem) && !isStopWord(word) && NAMING.test(word) }));
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
