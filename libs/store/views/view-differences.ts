import { NEXT_STREAMS } from '../history/audit-reads';
import pg, { type ClientBase, type Pool } from 'pg';
import { inTransaction, SNAPSHOT } from '../postgres/transaction';
import { limitDifferences, nextLimitedTenants } from '../repair/limit-counts';
import { compareStreams, type ComparisonSettings } from '../repair/compare-streams';
import { rowsWithoutHistory } from '../repair/stored-view-rows';
import { byName, rowDifferences, type ViewDifference } from '../repair/view-row';

/** Streams, or tenants, that are compared together. */
const STREAMS = 200;

/** The differences of some streams. The last pages have what counts for limits, and the rows that belong to no stream. */
export interface ComparedPage {
  streams: number;
  differences: ViewDifference[];
  /** By stream: why it cannot be folded, and so was not compared. */
  failures: ReadonlyMap<string, Error>;
}

/**
 * Folds every stream and compares the derived rows with the stored ones. It takes some streams at a time, each time in one snapshot, so that others
 * may write in between. For the agenda it compares the pending work, but not the time of the next look.
 */
export async function* comparedPages(database: Pool | ClientBase, settings: ComparisonSettings): AsyncGenerator<ComparedPage> {
  for (let after = ''; ;) {
    const { rows } = await database.query<{ stream_id: string }>(NEXT_STREAMS, [after, STREAMS]);
    const ids = rows.map((row) => row.stream_id);
    if (ids.length === 0) break;
    after = ids.at(-1) ?? '';
    const { differences, failures } = await inSnapshot(database, (snapshot) => compareStreams(snapshot, ids, settings));
    yield { streams: ids.length, differences, failures };
  }
  for (let after = ''; ;) {
    const tenantIds = await nextLimitedTenants(database, after, STREAMS);
    if (tenantIds.length === 0) break;
    after = tenantIds.at(-1) ?? '';
    const differences = await inSnapshot(database, (snapshot) => limitDifferences(snapshot, tenantIds));
    yield { streams: 0, differences, failures: new Map() };
  }
  for await (const rows of rowsWithoutHistory(database, STREAMS))
    yield { streams: 0, differences: rowDifferences(new Map(), byName(rows)), failures: new Map() };
}

/** In its own transaction; for a client, in the client's current transaction. */
const inSnapshot = <Result>(database: Pool | ClientBase, look: (database: ClientBase) => Promise<Result>): Promise<Result> =>
  database instanceof pg.Pool ? inTransaction(database, look, SNAPSHOT) : look(database);
