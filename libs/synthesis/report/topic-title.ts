import { verbCertainty, verbCertaintyInS } from '@lib/language/known-words';
import { DASH, SPACE } from '@lib/language/reading/characters';
import { isMonth } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { unitOf } from '@lib/language/reading/units';

const MAX_WORDS = 3;

/** A run of words that some texts share. */
interface Phrase {
  /** Its words in the first text that has it: from, and how many. */
  from: number;
  length: number;
  first: number;
  /** The last text that has it, and how many do. */
  last: number;
  texts: number;
}

/**
 * The phrase that says the most about some texts: how many of them have it, weighed with how many words it has. It stands in one of them,
 * but for the case of its first letter. Null if no two texts share one. `ignored` are stems that name nothing.
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

/** A lone word that may be anything ("full", "boarding", "Figure" at the head of a cell) names a topic only as a plural that most of them have. */
const isInformative = (phrase: Phrase, found: string, [word]: readonly Token[], text: string): boolean =>
  phrase.length > 1 || (phrase.texts > 2 && /[^s]s$/.test(found)) || (/[^\p{Ll}]/u.test(found) && !isAtBeginning(word, text));

/** There a capital tells nothing, unless it is not the only one. */
const isAtBeginning = (word: Token | undefined, text: string): boolean =>
  word !== undefined && /^$|[|:\]]\s*$/.test(text.slice(0, word.start)) && /^\p{Lu}\p{Ll}*$/u.test(text.slice(word.start, word.end));

/** "High single digits": a size, of whatever. */
const OF_SIZE = new Set(
  'kwh high higher low lower mid single double triple digit digits percent percentage percentages points half halves thirds'.split(' '),
);

/** "January", "Six hours", "Removes" and "Since" name nothing that claims could be about. */
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

/** Null where something stands between its words, or the text reads otherwise than its words. */
function asWritten({ from, length }: Phrase, { text, tokens }: Pick<Reading, 'text' | 'tokens'> = { text: '', tokens: [] }): string | null {
  const phrase = tokens
    .slice(from, from + length)
    .map(({ word }) => word.text)
    .join(' ');
  const at = text.toLowerCase().indexOf(phrase);
  const found = text.slice(at, at + phrase.length);
  return at >= 0 && found.toLowerCase() === phrase ? found.replace(/['’]s$/, '') : null;
}

/** Adds every run of a few words of a text that name something, by their stems. */
function addRuns(phrases: Map<string, Phrase>, tokens: readonly Token[], text: number, ignored: ReadonlySet<string>): void {
  for (let from = 0; from < tokens.length; from += 1) {
    // "Line treatment" of "first-line treatment".
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
