import type { Group } from '../agreement/agreement';
import type { Statement } from '../statement/statement';

/**
 * Separates the quotations that are not compared. Quoted sentences are compared with other reports but not with each other: several engines that
 * quote the same line do not confirm it, and two options with the same name do not contradict each other.
 */
export function byComparison(statements: readonly Statement[]): { compared: readonly Statement[]; listed: readonly Statement[] } {
  if (!statements.some(({ quotation }) => quotation)) return { compared: statements, listed: [] };
  const hasOthers = statements.some(({ quotation }) => !quotation);
  const isListed = ({ quotation }: Statement): boolean => quotation !== null && !(hasOthers && quotation.isSentence);
  return { compared: statements.filter((statement) => !isListed(statement)), listed: statements.filter(isListed) };
}

/** If one quotation of a document contains another, the two are one claim in the longer form; so are equal quotations of several documents. */
export function sameQuotations(statements: readonly Statement[]): Group[] {
  const groups: [Statement, ...Statement[]][] = [];
  for (const statement of statements.toSorted((one, other) => other.wording.length - one.wording.length)) {
    const group = groups.find(([longest]) => holds(longest, statement));
    if (group) group.push(statement);
    else groups.push([statement]);
  }
  return groups;
}

function holds({ wording: longer, quotation: one }: Statement, { wording: shorter, quotation: other }: Statement): boolean {
  if (longer === shorter) return true;
  return one?.path === other?.path && (one?.code === null) === (other?.code === null) && longer.includes(shorter);
}
