import type { Command } from 'commander';
import { addLimitOptions } from './limit-options';
import { keyId, tenant } from './option-parsers';
import { whenRun } from './when-run';

export function addTenantCommands(research: Command): void {
  const tenants = research
    .command('tenants')
    .description('see and set what tenants and their keys may use, where it is not as the settings say');
  const set = tenants
    .command('set')
    .description('set the limits that are named: a number, none for no limit, or default for that of the settings')
    .argument('<tenant>', 'whose limits they are', tenant)
    .option('--key <keyId>', 'of this key of the tenant alone', keyId);
  addLimitOptions(set).action(whenRun(async () => (await import('./tenants.ts')).setLimitsCommand));
  tenants
    .command('list')
    .option('--tenant <tenant>', 'only of this tenant', tenant)
    .option('--json', 'as JSON, one a line')
    .action(whenRun(async () => (await import('./tenants.ts')).listLimitsCommand));
}
