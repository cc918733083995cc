import { INDEFINITE_ARTICLES } from '@lib/language/reading/articles';
import { FORMS_OF_HAVE } from '@lib/language/reading/function-words';
import { haveCommon, isWithin, oneHoldsTheOther } from '@lib/language/sets';
import type { ListItem } from '@lib/language/reading/list-items';
import { stemsOfNames } from '@lib/language/reading/names';
import { readingOf } from '@lib/language/reading/read-text';
import { isFiniteOrPast } from '@lib/language/reading/token';
import { lookUp } from '@lib/language/reading/word';
import type { Comparison } from '../comparison/comparison';
import { callByHeading, maySpeakOfOne, saidAbove } from '../comparison/headings';
import type { Terms } from '../comparison/numbered-terms';
import { namesItemsOf } from './listed-names';
import { isSaidWithReservation } from './reservations';
import { isSaidOfAnother } from './said-of-another';
import { isSaidOtherwise } from './said-otherwise';
import { isSaidWholly } from './said-wholly';
import { NONE, type Statement } from '../statement/statement';
import { PREPOSITIONS } from '../statement/whole-sentence';
import { saysNothingElse } from '../difference/leftover';
import { haveOpposites } from './compatibility';
import { areNegatedAlikeInAll } from '../difference/same-terms';

/**
 * Share of a statement's weight that a clause must have to say as much, and the larger one that its sentence must have: in a sentence words
 * of several clauses meet by chance. Chosen on one half of the data of `make bench-claims`; from 0.8 to 0.9 the figures hardly move.
 */
const SAID_BY_CLAUSE = 0.85;
const SAID_BY_SENTENCE = 0.95;
/** Below this share of the clause, the sentence is not asked. */
const WORTH_ASKING = 0.5;
/** A statement of fewer terms, those of the question left out, says too little to be recognised. */
const MIN_TERMS = 1;
/** Above any share, so that of several supporting sentences of a report its verbatim copy is kept: `withoutCopies` has to see it. */
const COPIED = 2;
/** Share of a statement's weight that another must have to make it superfluous. */
const REPEATED = 0.6;

/** A clause or sentence that says what another statement says, and how far. */
export interface Support {
  statement: Statement;
  degree: number;
}

/** Whether the statement at `outer` or its sentence says what `inner` says, of whose weight the former has the share `shared`; null if not. */
export function supportFor(comparison: Comparison, inner: Statement, outer: number, shared: number): Support | null {
  if (shared < WORTH_ASKING || inner.reading.isDependent || isAnswerInPart(inner)) return null;
  const { similarity, places, question } = comparison;
  const place = places.get(inner) ?? -1;
  const clause = comparison.statements[outer];
  const sentence = comparison.joined[outer];
  if (!clause || !sentence || similarity.contentTermCount(place) < MIN_TERMS) return null;
  if (similarity.contentTermCount(place) === MIN_TERMS && saysOnlyThatItHas(inner)) return null;
  // Asked first: it is cheap, and most statements of one thing differ in a number.
  if (!hasNumbersOf(inner, clause) && (clause === sentence || !hasNumbersOf(inner, sentence))) return null;
  if (followOthers(inner, sentence) || tellsOfNewOne(inner, sentence)) return null;
  const isNamedAlike = !isWithin(inner.head, sentence.stems) && (nameTheSame(inner, sentence, question) || callByHeading(inner, sentence));
  const above = saidAbove(inner, sentence);
  if (!isNamedAlike && !haveCommon(inner.head, above) && !isAboutSame(comparison, inner, sentence)) return null;
  const exempt = !isNamedAlike ? above : above.size === 0 ? inner.head : inner.head.union(above);
  const named =
    (exempt.size > 0 ? similarity.shareOf(place, exempt, places.get(sentence) ?? outer) : 0) +
    similarity.shareOf(place, saidInOtherWords(inner, sentence), places.get(sentence) ?? outer);
  if (shared + named < SAID_BY_CLAUSE && clause === sentence) return null;
  // A cell of a table has nothing but its head to tell of what it speaks.
  const known = inner.isOfTable ? NONE : question;
  if (shared + named >= SAID_BY_CLAUSE && isSaidIn(inner, clause, exempt) && isSaidOfOne(inner, sentence, known, exempt))
    return { statement: clause, degree: inner.wording === clause.wording ? COPIED : shared };
  if (clause === sentence || speaksOfAnother(inner, sentence)) return null;
  const inSentence = similarity.containment(place, places.get(sentence) ?? outer) + named;
  if (inSentence < SAID_BY_SENTENCE || !isSaidIn(inner, sentence, exempt)) return null;
  return isSaidOfOne(inner, sentence, known, exempt) ? { statement: sentence, degree: inSentence } : null;
}

/** "The trial was small" speaks of a trial that was told of before; "in a small trial of patients" tells of another. */
const tellsOfNewOne = ({ namesNothing, head }: Statement, { reading: { tokens } }: Statement): boolean =>
  namesNothing &&
  tokens.some(
    ({ word }, at) =>
      head.has(word.stem) && tokens.slice(Math.max(0, at - NEAR), at).some((before) => INDEFINITE_ARTICLES.has(before.word.text)),
  );
/** "A small trial": words from the article to what it introduces. */
const NEAR = 2;

/** "Wind has troubles of its own" says nothing that another could say, unless with a figure or a name. */
const saysOnlyThatItHas = ({ reading: { tokens, numbers, names } }: Statement): boolean =>
  numbers.size === 0 &&
  names.length <= 1 &&
  tokens.some(({ word }) => FORMS_OF_HAVE.has(word.text)) &&
  !tokens.some((token) => isFiniteOrPast(token) && !FORMS_OF_HAVE.has(token.word.text));

