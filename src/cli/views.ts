import { databaseAccess } from '@lib/store/postgres/database-access';
import { differenceText, type ViewDifference } from '@lib/store/repair/view-row';
import type { Store } from '@lib/store/store';
import { messageForOperator } from '../database';
import { killPoint } from '../runtime/kill-point';
import { boundHeap } from '../runtime/bounded-heap';
import { plainText } from './plain-text';
import { withDatabase } from './with-database';

const DIFFERS = 1;
const NOT_LOOKED = 2;
/** Most lines that are printed, because a lost table differs in every row. */
const MAX_LINES = 1_000;

/** Prints differences as they are found. */
class Report {
  private readonly counts = new Map<string, number>();
  private lines = 0;
  private streams = 0;
  unfolded = 0;
  left = 0;

  page(streams: number, failures: ReadonlyMap<string, Error>): void {
    this.streams += streams;
    this.unfolded += failures.size;
    for (const [streamId, { message }] of failures) this.say(`${streamId}: not looked at, ${message}`);
    if (process.stderr.isTTY) process.stderr.write(`\r${this.streams} histories, ${this.differences} differences `);
  }

  difference(difference: ViewDifference): void {
    this.counts.set(difference.view, (this.counts.get(difference.view) ?? 0) + 1);
    this.say(differenceText(difference));
  }

  unrepaired(difference: ViewDifference, why: string): void {
    this.left += 1;
    this.say(`left: ${differenceText(difference)}; ${why}`);
  }

  get differences(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** @param differs how many rows do not follow from their histories now, which is worse than a history that tells nothing */
  end(differs: number): void {
    if (this.lines > MAX_LINES) console.log(`… and ${this.lines - MAX_LINES} lines more`);
    const ofViews = [...this.counts].map(([view, count]) => `${view} ${count}`).join(', ');
    console.log(`${this.streams} histories replayed, ${this.differences} differences${ofViews ? `: ${ofViews}` : ''}.`);
    if (differs > 0) process.exitCode = DIFFERS;
    else if (this.unfolded > 0) process.exitCode = NOT_LOOKED;
  }

  private say(line: string): void {
    this.lines += 1;
    // Tampered data may contain characters that move the cursor.
    if (this.lines <= MAX_LINES) console.log(plainText(line));
  }
}

/** Exit code 0 if each row is what its history says, 1 if one is not, 2 if none is known to differ and it could not look at each. */
export const verifyViewsCommand = (): Promise<void> =>
  orNotLooked(async ({ viewRepair }) => {
    const report = new Report();
    for await (const { streams, differences, failures } of viewRepair.compare()) {
      differences.forEach((difference) => report.difference(difference));
      report.page(streams, failures);
    }
    report.end(report.differences);
  });

/** Exit code 0 if nothing is left that differs, 1 if something is, 2 if nothing is known to and it could not look at each row, or not write. */
export const rebuildViewsCommand = (): Promise<void> =>
  orNotLooked(async ({ pool, viewRepair }) => {
    const { role, isOwner } = await databaseAccess(pool);
    if (!isOwner) throw new Error(`the database's role ${role} may not remove rows: set DATABASE_URL to the owner of the tables`);
    const report = new Report();
    for await (const { streams, differences, failures } of viewRepair.compare()) {
      for (const [streamId, found] of Map.groupBy(differences, (difference) => difference.streamId)) {
        found.forEach((difference) => report.difference(difference));
        for (const [difference, why] of await viewRepair.repair(streamId, found, killPoint)) report.unrepaired(difference, why);
      }
      report.page(streams, failures);
    }
    report.end(report.left);
    if (report.left > 0) console.log(`${report.left} could not be repaired.`);
    else if (report.unfolded === 0) console.log('Nothing differs any more.');
    else console.log(`Nothing else differs any more; histories that could not be looked at: ${report.unfolded}.`);
  });

async function orNotLooked(look: (store: Store) => Promise<void>): Promise<void> {
  boundHeap();
  try {
    await withDatabase(({ store }) => look(store));
  } catch (error) {
    process.stderr.write(`could not look: ${messageForOperator(error)}\n`);
    process.exitCode = NOT_LOOKED;
  }
}
