import type { Reading } from '@lib/language/reading/reading';

const LONGEST_WORDS = 3;
/** A word that can name something: no number, and in an alphabet at least three letters. */
const NAMING = /\p{L}{3}|\p{L}\p{M}|\p{Lo}/u;

/** A word that can name something. */
interface Naming {
  word: string;
  stem: string;
}

/** A run of words that some texts share. */
interface Phrase {
  words: readonly Naming[];
  /** Positions of the texts that have it; it is read from the first. */
  texts: number[];
}

/**
 * The phrase that says the most about some texts: how many of them have it, weighed with how many words it has. It stands in one of them,
 * but for the case of its first letter. Null if no two texts share one. `ignored` are stems that name nothing.
 */
export function titleOf(readings: readonly Reading[], ignored: ReadonlySet<string>): string | null {
  const phrases = new Map<string, Phrase>();
  for (const [position, reading] of readings.entries()) {
    for (const { key, words: run } of runsOf(namingsOf(reading), ignored)) {
      const phrase = phrases.get(key);
      if (!phrase) phrases.set(key, { words: run, texts: [position] });
      else if (phrase.texts.at(-1) !== position) phrase.texts.push(position);
    }
  }
  const titles = [...phrases.values()].filter((phrase) => phrase.texts.length > 1).sort((a, b) => weightOf(b) - weightOf(a));
  for (const phrase of titles) {
    const found = asWritten(phrase.words, readings[phrase.texts[0] ?? 0]?.text ?? '');
    if (found !== null && isTelling(phrase, found)) return found.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  }
  return null;
}

const weightOf = (phrase: Phrase): number => phrase.texts.length * Math.sqrt(phrase.words.length);

/** A lone word in lower case may be any verb: it names a topic only if most would take it for one. */
const isTelling = (phrase: Phrase, found: string): boolean =>
  phrase.words.length > 1 || phrase.texts.length > 2 || /[^\p{Ll}]/u.test(found);

/** Null where something stands between its words, or the text reads otherwise than its words. */
function asWritten(run: readonly Naming[], text: string): string | null {
  const phrase = run.map(({ word }) => word).join(' ');
  const at = text.toLowerCase().indexOf(phrase);
  const found = text.slice(at, at + phrase.length);
  return at >= 0 && found.toLowerCase() === phrase ? found.replace(/['’]s$/, '') : null;
}

/** The words of a text in order, null for one that names nothing. */
function namingsOf({ tokens }: Reading): (Naming | null)[] {
  return tokens.map(({ word: { text, stem, isStopWord } }) => (isStopWord || !NAMING.test(text) ? null : { word: text, stem }));
}

/** Every run of a few words that name something, with its stems as the key. */
function runsOf(namings: readonly (Naming | null)[], ignored: ReadonlySet<string>): { key: string; words: Naming[] }[] {
  const runs: { key: string; words: Naming[] }[] = [];
  for (let start = 0; start < namings.length; start += 1) {
    const run: Naming[] = [];
    let key = '';
    let tells = false;
    for (const naming of namings.slice(start, start + LONGEST_WORDS)) {
      if (!naming) break;
      run.push(naming);
      key += `${naming.stem} `;
      tells ||= !ignored.has(naming.stem);
      if (tells) runs.push({ key, words: [...run] });
    }
  }
  return runs;
}
