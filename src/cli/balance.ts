import type { Balance } from '@lib/domain/balance';
import { balanceDifferences } from '@lib/store/balances/balance-differences';
import { BalanceTable, type ChangeOutcome, type OperatorChange } from '@lib/store/balances/balance-table';
import { withOperatorPool } from './operator-pool';
import { askWithoutKey } from './tenant-without-key';

type ChangeOptions = Omit<OperatorChange, 'kind'>;

const shown = ({ availableCents, reservedCents }: Balance): string =>
  `${availableCents} cents, and open jobs hold ${reservedCents} beside that`;

export async function showBalanceCommand({ tenant }: { tenant: string }): Promise<void> {
  await withOperatorPool(async (pool) => {
    console.log(`The balance of ${tenant} is ${shown(await new BalanceTable(pool).read(tenant))}.`);
    await askWithoutKey(pool, tenant);
  });
}

export const topUpCommand = (options: Options): Promise<void> => changeCommand('top_up', options);
export const adjustCommand = (options: Options): Promise<void> => changeCommand('adjustment', options);

interface Options extends Omit<ChangeOptions, 'tenantId'> {
  tenant: string;
}

async function changeCommand(kind: OperatorChange['kind'], { tenant: tenantId, cents, reference }: Options): Promise<void> {
  const change = { tenantId, kind, cents, reference };
  await withOperatorPool(async (pool) => {
    console.log(told(change, await new BalanceTable(pool).change(change)));
    await askWithoutKey(pool, tenantId);
  });
}

/** @throws Error if the change was refused; one that was recorded before is not an error */
function told({ tenantId, cents, reference }: OperatorChange, { outcome, balance }: ChangeOutcome): string {
  const now = `The balance of ${tenantId} is ${shown(balance)}`;
  switch (outcome) {
    case 'recorded':
      return `Recorded ${reference} of ${cents} cents. ${now}.`;
    case 'repeated':
      return `${reference} of ${cents} cents was recorded before: nothing is changed. ${now}.`;
    case 'reference_reused':
      throw new Error(`The reference ${reference} of ${tenantId} stands for another change, so nothing is changed: use another reference.`);
    case 'insufficient':
      throw new Error(
        `${now}: ${cents} cents would take more than there is, so nothing is changed. What open jobs hold comes back at their end.`,
      );
    case 'too_large':
      throw new Error(`${now}: with ${cents} cents it would be more than the largest one, so nothing is changed. Give fewer cents.`);
  }
}

/** Exit code 1 if a balance is not what the events and the operator's changes say. */
export async function verifyBalancesCommand(): Promise<void> {
  const { tenants, jobs, differences } = await withOperatorPool(balanceDifferences);
  for (const difference of differences) console.log(difference);
  console.log(`${tenants} balances and ${jobs} jobs that moved them recomputed, ${differences.length} differences.`);
  if (differences.length > 0) process.exitCode = 1;
}
