import { INDEFINITE_ARTICLES } from '@lib/language/reading/articles';
import { FORMS_OF_HAVE, PREPOSITIONS } from '@lib/language/reading/function-words';
import { haveCommon, isWithin, oneHoldsTheOther } from '@lib/language/sets';
import { stemsOfNames } from '@lib/language/reading/names';
import { areWordedAlike } from '@lib/language/reading/plain-wording';
import { readingOf } from '@lib/language/reading/read-text';
import { isFiniteOrPast, textAt, type Token } from '@lib/language/reading/token';
import { lookUp } from '@lib/language/reading/word';
import type { Comparison } from '../comparison/comparison';
import { callByHeading, maySpeakOfOne, saidAbove } from '../comparison/headings';
import type { Terms } from '../comparison/numbered-terms';
import { isSaidInCondition } from './said-in-condition';
import { namesItemsOf, saidInOtherWords } from './listed-names';
import { isSaidWithReservation } from './reservations';
import { isOfItsHead } from './head-of-subject';
import { turnsOnSmallWord } from './small-words';
import { isSaidOfAnother } from './said-of-another';
import { isSaidOtherwise } from './said-otherwise';
import { isSurelyOfOne } from './surely-of-one';
import { isSaidWholly, tellsSomething } from './said-wholly';
import { NONE, type Statement } from '../statement/statement';
import { saysNothingElse } from '../difference/leftover';
import { haveOpposites } from './compatibility';
import { areNegatedAlikeInAll } from '../difference/same-terms';

/**
 * Share of a statement's weight that a clause must have to say as much, and the larger share for a whole sentence, in which words of several clauses
 * may match by chance. Chosen on one half of the data of `make bench-claims`; from 0.8 to 0.9 the figures hardly move.
 */
const SAID_BY_CLAUSE = 0.85;
const SAID_BY_SENTENCE = 0.95;
/** Below this share in the clause, the whole sentence is not examined. */
const WORTH_ASKING = 0.5;
/** A statement with fewer terms, apart from the question's, says too little to be recognised. */
const MIN_TERMS = 1;
/** With as few terms, a number alone shows nothing: "Your rate is below 4%" and "Four banks offer a fixed rate". */
const FEW_TERMS = 3;
/** Higher than any share, so that of several supporting sentences of a report the verbatim copy is kept, which `withoutCopies` must see. */
const COPIED = 2;
/** Share of a statement's weight that another must have to make it redundant. */
const REPEATED = 0.6;

/** A clause or sentence that says the same as another statement, and how completely. */
export interface Support {
  statement: Statement;
  degree: number;
}

/**
 * The support that the statement at `outer`, or its sentence, gives to `inner`; null if none. `shared` is the share of the weight of `inner` that
 * `outer` has.
 */
