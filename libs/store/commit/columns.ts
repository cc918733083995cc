import { boolArray, byteaArray, int4Array, int8Array, textArray } from '../postgres/array-parameter';

/** A column of the rows that a statement is given. The values of all rows are one array. */
export interface Column<Row> {
  name: string;
  /** The type of the array's elements. */
  type: string;
  encode: (rows: readonly Row[]) => Buffer;
  /** The SQL expression that is stored. */
  value: string;
}

export const text = <Row>(name: string, of: (row: Row) => string | null): Column<Row> => ({
  name,
  type: 'text',
  encode: (rows) => textArray(rows.map(of)),
  value: name,
});
export const bool = <Row>(name: string, of: (row: Row) => boolean): Column<Row> => ({
  name,
  type: 'bool',
  encode: (rows) => boolArray(rows.map(of)),
  value: name,
});
export const int4 = <Row>(name: string, of: (row: Row) => number | null): Column<Row> => ({
  name,
  type: 'int4',
  encode: (rows) => int4Array(rows.map(of)),
  value: name,
});
export const int8 = <Row>(name: string, of: (row: Row) => number): Column<Row> => ({
  name,
  type: 'int8',
  encode: (rows) => int8Array(rows.map(of)),
  value: name,
});
export const bytea = <Row>(name: string, of: (row: Row) => Buffer | null): Column<Row> => ({
  name,
  type: 'bytea',
  encode: (rows) => byteaArray(rows.map(of)),
  value: name,
});
export const json = <Row>(name: string, of: (row: Row) => string): Column<Row> => ({
  ...text(name, of),
  value: `${name}::jsonb`,
});
/** An ISO 8601 time. */
export const time = <Row>(name: string, of: (row: Row) => string | null): Column<Row> => ({
  name,
  type: 'int8',
  encode: (rows) => int8Array(rows.map((row) => millisecondsOf(of(row)))),
  value: `timestamptz 'epoch' + ${name} * interval '1 millisecond'`,
});
/** Milliseconds from the moment of the statement, on the database's clock. */
export const fromNow = <Row>(name: string, of: (row: Row) => number): Column<Row> => ({
  ...int4(name, of),
  value: `clock_timestamp() + ${name} * interval '1 millisecond'`,
});

const millisecondsOf = (at: string | null): number | null => (at === null ? null : Date.parse(at));
