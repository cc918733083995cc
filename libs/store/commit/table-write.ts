import type { Column } from './columns';
import type { Writes } from './writes';

/** One table's share of the statement that commits a batch. */
export interface TableWrite<Row> {
  /** In the order in which every process locks. */
  key: (row: Row) => string;
  columns: Column<Row>[];
  /** @param given names the rows to write */
  sql: (given: string) => string;
}

/** The rows of each table write. */
export type Rows = { [Name in keyof Writes]: Writes[Name][number] };

export const insertInto =
  <Row>(table: string, columns: readonly Column<Row>[], returning = ''): TableWrite<Row>['sql'] =>
  (given) =>
    `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
      select ${columns.map(({ value }) => value).join(', ')} from ${given} ${returning}`;
