import type { JobLedger } from '@lib/domain/ledger';
import type { LedgerAccount, LedgerLine, LedgerTotals } from '@lib/domain/ledger-book';
import { centsFromMicros, MICROS_PER_CENT, type Charge } from '@lib/domain/money';
import { plainText } from './plain-text';

/** Basis points of one percent. */
const POINTS_PER_PERCENT = 100;

/** The ledger for auditors: every movement with its balance, the runs, and the customer's charge. */
export function ledgerText(ledger: JobLedger): string {
  const { capMicros, markupBasisPoints, accounts, lines } = ledger;
  const parts = [
    `All amounts in cents. Cap ${amount(capMicros)}, markup ${markupBasisPoints / POINTS_PER_PERCENT} % on what providers bill.`,
    table(
      ['#', 'event', 'run', 'movement', 'amount', 'billed', 'committed', 'reserved'],
      lines.map((line) => lineCells(line, accounts)),
      4,
    ),
    table(
      ['run', 'prices of', 'billed', 'reserved', 'held', 'committed', 'released', 'lost', 'overrun', 'late'],
      [
        ...accounts.map((account) => [nameOf(account), account.priceDate ?? '', billedText(account.charge), ...amountCells(account)]),
        ['total', '', '', ...amountCells(ledger.totals)],
      ],
      2,
    ),
    verdict(ledger),
  ];
  return `${plainText(parts.join('\n\n'))}\n`;
}

function lineCells(
  { version, event, movement, micros, charge, balance, ...place }: LedgerLine,
  accounts: readonly LedgerAccount[],
): string[] {
  const account = accounts.find(({ stepId, run }) => stepId === place.stepId && run === place.run);
  const amounts = [amount(micros), billedText(charge), amount(balance.committedMicros), amount(balance.reservedMicros)];
  return [String(version), event, account ? nameOf(account) : '', movement, ...amounts];
}

const amountCells = ({
  reservedMicros,
  heldMicros,
  committedMicros,
  releasedMicros,
  lostMicros,
  overrunMicros,
  lateMicros,
}: LedgerTotals): string[] =>
  [reservedMicros, heldMicros, committedMicros, releasedMicros, lostMicros, overrunMicros, lateMicros].map(amount);

const nameOf = ({ stepId, provider, run }: LedgerAccount): string => `${provider ?? stepId ?? 'synthesis'} #${run}`;

const billedText = (charge: Charge | null): string => (charge ? `${amount(charge.micros)} ${charge.provenance}` : '');

/** Exact, since four decimals of a cent are micro-dollars. */
const amount = (micros: number): string => (micros / MICROS_PER_CENT).toFixed(4);

function verdict({ chargedMicros, discrepancies }: JobLedger): string {
  const charged =
    chargedMicros === null
      ? 'The job is not final: nothing is charged yet.'
      : `The customer is charged ${centsFromMicros(chargedMicros)} cents: ${amount(chargedMicros)}, rounded up once.`;
  if (discrepancies.length === 0) return `${charged}\nThe history agrees with itself.`;
  return [charged, 'The history contradicts itself:', ...discrepancies.map((discrepancy) => `- event ${discrepancy}`)].join('\n');
}

/** Columns are as wide as their widest cell; those from `firstAmount` on are right-aligned. */
function table(heads: readonly string[], rows: readonly (readonly string[])[], firstAmount: number): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]): string =>
    cells.map((cell, column) => (column < firstAmount ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ');
  return [heads, ...rows].map((cells) => lineOf(cells).trimEnd()).join('\n');
}
