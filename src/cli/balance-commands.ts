import { InvalidArgumentError, type Command } from 'commander';
import { MAX_BALANCE_CENTS } from '@lib/domain/balance';
import { printableName, tenant } from './option-parsers';
import { whenRun } from './when-run';

const wholeCents =
  (least: number) =>
  (text: string): number => {
    const cents = /^-?\d{1,13}$/.test(text) ? Number(text) : NaN;
    if (cents >= least && cents <= MAX_BALANCE_CENTS && cents !== 0) return cents;
    throw new InvalidArgumentError(
      `must be a whole number of cents from ${least} to ${MAX_BALANCE_CENTS} and not 0, such as 2500 for 25 dollars`,
    );
  };

export function addBalanceCommands(research: Command): void {
  const balance = research.command('balance').description('see and change what the jobs of tenants may cost, where BALANCE=required');
  const REFERENCE = 'your own name for this change, such as that of an invoice: the same one again changes nothing';
  balance
    .command('show')
    .requiredOption('--tenant <tenant>', 'whose balance it is', tenant)
    .action(whenRun(async () => (await import('./balance.ts')).showBalanceCommand));
  balance
    .command('top-up')
    .requiredOption('--tenant <tenant>', 'whose balance it is', tenant)
    .requiredOption('--cents <cents>', 'how much is added', wholeCents(1))
    .requiredOption('--reference <reference>', REFERENCE, printableName)
    .action(whenRun(async () => (await import('./balance.ts')).topUpCommand));
  balance
    .command('adjust')
    .requiredOption('--tenant <tenant>', 'whose balance it is', tenant)
    .requiredOption('--cents <cents>', 'how much is added, or taken if it is less than 0', wholeCents(-MAX_BALANCE_CENTS))
    .requiredOption('--reference <reference>', REFERENCE, printableName)
    .action(whenRun(async () => (await import('./balance.ts')).adjustCommand));
  balance
    .command('verify')
    .description('recompute every balance from the events of jobs and the changes of operators, and name what differs')
    .action(whenRun(async () => (await import('./balance.ts')).verifyBalancesCommand));
}
