import type { Client } from 'pg';

interface Column {
  type: string;
  isRequired: boolean;
  hasDefault: boolean;
}
interface Table {
  columns: Map<string, Column>;
  /** PostgreSQL writes all rows anew into another file. */
  file: string | null;
}
/** What a build of before knows of the database, by the names that it uses. */
export interface Schema {
  tables: Map<string, Table>;
  /** By name and parameters: what they return. */
  functions: Map<string, string>;
  indexes: Map<string, { table: string; isUnique: boolean }>;
  /** What rows may not be, by `table.name`: the columns that it is about. */
  constraints: Map<string, string[]>;
}

const COLUMNS = `
  select table_of.relname as "table", pg_relation_filenode(table_of.oid)::text as file, of_table.attname as name,
    format_type(of_table.atttypid, of_table.atttypmod) as type, of_table.attnotnull as "isRequired",
    of_table.atthasdef or of_table.attidentity <> '' as "hasDefault"
  from pg_class as table_of join pg_attribute as of_table on of_table.attrelid = table_of.oid and of_table.attnum > 0 and not of_table.attisdropped
  where table_of.relnamespace = current_schema()::regnamespace and table_of.relkind in ('r', 'p', 'v', 'm')`;
const FUNCTIONS = `
  select oid::regprocedure::text as name, pg_get_function_result(oid) as result
  from pg_proc where pronamespace = current_schema()::regnamespace and prokind in ('f', 'p')`;
const INDEXES = `
  select indexrelid::regclass::text as name, indrelid::regclass::text as "table", indisunique as "isUnique"
  from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = current_schema()::regnamespace`;
const CONSTRAINTS = `
  select conrelid::regclass || '.' || conname as name,
    array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns
  from pg_constraint where connamespace = current_schema()::regnamespace and conrelid <> 0 and contype in ('c', 'u', 'p', 'f', 'x')`;

export async function readSchema(client: Client): Promise<Schema> {
  const tables: Schema['tables'] = new Map();
  const { rows: columns } = await client.query<Column & { table: string; file: string | null; name: string }>(COLUMNS);
  for (const { table, file, name, ...column } of columns) {
    const known = tables.get(table) ?? { columns: new Map<string, Column>(), file };
    known.columns.set(name, column);
    tables.set(table, known);
  }
  const { rows: functions } = await client.query<{ name: string; result: string }>(FUNCTIONS);
  const { rows: indexes } = await client.query<{ name: string; table: string; isUnique: boolean }>(INDEXES);
  const { rows: constraints } = await client.query<{ name: string; columns: string[] }>(CONSTRAINTS);
  return {
    tables,
    functions: new Map(functions.map(({ name, result }) => [name, result])),
    indexes: new Map(indexes.map(({ name, ...index }) => [name, index])),
    constraints: new Map(constraints.map(({ name, columns: about }) => [name, about])),
  };
}

/**
 * What of a migration a build of before cannot live with, while it runs or afterwards: whatever it uses is there no more or is another, what it writes
 * is refused, or it waits for as long as a large table takes.
 */
export function intolerable(before: Schema, after: Schema, statements: readonly string[]): string[] {
  return [
    ...[...before.tables].flatMap(([name, table]) => ofTable(name, table, after.tables.get(name))),
    ...[...before.functions].flatMap(([name, result]) => ofFunction(name, result, after.functions.get(name))),
    ...[...before.indexes.keys()].filter((name) => !after.indexes.has(name)).map((name) => `the index ${name} is gone`),
    ...[...after.indexes].flatMap(([name, { table }]) => ofIndex(name, table, before, statements)),
    ...[...after.constraints].flatMap(([name, columns]) => ofConstraint(name, columns, before)),
    ...statements.flatMap((statement) => ofRows(statement, before)),
  ];
}

function ofTable(name: string, before: Table, after: Table | undefined): string[] {
  if (!after) return [`the table ${name} is gone`];
  const changed = [...before.columns].flatMap(([column, was]) => {
    const is = after.columns.get(column);
    if (!is) return [`the column ${name}.${column} is gone`];
    return [
      ...(is.type === was.type ? [] : [`the column ${name}.${column} is ${is.type} and was ${was.type}`]),
      ...(is.isRequired && !was.isRequired ? [`the column ${name}.${column} must not be null any more`] : []),
      ...(was.hasDefault && !is.hasDefault ? [`the column ${name}.${column} has no default any more`] : []),
    ];
  });
  const required = [...after.columns].filter(([column, is]) => !before.columns.has(column) && is.isRequired && !is.hasDefault);
  return [
    ...changed,
    ...required.map(([column]) => `the new column ${name}.${column} must not be null and has no default`),
    ...(before.file === after.file ? [] : [`every row of ${name} is written anew`]),
  ];
}

function ofFunction(name: string, was: string, is: string | undefined): string[] {
  if (is === undefined) return [`the function ${name} is gone`];
  return is === was ? [] : [`the function ${name} returns ${is} and returned ${was}`];
}

/** While an index is built, nobody writes to its table, unless it is built concurrently. */
function ofIndex(name: string, table: string, before: Schema, statements: readonly string[]): string[] {
  if (before.indexes.has(name) || !before.tables.has(table)) return [];
  const isConcurrent = statements.some((statement) =>
    new RegExp(`index\\s+concurrently\\s+(if not exists\\s+)?${name}\\b`, 'i').test(statement),
  );
  return isConcurrent ? [] : [`the index ${name} is not built concurrently, and ${table} was there before`];
}

/** One that is about new columns alone finds nothing of a build that does not know them. */
function ofConstraint(name: string, columns: readonly string[], before: Schema): string[] {
  const table = before.tables.get(name.replace(/\..*/, ''));
  if (!table || before.constraints.has(name) || !columns.some((column) => table.columns.has(column))) return [];
  return [`the constraint ${name} may refuse what the build before writes`];
}

/** Rows that are changed all at once are locked until the migration ends. */
function ofRows(statement: string, before: Schema): string[] {
  const changed = /^\s*(?:with\b[^;]*?\)\s*)?(update|delete from|truncate|lock table|lock)\s+(?:table\s+)?(?:only\s+)?"?(\w+)/i.exec(
    statement,
  );
  const [, what, table = ''] = changed ?? [];
  return what && before.tables.has(table) ? [`${table} was there before: ${what.toLowerCase()}`] : [];
}
