import type { Group } from '../agreement/agreement';
import { shownAbove } from '../statement/above';
import type { Statement } from '../statement/statement';

/**
 * Sentences that cannot be understood without the sentence before them and that nobody contradicts. They are shown after that sentence, so that they
 * are not lost.
 */
export function leaningAlone(sentences: readonly Statement[], groups: readonly Group[]): Group[] {
  if (sentences.every(({ leansOn }) => leansOn === null)) return [];
  const told = new Set(groups.flat());
  const leaning = sentences.filter(
    (sentence) => sentence.leansOn !== null && (sentence.before !== null || shownAbove(sentence) !== '') && !told.has(sentence),
  );
  const alike = Map.groupBy(leaning, (sentence) => [shownAbove(sentence), sentence.leansOn, sentence.before, sentence.wording].join('\n'));
  return [...alike.values()].flatMap(([first, ...others]): Group[] => (first ? [[first, ...others]] : []));
}

/**
 * Leaves out sentences that cannot be understood alone and have no counterpart at the same place of another report: nothing can support or contradict
 * them.
 */
export function withoutLonely(statements: readonly Statement[]): readonly Statement[] {
  if (statements.every(({ leansOn }) => leansOn === null)) return statements;
  const steps = Map.groupBy(statements, ({ leansOn }) => leansOn);
  return statements.filter(({ leansOn, stepId }) => leansOn === null || steps.get(leansOn)?.some((other) => other.stepId !== stepId));
}
