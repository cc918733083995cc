import { INDEFINITE_ARTICLES } from '@lib/language/reading/articles';
import { DASH, SPACE } from '@lib/language/reading/characters';
import { textAt, textOfWords } from '@lib/language/reading/token';
import type { Group } from '../agreement/agreement';
import { PREPOSITIONS } from '@lib/language/reading/function-words';
import { isMonth } from '@lib/language/reading/dates';
import { sameName, stemsOfNames, type NameRun } from '@lib/language/reading/names';
import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { asLabel } from '../subject/headings-read';
import { hasIdentifier } from '../subject/reference';
import { isImperative } from '../sentences/verb-without-ending';
import { isSaidBy, maySpeakOfOne } from '../comparison/headings';
import { placeKey } from '../proposals/accepted';
import { isAmong } from '../alignment/same-word';
import { unsaidIn } from '../difference/restatement';
import { sayAtLengthAlike } from '../difference/word-for-word';
import { shownAbove } from '../statement/above';
import type { Statement } from '../statement/statement';

/**
 * Splits each group that `isKept` rejects: statements with a known subject stay together, so do those that are worded alike, the others get a group
 * each, and no quote appears twice. If reports do not name their subject, it is unknown whether they mean the same.
 */
export function withUnknownApart(groups: readonly Group[], isKept: (group: Group) => boolean): Group[] {
  const apart = new Set<string>();
  return groups.flatMap((group) => {
    if (isKept(group) || !group.some(({ isUnknown }) => isUnknown)) return [group];
    if (group.length > 1 && group.every((other) => isCopyOf(other, group[0]))) return [group];
    const [first, ...rest] = group.filter(({ isUnknown }) => !isUnknown);
    const keyed = group.filter(({ isUnknown }) => isUnknown).map((statement) => ({ statement, key: placeKey(statement) }));
    const unknown = keyed.filter(({ key }) => !apart.has(key)).map(({ statement }) => statement);
    for (const { key } of keyed) apart.add(key);
    return [...(first ? [[first, ...rest] satisfies Group] : []), ...unknown.map((statement): Group => [statement])];
  });
}

const isCopyOf = (other: Statement, first: Statement): boolean =>
  sayAtLengthAlike(other.reading, first.reading) && maySpeakOfOne(other, first);

/** Whether all reports have the same sentence before this one, if its subject cannot be told without that. */
export function standsAlike(
  { before, leansOn }: Statement,
  supporting: readonly Statement[],
  contradicting: readonly Statement[],
): boolean {
  const all = leansOn === null ? supporting : [...supporting, ...contradicting];
  return before !== null && all.length > 1 && all.every((other) => other.before === before);
}

