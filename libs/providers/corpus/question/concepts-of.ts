import { withoutAskedMeasures } from '@lib/language/asked-measures';
import { isStopWord, stemOf, stems, words } from '@lib/language/tokens';

import { isKind, withoutContractions, withoutExamples } from './asked-words';
import type { Concept } from './concept';
import type { CorpusIndex } from '../index/corpus-index';
import { formWords } from './form-words';
import { identifierParts, termsOf } from '../index/terms';

/** Stems of words that form questions but say nothing about the subject. */
const ASKING = new Set(
  stems(`actually ask answer become big bug call choose come compare comparison compared configure configured create define describe difference differences differ different discuss distinguish do else ever example examples explain
find get gets getting got give given good go goes going happen happens have help instead keep kept kind kinds know knows large later like list long look make makes
many mean means much name need needs nothing offer offers ones order otherwise outline part please possible put reason rid right say says set show sort sorts start stay step steps still
summarize summary sure switch take tell told thing things try trying turn unless use used using want wants way ways without work works wrong write written`),
);
/** Stems of small talk: words people use when they tell what happened, whatever the question is about. */
const SMALL_TALK = new Set(
  stems(`already anybody anyhow anymore anyone anything anyway anyways anywhere apparently certainly elsewhere everybody everyone everything everywhere
exactly folks guess guys hello hopefully maybe nobody obviously ok okay perhaps probably really seem seems seemed somebody somehow someone something sometimes
somewhere now stuff suddenly suppose supposed supposedly thanks thought till unfortunately weird whatever whenever wherever whichever wonder wondering`),
);
/** Idioms whose single words have nothing to do with their meaning. */
const IDIOMS = /\bout of the box\b|\btak(?:e|es|en|ing) care of\b/gi;
/** Most words of a text that are searched for; of a long one, such as a pasted page, the rarest. */
const MAX_WORDS = 40;
/** Written like code: in back quotes, a key with its value, or a word with a dash, a dot or a slash inside or in front. */
const WRITTEN_LIKE_CODE =
  /`([^`\n]{2,80})`|((?<![\w$])[\w$]+: ?(?:true|false|null|\d+|'[^'\n]{0,40}'))|((?<![\w$./-])(?:--?|\.)?[A-Za-z\d$_]+(?:[-/.][A-Za-z\d$_]+)+)|((?<![\w$./-])(?:--?|\.)[A-Za-z][\w-]*)/g;
const IS_IDENTIFIER = /\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}|_|\p{Lu}{2}/u;

/** The distinct words of a text that say something about its subject, each with the terms that match it, rarest first. */
export function conceptsOf(asked: string, index: CorpusIndex): Concept[] {
  const text = subjectIn(asked, index);
  const parts = new Map(identifierParts(text).map(([identifier, parts]) => [identifier.toLowerCase(), parts]));
  const names = namesIn(text);
  const phrases = Array.from(new Set(Array.from(text.matchAll(WRITTEN_LIKE_CODE), (match) => match.slice(1).find(Boolean) ?? '')));
  const inPhrases = new Set(phrases.flatMap(words));
  const single = subjectsOf(text)
    .filter((word) => !inPhrases.has(word))
    .map((word) => conceptOf(word, parts.get(word) ?? [], names.has(word), index));
  return [...phrases.map((phrase) => phraseConcept(phrase, index)), ...single]
    .sort((left, right) => right.rarity - left.rarity)
    .slice(0, MAX_WORDS);
}

/** A question without its examples. If nothing but a folder's name or a kind of thing would be left, the examples are the subject and stay. */
export function subjectIn(asked: string, index: CorpusIndex): string {
  const text = withoutExamples(asked, (example) => index.hasTogether(termsOf(example)));
  const { names } = index.foldersNamedIn(text, () => undefined);
  return subjectsOf(text).some((word) => !names.includes(word) && !isKind(word)) ? text : withoutContractions(asked);
}

/** The distinct words that say something about the subject. */
export function subjectsOf(said: string): string[] {
  const text = withoutAskedMeasures(withoutContractions(said)).replace(IDIOMS, ' ');
  const forming = formWords(text);
  const says = (word: string): boolean =>
    !isStopWord(word) && !forming.has(word) && ![ASKING, SMALL_TALK].some((stems) => stems.has(stemOf(word)));
  return Array.from(new Set(words(text).filter(says)));
}

function conceptOf(word: string, parts: string[], isName: boolean, index: CorpusIndex): Concept {
  const terms = termsOf(word).slice(0, 1);
  const known = terms.some((term) => index.has(term)) || parts.length === 0 ? terms : parts;
  return { word, terms, parts, isName, rarity: Math.max(0, ...known.map((term) => index.rarity(term))), share: 1, specificity: 1 };
}

function phraseConcept(phrase: string, index: CorpusIndex): Concept {
  const own = words(phrase);
  const parts = termsOf(own.join(' '));
  const terms = own.length === 1 ? parts.slice(0, 1) : [];
  const rarity = Math.max(index.rarity('') / 2, ...parts.map((term) => index.rarity(term)));
  const isName = IS_IDENTIFIER.test(phrase) || /[:`/]|^[.-]/.test(phrase);
  return {
    word: phrase,
    terms,
    parts: parts.length > 0 ? parts : [phrase.toLowerCase()],
    phrase: phrase.toLowerCase(),
    isName,
    rarity,
    share: 1,
    specificity: 1,
  };
}

/** Words written like names: identifiers, called functions, and capitalized words that do not begin a sentence. */
function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}_$]+(?:\.[\p{L}\p{N}_$]+)*/gu)) {
    const beginsSentence = /(?:^|[.?!:]["'”’)]*\s+)["'“(]*$/.test(text.slice(Math.max(0, index - 6), index));
    const isCalled = text.startsWith('()', index + word.length);
    if (isCalled || IS_IDENTIFIER.test(word) || (!beginsSentence && /^\p{Lu}/u.test(word) && !isStopWord(word.toLowerCase())))
      names.add(word.toLowerCase());
  }
  return names;
}
