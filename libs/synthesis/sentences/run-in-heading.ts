import { FOREIGN_MARK } from '@lib/language/foreign-marks';
import { COMMA } from '@lib/language/reading/characters';
import { readingOf } from '@lib/language/reading/read-text';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { splitSentences, type Sentence } from '@lib/language/sentences';
import { ANSWERING } from './answering';
import { hasPlainVerb, hasVerbInS, isImperative } from './verb-without-ending';

/**
 * A bold beginning as a heading, with its separator: "**Costs.** The bridge …", "**Costs**: The bridge …", "**Costs** – The bridge …", "**In short:**
 * the bridge …".
 */
const BOLD_START = /^(\*\*?|__?)([^*_\n]{1,60})\1(:|\s+[–—-])?\s+(?=["“'(]?(?:[\p{Lu}\p{N}`[]|(?<=[.:]\1\s+)\p{Ll}))/u;
/**
 * A beginning that is part of its own sentence but also applies to the later ones: "**Tesla** – shares …", "**Tesla**: shares …", "Tesla: shares …",
 * "Tesla – shares …".
 */
const BEGINS_BOLD = /^(\*\*?|__?)([^*_\n]{1,60})\1(?=:|\s+[–—-]\s)/u;
const BEGINS_PLAIN = /^()([^*_:.!?\n]{1,40}?)(?::| [–—-])\s/u;
const MAX_HEADING_WORDS = 5;
/** A question needs more words than a noun. */
const MAX_ASKING_WORDS = 8;
/** A question as a heading: "**What it is.** Norvexa blocks …" */
const ASKING = /^(?:what|who|whom|how|why|when|where|which)\b/i;
/** The full stop belongs to an abbreviation, so this is not a heading: "**Acme Inc.** The company". */
const ABBREVIATED = /(?:^|\s)(?:\p{L}|inc|corp|co|ltd|llc|plc|dr|mr|mrs|ms|prof|st|jr|sr|no|vs)\.$/iu;

export interface RunInHeading {
  /** Its length with the separator; 0 if it is also part of the first sentence. */
  length: number;
  /** Empty if there is no heading. */
  label: string;
  /** The sentences after that length. */
  sentences: readonly Sentence[];
}

const FOREIGN_MARKS = new RegExp(FOREIGN_MARK, 'gu');

/** A label without markup and citation marks. */
export const labelText = (label: string): string =>
  label
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[\^?\d{1,5}\]/g, '')
    .replace(FOREIGN_MARKS, '')
    .replace(/[*_`\\]/g, '')
    .trim();

/** The heading that a paragraph or list item begins with, for the rest of it. @param isItem of a list */
export function runInHeading(block: string, isItem: boolean): RunInHeading {
  const isBold = block.startsWith('*') || block.startsWith('_');
  const apart = isBold ? BOLD_START.exec(block) : null;
  const behind = apart && mayStandApart(apart) ? splitSentences(block.slice(apart[0].length)) : null;
  if (apart && behind && readsAsSentence(behind[0], apart[2] ?? ''))
    return { length: apart[0].length, label: labelText(apart[2] ?? ''), sentences: behind };
  const sentences = (isBold && behindBoldSentence(block)) || splitSentences(block);
  const [, , label] = (isBold ? BEGINS_BOLD.exec(block) : null) ?? (isItem ? BEGINS_PLAIN.exec(block) : null) ?? [];
  const isLabel = label !== undefined && mayStandAbove(label) && isShortWithoutVerb(label);
  return { length: 0, label: isLabel ? labelText(label) : '', sentences };
}

/** A bold beginning that is a sentence of its own, and no heading: "**Check the wiring.** Old cables …". In UTF-16 units at most. */
const BOLD_SENTENCE = /^(\*\*?|__?)([^*_\n]{1,300}[.!]["”’)]?)\1\s+(?=["“'(*_]{0,3}[\p{Lu}\p{N}`[])/u;

/** The sentences of a block whose bold beginning is one; null if it is none. */
function behindBoldSentence(block: string): readonly Sentence[] | null {
  const [begin = '', , said = ''] = BOLD_SENTENCE.exec(block) ?? [];
  if (begin === '' || ABBREVIATED.test(said)) return null;
  const { tokens } = readingOf(said);
  // Not "Simple reads and writes."
  const mayBeNouns = tokens.length <= MAX_HEADING_WORDS && tokens.some(({ word }) => word.text === 'and');
  const hasVerb = tokens.some(({ word }, at) => isFiniteVerbAt(tokens, at) && !(mayBeNouns && word.verb.endsInS));
  if (!(isImperative(tokens) || hasPlainVerb(tokens) || hasVerb)) return null;
  const { length } = begin.trimEnd();
  const others = splitSentences(block.slice(begin.length));
  return [
    { text: block.slice(0, length), start: 0, end: length },
    ...others.map(({ text, start, end }) => ({ text, start: start + begin.length, end: end + begin.length })),
  ];
}

/** Whether the text at a place of a report is behind a bold label that is not a part of it: "**In short:** the bridge …". */
export const isBehindLabel = (report: string, start: number): boolean =>
  LABEL_BEFORE.test(report.slice(Math.max(0, start - MAX_MARK_LENGTH), start));
const LABEL_BEFORE = /[.:](?:\*\*?|__?)\s+$/;
/** In UTF-16 units. */
const MAX_MARK_LENGTH = 5;

/** Whether bold words before a sentence are a heading. */
function mayStandApart([heading, , label = '', colon = '']: RegExpExecArray): boolean {
  const isColon = colon !== '' || label.endsWith(':');
  const isLine = heading.includes('\n');
  if (!(isColon || isLine || /[.?!]$/.test(label)) || ABBREVIATED.test(label)) return false;
  const mayHaveVerb = !(label.endsWith('.') || isLine) || ASKING.test(label);
  const most = ASKING.test(label) ? MAX_ASKING_WORDS : MAX_HEADING_WORDS;
  return mayHaveVerb ? readingOf(label).tokens.length <= most : isShortWithoutVerb(label);
}

function readsAsSentence(following: Sentence | undefined, label: string): boolean {
  if (CAUTIONING.test(label)) return true;
  // As in "**Maximum stay:** 90 days; it cannot be extended".
  const words = readingOf(following?.text.split(';', 1)[0] ?? '').tokens;
  const mayBeVerb = ({ word, isCapitalised }: Token, at: number): boolean => {
    const before = words[at - 1]?.word;
    // A verb such as in "The R8 sells for about €549", but not a noun as in "30 million crowns".
    return (
      !isCapitalised &&
      word.verb.endsInS &&
      before !== undefined &&
      (!(before.isAmount || before.hasDigit) || (before.isIdentifier && /\p{L}/u.test(before.text)))
    );
  };
  // Not as in "the guild of Ulm, based in Kelm".
  const isVerb = ({ word, before }: Token, at: number): boolean =>
    isFiniteVerbAt(words, at) && !(word.verb.endsInEd && (before & COMMA) !== 0);
  const isSaid = isImperative(words) || hasPlainVerb(words) || words.some(isVerb);
  if (LOWER_CASE.test(following?.text ?? ''))
    return (label.endsWith('.') || ANSWERING.test(label)) && (isSaid || hasVerbInS(words)) && !continuesLabel(words);
  return isSaid || words.some(mayBeVerb);
}

/** Labels that what follows does not need: "**Caveat:** adapters depend on the wiring". */
const CAUTIONING = /^(?:(?:one|an?|the (?:main|big|only)) )?(?:caveat|warning|caution|good to know|keep in mind)\b/i;

/** Behind a colon this may need its label: "**13 km:** length of the dam", but "**In short:** the dam is 13 km long". */
const LOWER_CASE = /^["“'(]?\p{Ll}/u;

/** Whether a label is the subject of what follows in lower case: "**Ford:** sold 2 million cars". */
const continuesLabel = (words: readonly Token[]): boolean =>
  words[0]?.word.verb.isPastForm === true || words[0]?.word.verb.endsInS === true || isFiniteVerbAt(words, 0);

/** Whether words can be a heading for other text; not those that introduce a source or an example. */
export const mayStandAbove = (label: string): boolean =>
  !/^(?:according|sources?|notes?|for example|e\.g\.|including|such as)\b/i.test(label);

/** No participle, although it ends in "ed": "Charging speed.", "Daily need." */
const NOUN_IN_EED = /^[^aeiou]+eed$/;

function isShortWithoutVerb(label: string): boolean {
  const { tokens } = readingOf(label);
  return tokens.length <= MAX_HEADING_WORDS && !tokens.some(({ word }, at) => isFiniteVerbAt(tokens, at) && !NOUN_IN_EED.test(word.text));
}