/** "In vessels for offshore wind", below a question: without that it says nothing that another could say. */
const isAnswerInPart = ({ isOfTable, reading: { tokens } }: Statement): boolean =>
  !isOfTable && PREPOSITIONS.has(tokens[0]?.word.text ?? '') && !tokens.some(isFiniteOrPast);

const isSaidOfOne = (inner: Statement, sentence: Statement, known: Terms, exempt: Terms): boolean =>
  isSaidWholly(inner, sentence, known, exempt) && maySpeakOfOne(inner, sentence);

/** All clauses of a sentence say something of its subject: "Trained in Bern, Ivo joined Ada" does not say that Ada was trained. */
const speaksOfAnother = (inner: Statement, sentence: Statement): boolean =>
  inner.head.size > 0 && sentence.head.size > 0 && !haveCommon(inner.head, sentence.head) && isAboutName(inner) && isAboutName(sentence);

/** "The bank was fined" behind a sentence of Kelm and behind one of Ulm: what stands before the two tells that they speak of different banks. */
function followOthers(inner: Statement, sentence: Statement): boolean {
  if (inner.before === null || sentence.before === null || inner.before === sentence.before) return false;
  const named = namedBefore(inner, inner);
  const others = namedBefore(sentence, inner);
  return named.size > 0 && others.size > 0 && !haveCommon(named, others);
}

/** What stands before a statement names, and the statement does not. */
function namedBefore(statement: Statement, { stems }: Statement): Terms {
  let names = known.get(statement);
  if (!names) {
    names = stemsOfNames(readingOf(statement.before ?? '').names);
    known.set(statement, names);
  }
  return new Set(names.filter((stem) => !stems.has(stem)));
}

/** Stems of the names before a statement, which is held against many others. */
const known = new WeakMap<Statement, readonly string[]>();

/** "Boseman" and "Chadwick Aaron Boseman": the one name has all words of the other, and of the question's no fewer than another of that name would. */
export function nameTheSame(one: Statement, other: Statement, question: Terms): boolean {
  const [shorter, longer] = one.head.size <= other.head.size ? [one, other] : [other, one];
  if (shorter.head.size === 0 || !isWithin(shorter.head, longer.head) || !isAboutName(one) || !isAboutName(other)) return false;
  if (shorter.head.size > 1 || longer.head.size === 1) return true;
  return haveCommon(shorter.head, question) && longer.head.intersection(question).size > 1;
}

/** All words of its subject have capitals. */
function isAboutName({ head, reading }: Statement): boolean {
  return reading.tokens.every(({ word, isCapitalised }) => isCapitalised || !head.has(word.stem));
}

/** A sentence that lacks the subject of another speaks of it only if both name what the question is about. */
function isAboutSame({ question }: Comparison, inner: Statement, sentence: Statement): boolean {
  if (inner.head.size === 0 || haveCommon(inner.head, sentence.stems)) return true;
  return haveCommon(inner.head, question) && haveCommon(sentence.head, question);
}

/** True if `inner` adds nothing to `outer` that is worth a claim of its own. */
export function isRepeatedBy({ similarity, places }: Comparison, inner: Statement, outer: Statement): boolean {
  if (!oneHoldsTheOther(inner.reading.numbers, outer.reading.numbers) || !isSaidIn(inner, outer)) return false;
  return similarity.containment(places.get(inner) ?? -1, places.get(outer) ?? -1) >= REPEATED;
}

/** True if `outer` has every number and name of `inner` and says nothing to the contrary. */
function isSaidIn(said: Statement, by: Statement, named: Terms = NONE): boolean {
  const [inner, outer] = [said.reading, by.reading];
  if (!hasNumbersOf(said, by) || !areNegatedAlikeInAll(inner, outer)) return false;
  for (const word of inner.properWords) {
    if (outer.properWords.has(word)) continue;
    const { stem } = lookUp(word);
    if (!outer.stems.has(stem) && !named.has(stem)) return false;
  }
  if (haveOpposites(inner, outer)) return false;
  if (inner.wording === outer.wording) return !isSaidOtherwise(inner, outer);
  return (
    namesItemsOf(inner, outer) &&
    saysNothingElse(inner, outer, named) &&
    !isSaidOtherwise(inner, outer) &&
    !isSaidWithReservation(inner, outer) &&
    !isSaidOfAnother(inner, outer)
  );
}

const hasNumbersOf = ({ reading: inner }: Statement, { reading: outer }: Statement): boolean => isWithin(inner.numbers, outer.numbers);

/** So many things that both list by name tell that they speak of one list. */
const MIN_LISTED = 2;

/** Stems that the other one says with a synonym, where both list the same things: "appeared in A and B", "starred in A, B and C". */
export function saidInOtherWords(
  { reading: { tokens, enumerations }, stems }: Statement,
  { stems: theirs }: Statement,
): ReadonlySet<string> {
  if (enumerations.length === 0) return NONE;
  const isListed = ({ from, to }: ListItem): boolean =>
    tokens[from]?.isCapitalised === true && tokens.slice(from, to).every(({ word }) => word.isStopWord || theirs.has(word.stem));
  if (!enumerations.some(({ items }) => items.filter(isListed).length >= MIN_LISTED)) return NONE;
  const found = new Set<string>();
  for (const { word } of tokens)
    if (word.synonyms !== null && stems.has(word.stem) && !theirs.has(word.stem) && haveCommon(word.synonyms, theirs)) found.add(word.stem);
  return found;
}
