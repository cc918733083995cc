import type { Claim } from '../claims/claim-table';
import type { Remarks } from '../same-point/remarks';
import { fieldsToldIn } from '../same-point/told-in-record';
import { BETWEEN_CELLS } from '../sentences/quotes';

/** A row with only those of its cells that claims above it tell too; whole if they tell none. */
export function rowBeside(row: Claim, above: readonly Claim[], remarks: Remarks): Claim {
  const told = above.flatMap((claim) => fieldsToldIn(remarks.featuresOf(claim), remarks.featuresOf(row)).map(({ cell }) => cell));
  if (told.length === 0 || !row.text.includes(BETWEEN_CELLS)) return row;
  const shortened = (text: string): string => {
    const [first = '', ...cells] = text.split(BETWEEN_CELLS);
    return [first, ...cells.filter((_, cell) => told.includes(cell))].join(BETWEEN_CELLS);
  };
  const supporting = row.supporting.map((statement) =>
    row.text.endsWith(statement.text) ? { ...statement, text: shortened(statement.text) } : statement,
  );
  return { ...row, text: shortened(row.text), supporting };
}
