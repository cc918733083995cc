import type { Pool } from 'pg';
import { int8Array } from '../postgres/array-parameter';

/** Nodes of one stored level, the last one included. */
export interface NodeRange {
  first: number;
  last: number;
}

const LEAVES = `select index, leaf_hash as hash from unnest($1::int8[], $2::int8[]) as wanted (first, last)
  join log_entry on log_entry.index between wanted.first and wanted.last`;
const NODES = `select index, hash from unnest($1::int8[], $2::int8[]) as wanted (first, last)
  join log_node on log_node.level = $3 and log_node.index between wanted.first and wanted.last`;

/** The stored hashes of these nodes, by their index. Leaves are level 0. */
export async function storedHashes(pool: Pool, level: number, ranges: readonly NodeRange[]): Promise<Map<number, Buffer>> {
  const wanted = [int8Array(ranges.map(({ first }) => first)), int8Array(ranges.map(({ last }) => last))];
  const { rows } = await pool.query<{ index: string; hash: Buffer }>(
    level === 0 ? { name: 'log_leaves', text: LEAVES, values: wanted } : { name: 'log_nodes', text: NODES, values: [...wanted, level] },
  );
  return new Map(rows.map(({ index, hash }) => [Number(index), hash]));
}

/** How many entries the log has. */
export async function logSize(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ size: string }>('select size from log_head');
  return Number(rows[0]?.size ?? 0);
}