/** A name with all that hyphens join to it, and without a genitive: "SALT-EAST", "Ada Lovelace". */
function wholeNameOf({ text, tokens }: Reading, { tokens: named }: NameRun): string {
  let to = tokens.findIndex((token) => token === named[0]) + named.length;
  const from = to - named.length;
  while (tokens[to] && ((tokens[to]?.before ?? 0) & (DASH | SPACE)) === DASH) to += 1;
  return textOfWords(text, tokens.slice(from, to)).replace(/['’]s?$/, '');
}

/**
 * What stands in brackets before a statement that names nothing, if several reports make it: the sentence before it if the others say that too,
 * otherwise a name that all of these sentences share. Null if there is none, since one report's words must not be signed by others, and where the
 * statement speaks of something new: "An inquest was held".
 */
export const sharedBefore = (
  { before, reading: { tokens } }: Statement,
  supporting: readonly Statement[],
  question: ReadonlySet<string>,
): string | null =>
  before === null || INDEFINITE_ARTICLES.has(textAt(tokens, 0))
    ? null
    : sharedOf(
        before,
        supporting.map((other) => other.before),
        question,
      );

/** A context that all reports have or, if some lack it or words of it, the name that it is about and that all contexts share. Null if there is none. */
function sharedOf(context: string, others: readonly (string | null)[], question: ReadonlySet<string>): string | null {
  const own = readingOf(context);
  const theirs = others.flatMap((other) => (other === null ? [] : [readingOf(other)]));
  if (theirs.length === others.length && theirs.every((other) => isSaidBehind(own, other))) return context;
  const name = own.names.find(
    (one) => isTopic(own, one, question) && theirs.every(({ names }) => names.some((other) => sameName(one.parts, other.parts))),
  );
  return name ? `${wholeNameOf(own, name)}:` : null;
}

/** Whether the other says all of it. Of several names the order matters too: "A sued B" is not "B sued A". */
const isSaidBehind = (own: Reading, other: Reading): boolean =>
  own.names.length < 2
    ? own.tokens.every((token) => token.word.isStopWord || isAmong(token, other.tokens))
    : unsaidIn(own, other, () => false) === null;

/** Whether a name is what the sentence is about. A plural or an instruction at its beginning is mostly none, and "Weber’s mill" is not about Weber. */
function isTopic({ text, tokens, subjectEnd }: Reading, { tokens: named }: NameRun, question: ReadonlySet<string>): boolean {
  const [first, last] = [named[0], named.at(-1)];
  const at = tokens.findIndex((token) => token === first);
  if (!first || !last || at >= subjectEnd || PREPOSITIONS.has(textAt(tokens, at - 1)) || isMonth(first.word.text)) return false;
  if (/['’]s?$/.test(text.slice(last.start, last.end)) || /^['’]/.test(text.slice(last.end))) return false;
  return named.length > 1 || at > 0 || question.has(first.word.stem) || !(first.word.verb.endsInS || isImperative(tokens));
}

/** The statement, with needed context in brackets: the sentence before it, if needed, and the headings that all its supporters share. */
export function placed(said: Statement, supporting: readonly Statement[], sentenceBefore: string | null): string {
  const { headings } = said;
  const above = shownAbove(
    said,
    (level) => headings === null || supporting.every((other) => other === said || isSaidBy(other, level, headings)),
  );
  if (above === '') return behind(sentenceBefore, said.text);
  const label = asLabel(above);
  // Before the first sentence of a section stands its heading, which must not appear twice.
  const before = sentenceBefore !== null && asLabel(sentenceBefore) === label ? null : sentenceBefore;
  return behind(before === null ? label : before.startsWith(label) ? before : `${label} ${before}`, said.text);
}

/**
 * Puts one report's context in brackets before a claim about a past event that names nothing and has nothing from the question. Not if another report
 * names its subject in the sentence or has a different context, since then the two may not be about the same.
 */
export function inContext(claim: Statement, supporting: readonly Statement[], question: ReadonlySet<string>): string {
  if (!namesNothingAsked(claim, question) || supporting.some((other) => other !== claim && other.reading.properWords.size > 0))
    return claim.text;
  const [first] = claim.reading.tokens;
  for (const { context, quote } of supporting) {
    // Of a clause within a sentence, the context is the sentence itself, not the one before it.
    if (context === null || BEGINS_WITHIN.test(quote) || context.toLowerCase().includes(claim.text.slice(0, -1).toLowerCase())) continue;
    const names = namesIn(context);
    if (names.size > 0 && !names.has(first?.word.stem ?? '') && supporting.every((other) => maySpeakOf(names, other)))
      return behind(
        sharedOf(
          context,
          supporting.map((other) => other.context),
          question,
        ),
        claim.text,
      );
  }
  return claim.text;
}

const BEGINS_WITHIN = /^\p{Ll}/u;

/** Whether its context names the same, or there is no context to tell. */
const maySpeakOf = (names: ReadonlySet<string>, { context, headings }: Statement): boolean =>
  context === null ? headings === null : !namesIn(context).isDisjointFrom(names);

const namesIn = (text: string): ReadonlySet<string> => new Set(stemsOfNames(readingOf(text).names));

/** A single capitalised word at the beginning may or may not be a name: "Systolic pressure was lower". */
function namesNothingAsked({ reading, head, text }: Statement, question: ReadonlySet<string>): boolean {
  if (text.startsWith('[') || reading.tense !== 'past' || hasIdentifier(reading)) return false;
  if (reading.tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised)) return false;
  return head.size === 0 || [...head].some((stem) => !question.has(stem));
}

/** “[Collapse:] [Braun] resigned” with one pair of brackets. */
export const inOneBracket = (text: string): string => text.replace(/^\[([^\]]+[:?])\] \[([^\]]+)\] /, '[$1 $2] ');

const behind = (before: string | null, text: string): string => (before === null ? text : `[${before.replace(/[[\]]/g, '')}] ${text}`);
