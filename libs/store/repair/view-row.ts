/**
 * The tables that follow from the histories. `key` and `limits` follow from streams of tenants; of a `thread key` the history says that there is one,
 * and whose; what counts for limits, `limited job` and `limit usage`, follows from the histories of a tenant's jobs. No row holds unsealed content.
 */
export type ViewName = 'thread' | 'thread key' | 'message' | 'job' | 'agenda' | 'key' | 'limits' | CountView;
export type CountView = 'limited job' | 'limit usage';

export interface ViewRow {
  view: ViewName;
  /** Identifies the row. */
  key: string;
  /** The stream that it follows from. */
  streamId: string;
  columns: Readonly<Record<string, unknown>>;
}

/** A row that is missing or superfluous (`column` null), or a value that differs from the history. */
export interface ViewDifference extends Omit<ViewRow, 'columns'> {
  column: string | null;
  /** Undefined if there is no such row. */
  expected: unknown;
  stored: unknown;
}

const nameOf = ({ view, key }: Pick<ViewRow, 'view' | 'key'>): string => `${view} ${key}`;

/** The rows by their names. */
export const byName = (rows: readonly ViewRow[]): Map<string, ViewRow> => new Map(rows.map((row) => [nameOf(row), row]));

export function rowDifferences(expected: ReadonlyMap<string, ViewRow>, stored: ReadonlyMap<string, ViewRow>): ViewDifference[] {
  const wanted = [...expected].flatMap(([name, row]) => differencesOf(row, stored.get(name)));
  const extra = [...stored].filter(([name]) => !expected.has(name)).map(([, row]) => whole(row, undefined, row.columns));
  return [...wanted, ...extra];
}

function differencesOf(row: ViewRow, stored: ViewRow | undefined): ViewDifference[] {
  if (!stored) return [whole(row, row.columns, undefined)];
  return Object.entries(row.columns).flatMap(([column, expected]) => {
    const value = stored.columns[column] ?? null;
    return canonical(value) === canonical(expected ?? null) ? [] : [{ ...whole(row, expected, value), column }];
  });
}

const whole = ({ view, key, streamId }: ViewRow, expected: unknown, stored: unknown): ViewDifference => ({
  ...{ view, key, streamId },
  column: null,
  expected,
  stored,
});

/** As one line: view, key, column, and both values. */
export function differenceText({ view, key, column, expected, stored }: ViewDifference): string {
  const shown = (value: unknown) => (value === undefined ? 'nothing' : canonical(value));
  const place = column === null ? `${view} ${key}` : `${view} ${key} ${column}`;
  return `${place}: the history says ${shown(expected)}, stored is ${shown(stored)}`;
}

/** JSON with sorted keys, so that equal values are equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
