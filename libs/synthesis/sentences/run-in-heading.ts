import { FOREIGN_MARK } from '@lib/language/foreign-marks';
import { readingOf } from '@lib/language/reading/read-text';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { splitSentences, type Sentence } from '@lib/language/sentences';
import { isImperative } from './verb-without-ending';

/** A bold beginning as a heading, with its separator: "**Costs.** The bridge …", "**Costs**: The bridge …", "**Costs** – The bridge …". */
const BOLD_START = /^(\*\*?|__?)([^*_\n]{1,60})\1(:|\s+[–—-])?\s+(?=["“'(]?[\p{Lu}\p{N}`[])/u;
/**
 * A beginning that is part of its own sentence but also applies to the later ones: "**Tesla** – shares …", "**Tesla**: shares …", "Tesla: shares …",
 * "Tesla – shares …".
 */
const BEGINS_BOLD = /^(\*\*?|__?)([^*_\n]{1,60})\1(?=:|\s+[–—-]\s)/u;
const BEGINS_PLAIN = /^()([^*_:.!?\n]{1,40}?)(?::| [–—-])\s/u;
const MAX_HEADING_WORDS = 5;
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
  if (apart && behind && readsAsSentence(behind[0]))
    return { length: apart[0].length, label: labelText(apart[2] ?? ''), sentences: behind };
  const sentences = splitSentences(block);
  const [, , label] = (isBold ? BEGINS_BOLD.exec(block) : null) ?? (isItem ? BEGINS_PLAIN.exec(block) : null) ?? [];
  const isLabel = label !== undefined && mayStandAbove(label) && isShortWithoutVerb(label);
  return { length: 0, label: isLabel ? labelText(label) : '', sentences };
}

/** Whether bold words before a sentence are a heading. */
function mayStandApart([heading, , label = '', colon = '']: RegExpExecArray): boolean {
  const isColon = colon !== '' || label.endsWith(':');
  const isLine = heading.includes('\n');
  if (!(isColon || isLine || /[.?!]$/.test(label)) || ABBREVIATED.test(label)) return false;
  const mayHaveVerb = !(label.endsWith('.') || isLine) || ASKING.test(label);
  return mayHaveVerb ? readingOf(label).tokens.length <= MAX_HEADING_WORDS : isShortWithoutVerb(label);
}

function readsAsSentence(following: Sentence | undefined): boolean {
  const words = readingOf(following?.text ?? '').tokens;
  const mayBeVerb = ({ word, isCapitalised }: Token, at: number): boolean => {
    const before = words[at - 1]?.word;
    // A verb such as in "The R8 sells for about €549", but not a noun as in "30 million crowns".
    return !isCapitalised && word.verb.endsInS && before !== undefined && (!before.isAmount || before.isIdentifier);
  };
  return isImperative(words) || words.some((token, at) => isFiniteVerbAt(words, at) || mayBeVerb(token, at));
}

/** Whether words can be a heading for other text; not those that introduce a source or an example. */
export const mayStandAbove = (label: string): boolean =>
  !/^(?:according|sources?|notes?|for example|e\.g\.|including|such as)\b/i.test(label);

function isShortWithoutVerb(label: string): boolean {
  const { tokens } = readingOf(label);
  return tokens.length <= MAX_HEADING_WORDS && !tokens.some((_, at) => isFiniteVerbAt(tokens, at));
}
