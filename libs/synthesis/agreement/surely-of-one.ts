import { surelySpeakOfOthers } from '../comparison/headings';
import type { Statement } from '../statement/statement';

const MIN_FIGURES = 3;

/** Whether a statement has so many figures, with a date or a name, that who says all of them means the same, unless headings surely name others. */
export const isSurelyOfOne = (inner: Statement, sentence: Statement): boolean =>
  !inner.isOfTable && hasFigures(inner) && !surelySpeakOfOthers(inner, sentence);

const hasFigures = ({ reading: { numbers, dates, names } }: Statement): boolean =>
  numbers.size >= MIN_FIGURES && (dates.length > 0 || names.length > 0);
