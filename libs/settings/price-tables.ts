import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { shippedFile } from './providers-file';

/**
 * Every price table of the given providers file and of the shipped one, by the digest that events record.
 * @throws Error that names the file if it cannot be read
 */
export function readPriceTables(path: string | undefined): Map<string, object> {
  const tables = new Map<string, object>();
  for (const file of [shippedFile(), ...(path === undefined ? [] : [path])]) {
    for (const prices of tablesIn(parse(readFileSync(file, 'utf8')))) {
      // A language model's table has no price for searches: it counts as 0.
      const table = { perSearchMicros: 0, ...prices };
      const digest = createHash('sha256')
        .update(canonicalize(table) ?? '')
        .digest('hex');
      tables.set(digest, table);
    }
  }
  return tables;
}

/** All price tables at any depth, such as under `withKey` or `synthesis`. */
function tablesIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === 'prices' && typeof member === 'object' && member !== null ? [member] : tablesIn(member),
  );
}
