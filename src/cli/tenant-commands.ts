import type { Command } from 'commander';
import { tenant } from './option-parsers';
import { limitValue, listLimitsCommand, setLimitsCommand } from './tenants';

export function addTenantCommands(research: Command): void {
  const tenants = research
    .command('tenants')
    .description('see and set what tenants and their keys may use, where it is not as the settings say');
  tenants
    .command('set')
    .description('set the limits that are named: a number, none for no limit, or default for that of the settings')
    .argument('<tenant>', 'whose limits they are', tenant)
    .option('--key <keyId>', 'of this key of the tenant: requests alone')
    .option('--requests-per-minute <number>', 'requests a minute, on the long run', limitValue('requestsPerMinute'))
    .option('--burst <number>', 'requests at once after a while without any', limitValue('burst'))
    .option('--open-jobs <number>', 'jobs that are not final', limitValue('openJobs'))
    .option('--warning-cents <cents>', 'what the jobs of a day may cost until answers warn of it', limitValue('warningCents'))
    .option('--daily-cents <cents>', 'what the jobs of a day may cost', limitValue('dailyCents'))
    .action(setLimitsCommand);
  tenants.command('list').option('--tenant <tenant>', 'only of this tenant', tenant).action(listLimitsCommand);
}