export function supportFor(comparison: Comparison, inner: Statement, outer: number, shared: number): Support | null {
  if (shared < WORTH_ASKING || inner.reading.isDependent || isAnswerInPart(inner)) return null;
  const { similarity, places, question } = comparison;
  const place = places.get(inner) ?? -1;
  const clause = comparison.statements[outer];
  const sentence = comparison.joined[outer];
  if (!clause || !sentence || similarity.contentTermCount(place) < MIN_TERMS) return null;
  if (similarity.contentTermCount(place) === MIN_TERMS && saysOnlyThatItHas(inner)) return null;
  // Checked first: it is cheap, and most statements about the same thing differ in a number.
  if (!hasNumbersOf(inner, clause) && (clause === sentence || !hasNumbersOf(inner, sentence))) return null;
  if (similarity.contentTermCount(place) <= FEW_TERMS && !hasUnitsOf(inner, sentence)) return null;
  if (inner.wording !== clause.wording && isSaidInCondition(inner.reading.tokens)) return null;
  if (followOthers(inner, sentence) || tellsOfNewOne(inner, sentence)) return null;
  const isNamedAlike = !isWithin(inner.head, sentence.stems) && (nameTheSame(inner, sentence, question) || callByHeading(inner, sentence));
  const above = saidAbove(inner, sentence);
  if (!isNamedAlike && !haveCommon(inner.head, above) && !isAboutSame(comparison, inner, sentence)) return null;
  const exempt = !isNamedAlike ? above : above.size === 0 ? inner.head : inner.head.union(above);
  const named =
    (exempt.size > 0 ? similarity.shareOf(place, exempt, places.get(sentence) ?? outer) : 0) +
    similarity.shareOf(place, saidInOtherWords(inner, sentence), places.get(sentence) ?? outer);
  if (inner.wording !== clause.wording && areWordedAlike(inner.reading, clause.reading) && maySpeakOfOne(inner, sentence))
    return { statement: clause, degree: 1 };
  if (shared + named < SAID_BY_CLAUSE && clause === sentence) return null;
  // A table cell names its subject only by its head, so words of the question must be repeated too.
  const known = inner.isOfTable ? NONE : question;
  if (shared + named >= SAID_BY_CLAUSE && isSaidIn(inner, clause, exempt) && isSaidOfOne(inner, sentence, known, exempt))
    return { statement: clause, degree: inner.wording === clause.wording ? COPIED : shared };
  if (clause === sentence || speaksOfAnother(inner, sentence)) return null;
  const inSentence = similarity.containment(place, places.get(sentence) ?? outer) + named;
  if (inSentence < SAID_BY_SENTENCE || !isSaidIn(inner, sentence, exempt)) return null;
  return isSaidOfOne(inner, sentence, known, exempt) ? { statement: sentence, degree: inSentence } : null;
}

/** Whether both are equally worded, in so many words that both introduce the same thing: "An inquest was held but no one was punished". */
const areCopies = (inner: Statement, sentence: Statement): boolean =>
  areWordedAlike(inner.reading, sentence.reading) && inner.reading.tokens.filter(tellsSomething).length >= COPIED_WORDS;
const COPIED_WORDS = 3;

/** "The trial was small" refers to a trial mentioned before; "in a small trial of patients" introduces another one. */
const tellsOfNewOne = (inner: Statement, sentence: Statement): boolean =>
  inner.namesNothing && !areCopies(inner, sentence) && isNewIn(sentence.reading.tokens, inner.head);

const isNewIn = (tokens: readonly Token[], head: Terms): boolean =>
  tokens.some(
    ({ word }, at) =>
      head.has(word.stem) &&
      tokens.slice(Math.max(0, at - MAX_WORDS_TO_NOUN), at).some((before) => INDEFINITE_ARTICLES.has(before.word.text)),
  );
/** Most words from the article to the noun it introduces: "a small trial". */
const MAX_WORDS_TO_NOUN = 2;

/** "Wind has troubles of its own" is too vague to be supported, unless it contains a figure or several names. */
const saysOnlyThatItHas = ({ reading: { tokens, numbers, names } }: Statement): boolean =>
  numbers.size === 0 &&
  names.length <= 1 &&
  tokens.some(({ word }) => FORMS_OF_HAVE.has(word.text)) &&
  !tokens.some((token) => isFiniteOrPast(token) && !FORMS_OF_HAVE.has(token.word.text));

/** A fragment that answers a question above it, such as "In vessels for offshore wind"; without the question it cannot be supported. */
const isAnswerInPart = ({ isOfTable, reading: { tokens } }: Statement): boolean =>
  !isOfTable && PREPOSITIONS.has(textAt(tokens, 0)) && !tokens.some(isFiniteOrPast);

const isSaidOfOne = (inner: Statement, sentence: Statement, known: Terms, exempt: Terms): boolean =>
  isSaidWholly(inner, sentence, known, exempt) && (maySpeakOfOne(inner, sentence) || isSurelyOfOne(inner, sentence));

