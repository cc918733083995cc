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
      // The table of a language model has no price per search; it counts as 0.
      const table = { perSearchMicros: 0, ...prices };
      const digest = createHash('sha256')
        .update(canonicalize(table) ?? '')
        .digest('hex');
      tables.set(digest, table);
    }
  }
  return tables;
}

/** Finds price tables at any depth: also those of `withKey` and of the report. */
function tablesIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === 'prices' && typeof member === 'object' && member !== null ? [member] : tablesIn(member),
  );
}
