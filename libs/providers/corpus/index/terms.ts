import { stemOf, stems, words } from '@lib/language/tokens';

import type { Field } from './index-content';
import type { Passage } from '../formats/passages';

const IDENTIFIER = /(?<![\p{L}\d$])[\p{L}\d$]*(?:[\p{Ll}\d][\p{Lu}_./-]|[_./-][\p{L}\d])[\p{L}\d_$./-]*/gu;
const VARIABLE = /(?<![\p{L}\d$_])\$([\p{L}_][\p{L}\d_]*)/gu;
const PARTS = /[_$./-]+|(?<=[\p{Ll}\d])(?=\p{Lu})/u;

/** Digits grouped by commas: "1,000" is read as "1000". */
const GROUPED = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/g;
const ungrouped = (text: string): string => text.replace(GROUPED, (number) => number.replaceAll(',', ''));

/** What the stemmer makes of a final y behind a vowel. */
const FINAL_I = /(?<=[aeou])i$/;
const withFinalY = (stem: string): string => stem.replace(FINAL_I, 'y');

/** The search term of a lower-cased word: its stem, but with one for "deploy" and "deployment", which the stemmer keeps apart as "deploi" and "deploy". */
export const termOf = (word: string): string => withFinalY(stemOf(word));

const termsOfWords = (text: string): string[] => stems(text).map(withFinalY);

/**
 * The search terms of a text: stems of its words, and of the parts of its identifiers, so that `setErrorHandler` and
 * `reply.send` are found by "error handler" and "send" as well as by their own names.
 */
export function termsOf(said: string): string[] {
  const text = ungrouped(said);
  return [
    ...termsOfWords(text),
    ...identifiersOf(text).flatMap(([identifier, parts]) => termsOfWords(`${parts} ${joinedOf(identifier)}`)),
    ...termsOfWords([...variablesIn(text), ...gluedUnitsIn(text)].join(' ')),
  ];
}

/** A number written together with its unit: "5ghz", "36gb". */
const WITH_UNIT = /(?<![\p{L}\p{N}._$-])(\d+(?:[.,]\d+)?)(\p{Ll}{1,4})(?![\p{L}\p{N}_$-])/gu;

/** The units written together with their numbers, so that "10ms" is found by "ms". */
const gluedUnitsIn = (text: string): string[] => Array.from(text.matchAll(WITH_UNIT), ([, , unit = '']) => unit);

/** With a space between number and unit, as documents mostly write it; unless they have the two written together. */
export const withUnitsApart = (text: string, isKnown: (term: string) => boolean): string =>
  text.replace(WITH_UNIT, (glued, number: string, unit: string) =>
    !isKnown(glued) && isKnown(termOf(unit)) ? `${number} ${unit}` : glued,
  );

/** "e-mail" is found by "email", too. */
const joinedOf = (identifier: string): string => (/^\p{L}+(?:-\p{L}+)+$/u.test(identifier) ? identifier.replaceAll('-', '') : '');

/** The names of variables without the dollar sign: `$EDITOR` is found by "editor". */
const variablesIn = (text: string): string[] => Array.from(text.matchAll(VARIABLE), ([, name = '']) => name);

/** The distinct identifiers of a text, each with the stems of its parts. */
export function identifierParts(text: string): [identifier: string, parts: string[]][] {
  return identifiersOf(text).map(([identifier, parts]) => [identifier, termsOfWords(parts)]);
}

/** The words that the identifiers of a text are made of. */
export function identifierWords(text: string): string[] {
  return identifiersOf(text).flatMap(([, parts]) => words(parts));
}

function identifiersOf(text: string): [identifier: string, parts: string][] {
  const identifiers = new Set(Array.from(text.matchAll(IDENTIFIER), ([identifier]) => identifier));
  return Array.from(identifiers, (identifier) => [identifier, identifier.split(PARTS).join(' ')]);
}

/** The searched text of each field of a passage. */
export function searchedTexts({ document, headings, chunks }: Passage): Record<Field, string> {
  const text = [chunks[0]?.header ?? '', ...chunks.map((chunk) => chunk.text)].join('\n\n');
  return {
    body: document.format === 'markdown' ? withoutTargets(text) : text,
    headings: headings.join(' '),
    document: `${document.path} ${document.title}`,
  };
}

/** Removes link targets, tags, and links within the page, which are its table of contents. */
function withoutTargets(markdown: string): string {
  return markdown
    .replace(/\[[^\]]*\]\(#[^)]*\)/g, ' ')
    .replace(/\]\([^)]*\)|^ {0,3}\[[^\]]+\]:\s.*$/gm, '] ')
    .replace(/<[^>]*>/g, ' ');
}

/** Jaccard similarity of two sets, from 0 to 1. */
export function similarity<Item>(left: ReadonlySet<Item>, right: ReadonlySet<Item>): number {
  const shared = left.intersection(right).size;
  return shared / Math.max(1, left.size + right.size - shared);
}
