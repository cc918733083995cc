import type { Pool } from 'pg';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

export interface TableAccess {
  statement: string;
  table: string;
  node: string;
  /** It finds its rows by key instead of looking at all of them. */
  byKey: boolean;
}

/** How each statement that the one connection of this pool has prepared by name would get at the rows of tables, whatever its parameters are. */
export async function preparedAccesses(pool: Pool): Promise<TableAccess[]> {
  const { rows } = await pool.query<{ name: string; parameters: number }>(
    'select name, coalesce(array_length(parameter_types, 1), 0) as parameters from pg_prepared_statements order by name',
  );
  const accesses: TableAccess[] = [];
  for (const { name, parameters } of rows) {
    const values = parameters > 0 ? `(${Array.from({ length: parameters }, () => 'null').join(', ')})` : '';
    const explained = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) execute "${name}"${values}`);
    for (const row of explained.rows) accesses.push(...accessesOf(row['QUERY PLAN'][0].Plan, name));
  }
  return accesses;
}

function accessesOf(plan: PlanNode, statement: string): TableAccess[] {
  const inner = (plan.Plans ?? []).flatMap((child) => accessesOf(child, statement));
  const { 'Relation Name': table, 'Node Type': node } = plan;
  if (table === undefined || node === 'ModifyTable') return inner;
  return [{ statement, table, node, byKey: plan['Index Cond'] !== undefined }, ...inner];
}
