import { verbCertaintyInIng } from '@lib/language/known-words';
import { PRONOUNS_OF_PERSONS, SUBJECT_PRONOUNS } from '@lib/language/reading/function-words';
import { isMonth } from '@lib/language/reading/dates';
import { COLON, COMMA, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { hasCommaBefore, isFiniteOrPast, textAt, type Token } from '@lib/language/reading/token';
import { isParticipleLead } from '@lib/language/reading/verb-forms';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

const ADVERBS = new Set(
  'however additionally moreover furthermore also later today eventually subsequently originally overall meanwhile afterward afterwards then'.split(
    ' ',
  ),
);
/** Without a comma, the end of a phrase after these is uncertain: "After the collapse the glacier sped up". */
export const INTRODUCING: ReadonlySet<string> = new Set(
  `in on at after before since from by throughout as during despite with for along besides among when while although though because if once
until`.split(/\s+/),
);
/** Words that, like a participle, begin an introduction up to the next comma. */
const INTRODUCTIONS = INTRODUCING.union(
  new Set(
    'following prior apart aside outside born known raised based founded established opened closed considered unless whereas unlike'.split(
      ' ',
    ),
  ),
);
/** Most words of a label: "Background: in 2012 …" */
const MAX_LABEL_WORDS = 3;
const MAX_INTRODUCTION_LENGTH = 100;

/** Index of the first word after the introductions of a sentence: "In 1852, ", "However, ". */
export function introductionOf(tokens: readonly Token[]): number {
  let from = labelEnd(tokens);
  for (;;) {
    const next = introductionFrom(tokens, from);
    if (next === from) return from;
    from = next;
  }
}

/** Index of the first word after a label: "Impact: ". */
function labelEnd(tokens: readonly Token[]): number {
  for (let at = 1; at <= MAX_LABEL_WORDS; at += 1) {
    const token = tokens[at];
    if (!token || hasCommaBefore(token)) return 0;
    if (token.before & COLON) return token.before & SPACE ? at : 0;
  }
  return 0;
}

function introductionFrom(tokens: readonly Token[], from: number): number {
  const first = tokens[from];
  if (!first) return from;
  const { text, verb } = first.word;
  if (ADVERBS.has(text)) return first.after === (COMMA | SPACE) ? from + 1 : from;
  const isLead = isParticipleLead(text, textAt(tokens, from + 1));
  const isParticiple = verb.endsInIng && !isNameInIng(tokens, from);
  if (!(INTRODUCTIONS.has(text) || isParticiple || isLead) || first.after !== SPACE) return personAfter(tokens, from);
  const date = dateEnd(tokens, from);
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.start - first.end > MAX_INTRODUCTION_LENGTH || token.before & (SEMICOLON | COLON)) return from;
    // What follows is said by the subject: "In March Redis announced that, from version 7.4, it …".
    if (token.word.text === 'that' && (token.after & COMMA) !== 0) return date;
    // As in "In 2003 she was elected to the board, on which …"
    if (at === date && date > from && PRONOUNS_OF_PERSONS.has(token.word.text)) return at;
    if (hasCommaBefore(token) && at > from + 1 && !isPlaceInList(tokens, at)) {
      const isNamed = token.isCapitalised || PRONOUNS_OF_PERSONS.has(token.word.text) || token.word.text === 'the';
      return token.before & SPACE && (isNamed || !isLead) ? at : from;
    }
  }
  return date;
}

/** Whether a name only looks like a participle: "Turing reported to Bletchley Park", "Boeing lost". */
const isNameInIng = (tokens: readonly Token[], at: number): boolean =>
  isFiniteOrPast(tokens[at + 1]) && verbCertaintyInIng(textAt(tokens, at)) === undefined;

/** Index of a pronoun after an introduction without a verb: "Seriously ill, he sailed home", "Back in Nairobi, she earned". */
function personAfter(tokens: readonly Token[], from: number): number {
  for (let at = from + 1; at <= from + MAX_VERBLESS_WORDS; at += 1) {
    const [token, next] = [tokens[at], tokens[at + 1]];
    if (!token || !next || isFiniteVerbAt(tokens, at - 1)) return from;
    if (token.before === SPACE) continue;
    const isSubject = token.before === (COMMA | SPACE) && (token.word.text === 'he' || token.word.text === 'she');
    // Not in an inserted remark: "Ada Lovelace, he said, wrote it".
    return isSubject && isFiniteVerbAt(tokens, at + 1) && (next.after & COMMA) === 0 ? at : from;
  }
  return from;
}

const MAX_VERBLESS_WORDS = 6;

/** Index of the word after an initial date: "In 2010 Ada", "On May 3, 2010 the bank". */
function dateEnd(tokens: readonly Token[], from: number): number {
  let at = from + 1;
  while (tokens[at]?.word.hasDigit === true || isMonth(textAt(tokens, at))) at += 1;
  const next = tokens[at];
  const isDate = at > from + 1 && tokens[at - 1]?.word.hasDigit === true;
  return isDate && next?.before === SPACE && (next.isCapitalised || SUBJECT_PRONOUNS.has(next.word.text) || next.word.text === 'the')
    ? at
    : from;
}

/** Whether a word is the second part of a place: "California" in "in Los Angeles, California, she". */
function isPlaceInList(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!before?.isCapitalised || !token?.isCapitalised || !next) return false;
  return hasCommaBefore(next) || (!next.isCapitalised && PREPOSITIONS_AFTER_PLACE.has(next.word.text));
}

const PREPOSITIONS_AFTER_PLACE = new Set('to in on into by as and'.split(' '));
