import { remembering } from '@lib/language/remembering';
import { lookUp, type Role } from '../lexicon';
import { isNegation, NO_NEGATION } from '../slots';
import { amountsOf } from './amounts';
import { attributeOf } from './attribute';
import { authorsOf } from './authorship';
import { datesOf } from './dates';
import { happeningOf } from './happening';
import type { NameRun, Reading, ReadWord, Tense } from './reading';

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’.](?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}]+)*/gu;
/** What is contrasted is not stated: "private, not public". */
const CONTRAST = /(?:,\s*(?:but\s+)?not|\brather than|\binstead of)\s+(?!only|just)[^,.;]+/gi;
const NEGATES_NOTHING = /\bnot (?:just|merely|simply|until|necessarily)\b|\bas far as [^,]*,/gi;
/** Verbs that say no more than the word beside them. */
const LIGHT = new Set(['have', 'has', 'had', 'be', 'make', 'include', 'use', 'become']);
const NAME_LINK = /^[\s.]*$|^\s(?:of|de|da|del|van|von|der|al|the|of the)\s$/u;

const PAST = new Set("was were did had used wasn't weren't didn't hadn't".split(' '));
const PRESENT = new Set("is are am has have does do can cannot isn't aren't hasn't haven't doesn't don't can't will".split(' '));
const PAST_FORM =
  /(?:ed|^(?:won|lost|made|grew|rose|fell|began|held|led|built|left|sold|bought|took|gave|became|shrank|wrote|drew|flew|met|found|beat|came|ran|kept|ate|hit|upheld|shut))$/;

/** Reads the statement of a sentence or clause. English; of other languages only dates, amounts and equal words are seen. */
export function readStatement(statement: string): Reading {
  const text = statement.replace(/\[([^\][]*)\]/g, '$1').replace(CONTRAST, (contrast) => ' '.repeat(contrast.length));
  const dates = datesOf(text);
  const amounts = amountsOf(text, dates);
  const words = wordsOf(text, [...dates, ...amounts]);
  const wording = { text, words, names: namesOf(text, words) };
  const negations = words.filter((word, position) => isNegation(word, words[position + 1]));
  const directions = words.filter((word, position) => word.isDirection && !negations.includes(word) && words[position - 1]?.text !== 'no');
  const idle = [...text.matchAll(NO_NEGATION), ...text.matchAll(NEGATES_NOTHING)].filter(([phrase]) =>
    /\bno(?:t|n|ne|body|thing)?\b/i.test(phrase),
  );
  return {
    ...wording,
    terms: termsOf(words),
    dates,
    amounts,
    isNegated: (negations.length - idle.length) % 2 !== 0,
    isNoLonger: /\bno longer\b(?! than)/i.test(text),
    isDependent: /^\[[^\][]*\] \p{Ll}+ing\b/u.test(statement),
    directions,
    tense: tenseOf(words),
    roles: {
      hedge: inRole(words, 'hedge'),
      condition: inRole(words, 'condition'),
      former: inRole(words, 'former'),
      attribution: inRole(words, 'attribution'),
    },
    happening: lazily(() => happeningOf(wording)),
    authors: lazily(() => authorsOf(wording)),
    attribute: lazily(() => attributeOf(wording)),
  };
}

function lazily<Value>(read: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => (known ??= { value: read() }).value;
}

function wordsOf(text: string, taken: readonly { start: number; end: number }[]): ReadWord[] {
  const words: ReadWord[] = [];
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const end = index + written.length;
    if (taken.some((part) => index < part.end && part.start < end)) continue;
    const { word, isCapitalised } = writtenWord(written);
    words.push({ ...word, isName: isCapitalised && (index > 0 || !word.isStopWord), start: index, end });
  }
  return words;
}

const writtenWord = remembering((written) => ({
  word: lookUp(
    written
      .replace(/['’]s?$/, '')
      .toLowerCase()
      .replaceAll('’', "'"),
  ),
  isCapitalised: /^\p{Lu}/u.test(written),
}));

function namesOf(text: string, words: readonly ReadWord[]): NameRun[] {
  const runs: ReadWord[][] = [];
  for (const word of words) {
    if (!word.isName || word.role === 'filler') continue;
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && NAME_LINK.test(text.slice(last.end, word.start))) run.push(word);
    else runs.push([word]);
  }
  return runs.map((run) => ({ words: run, parts: new Set(run.map(({ text: part }) => part)) }));
}

function termsOf(words: readonly ReadWord[]): Set<string> {
  const telling = words.filter((word, position) => {
    const negates = isNegation(word, words[position + 1]) && !word.isNegated;
    return !word.isStopWord && !word.isDirection && word.role === null && !negates && !LIGHT.has(word.stem);
  });
  return new Set(telling.map(({ stem }) => stem));
}

function tenseOf(words: readonly ReadWord[]): Tense {
  if (words.some(({ text }) => PAST.has(text))) return 'past';
  if (words.some(({ text }) => PRESENT.has(text))) return 'present';
  return words.some(({ text, isName }) => !isName && PAST_FORM.test(text)) ? 'past' : 'present';
}

function inRole(words: readonly ReadWord[], role: Role): string {
  const inIt = words.filter((word) => word.role === role && !(word.isName && word.start > 0)).map(({ text }) => text);
  return inIt.sort().join(' ');
}