/**
 * Whether the sentence has a different subject. Its clauses belong to its own subject: "Trained in Bern, Ivo joined Ada" does not say that Ada was
 * trained.
 */
const speaksOfAnother = (inner: Statement, sentence: Statement): boolean =>
  inner.head.size > 0 && sentence.head.size > 0 && !haveCommon(inner.head, sentence.head) && isAboutName(inner) && isAboutName(sentence);

/**
 * Whether preceding sentences with different names show that the subjects differ: "The bank was fined" after a sentence about Kelm and after one
 * about Ulm.
 */
function followOthers(inner: Statement, sentence: Statement): boolean {
  if (inner.before === null || sentence.before === null || inner.before === sentence.before) return false;
  const named = namedBefore(inner, inner);
  const others = namedBefore(sentence, inner);
  return named.size > 0 && others.size > 0 && !haveCommon(named, others);
}

/** Names from the sentence before a statement, without those in the other statement. */
function namedBefore(statement: Statement, { stems }: Statement): Terms {
  let names = known.get(statement);
  if (!names) {
    names = stemsOfNames(readingOf(statement.before ?? '').names);
    known.set(statement, names);
  }
  return new Set(names.filter((stem) => !stems.has(stem)));
}

/** Stems of the names before each statement, cached because a statement is compared with many others. */
const known = new WeakMap<Statement, readonly string[]>();

/**
 * Whether two subjects name the same, such as "Boseman" and "Chadwick Aaron Boseman": one has all words of the other. A single word only counts if it
 * is in the question and the longer name shares more with the question.
 */
export function nameTheSame(one: Statement, other: Statement, question: Terms): boolean {
  const [shorter, longer] = one.head.size <= other.head.size ? [one, other] : [other, one];
  if (shorter.head.size === 0 || !isWithin(shorter.head, longer.head) || !isAboutName(one) || !isAboutName(other)) return false;
  if (shorter.head.size > 1 || longer.head.size === 1) return true;
  return haveCommon(shorter.head, question) && longer.head.intersection(question).size > 1;
}

/** Whether all words of the subject are capitalised. */
function isAboutName({ head, reading }: Statement): boolean {
  return reading.tokens.every(({ word, isCapitalised }) => isCapitalised || !head.has(word.stem));
}

/** A sentence without the subject of `inner` is about the same only if both subjects name what the question is about. */
function isAboutSame({ question }: Comparison, inner: Statement, sentence: Statement): boolean {
  if (inner.head.size === 0 || haveCommon(inner.head, sentence.stems)) return true;
  return haveCommon(inner.head, question) && haveCommon(sentence.head, question);
}

/** Whether `inner` adds nothing to `outer` that deserves a claim of its own. */
export function isRepeatedBy({ similarity, places }: Comparison, inner: Statement, outer: Statement): boolean {
  if (inner.wording !== outer.wording && areWordedAlike(inner.reading, outer.reading)) return true;
  if (!oneHoldsTheOther(inner.reading.numbers, outer.reading.numbers) || !isSaidIn(inner, outer)) return false;
  return similarity.containment(places.get(inner) ?? -1, places.get(outer) ?? -1) >= REPEATED;
}

/** Whether `outer` has every number and name of `inner` and does not say the opposite. */
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
    !turnsOnSmallWord(inner, outer) &&
    !isOfItsHead(inner, outer) &&
    !isSaidOfAnother(inner, outer)
  );
}

const hasUnitsOf = ({ reading: { amounts } }: Statement, { reading: { amounts: others } }: Statement): boolean =>
  amounts.every(({ unit }) => !WRITTEN_WITH_IT.has(unit) || others.some((other) => other.unit === unit));
/** Shares and money: who means them writes so, while what is counted may be called otherwise. */
const WRITTEN_WITH_IT = new Set(['share', 'dollars', 'euros', 'pounds', 'yen']);

const hasNumbersOf = ({ reading: inner }: Statement, { reading: outer }: Statement): boolean => isWithin(inner.numbers, outer.numbers);
