import { verbCertainty, verbCertaintyInS } from '@lib/language/known-words';
import { DASH, SPACE } from '@lib/language/reading/characters';
import { isMonth } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { unitOf } from '@lib/language/reading/units';

const MAX_WORDS = 3;

/** A run of words that some texts share. */
interface Phrase {
  /** Its place in the first text that has it: start and number of words. */
  from: number;
  length: number;
  first: number;
  /** The last text that has it, and the number of texts that do. */
  last: number;
  texts: number;
}

/**
 * The phrase that best describes some texts, weighed by how many have it and by its length. It is taken literally from one of them, except for the
 * case of its first letter. Null if no two texts share one. `ignored` are stems that do not name anything.
 */
export function titleOf(readings: readonly Reading[], ignored: ReadonlySet<string>): string | null {
  const phrases = new Map<string, Phrase>();
  for (const [position, { tokens }] of readings.entries()) addRuns(phrases, tokens, position, ignored);
  const titles = [...phrases.values()].filter((phrase) => phrase.texts > 1).sort((a, b) => weightOf(b) - weightOf(a));
  for (const phrase of titles) {
    const reading = readings[phrase.first];
    const found = asWritten(phrase, reading);
    const words = reading?.tokens.slice(phrase.from, phrase.from + phrase.length) ?? [];
    if (found !== null && isInformative(phrase, found, words, reading?.text ?? '') && namesThing(words))
      return found.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  }
  return null;
}

const weightOf = (phrase: Phrase): number => phrase.texts * Math.sqrt(phrase.length);

/** A single ambiguous word ("full", "boarding", "Figure" as a column head) is only a title as a plural that most of the texts have. */
const isInformative = (phrase: Phrase, found: string, [word]: readonly Token[], text: string): boolean =>
  phrase.length > 1 || (phrase.texts > 2 && /[^s]s$/.test(found)) || (/[^\p{Ll}]/u.test(found) && !isAtBeginning(word, text));

/** At a beginning, a capital means nothing unless there is another one in the word. */
const isAtBeginning = (word: Token | undefined, text: string): boolean =>
  word !== undefined && /^$|[|:\]]\s*$/.test(text.slice(0, word.start)) && /^\p{Lu}\p{Ll}*$/u.test(text.slice(word.start, word.end));

/** Words for a size of something unnamed: "high single digits". */
const OF_SIZE = new Set(
  'kwh high higher low lower mid single double triple digit digits percent percentage percentages points half halves thirds'.split(' '),
);

/** Whether some words can be a topic; "January", "six hours", "removes" and "since" cannot. */
function namesThing(words: readonly Token[]): boolean {
  if (
    words.every(
      (token) =>
        isMonth(token.word.text) ||
        token.word.isAmount ||
        unitOf(token.word.text) !== null ||
        LINKING.has(token.word.text) ||
        OF_SIZE.has(token.word.text),
    )
  )
    return false;
  const [{ word } = { word: null }] = words;
  if (words.length > 1 || word === null) return true;
  const certainty = word.verb.endsInS ? verbCertaintyInS(word.text) : verbCertainty(word.text);
  return !LINKING.has(word.text) && !word.verb.isAdverb && !word.verb.isPastForm && certainty !== 'verb';
}

const LINKING = new Set('since although because however while whereas though'.split(' '));

/** The phrase as written; null if something stands between its words, or the text differs from them. */
function asWritten({ from, length }: Phrase, { text, tokens }: Pick<Reading, 'text' | 'tokens'> = { text: '', tokens: [] }): string | null {
  const phrase = tokens
    .slice(from, from + length)
    .map(({ word }) => word.text)
    .join(' ');
  const at = text.toLowerCase().indexOf(phrase);
  const found = text.slice(at, at + phrase.length);
  return at >= 0 && found.toLowerCase() === phrase ? found.replace(/['’]s$/, '') : null;
}

/** Adds every run of a few naming words of a text, keyed by stems. */
function addRuns(phrases: Map<string, Phrase>, tokens: readonly Token[], text: number, ignored: ReadonlySet<string>): void {
  for (let from = 0; from < tokens.length; from += 1) {
    // A run does not begin inside a compound: not "line treatment" in "first-line treatment".
    if (isAttached(tokens[from])) continue;
    let key = '';
    let tells = false;
    for (let length = 1; length <= MAX_WORDS; length += 1) {
      const word = tokens[from + length - 1]?.word;
      if (!word || word.isStopWord || !word.isNaming) break;
      key += `${word.stem} `;
      tells ||= !ignored.has(word.stem);
      if (!tells || isAttached(tokens[from + length])) continue;
      const known = phrases.get(key);
      if (!known) phrases.set(key, { from, length, first: text, last: text, texts: 1 });
      else if (known.last !== text) {
        known.last = text;
        known.texts += 1;
      }
    }
  }
}

const isAttached = (token: Token | undefined): boolean => token !== undefined && (token.before & (DASH | SPACE)) === DASH;
