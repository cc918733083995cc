import type { Command } from 'commander';
import { SCOPES } from '@lib/domain/scopes';
import { addLimitOptions } from './limit-options';
import { durationOption, expiry, keyId, printableName, scopeList, tenant } from './option-parsers';
import { whenRun } from './when-run';

export function addKeyCommands(research: Command): void {
  const keys = research.command('keys').description('make, list, change, rotate and end API keys');
  const KEY_ID = ['<keyId>', 'the 12 characters after rt_live_', keyId] as const;
  const OF_TENANT = ['--tenant <tenant>', 'only if it is a key of this tenant', tenant] as const;
  const EXPIRES = 'when it ends: a date, a time, a duration such as 90d, or never';
  const create = keys
    .command('create')
    .requiredOption('--tenant <tenant>', 'whose key it is', tenant)
    .option('--name <name>', 'what it is for', printableName)
    .option(
      '--scopes <scopes>',
      `what it may be used for, separated by commas; by default everything but admin: ${SCOPES.join(', ')}`,
      scopeList,
    )
    .option('--expires <when>', EXPIRES, expiry);
  addLimitOptions(create).action(whenRun(async () => (await import('./keys.ts')).createKeyCommand));
  keys
    .command('list')
    .option('--tenant <tenant>', 'only of this tenant', tenant)
    .option('--json', 'as JSON, one a line')
    .action(whenRun(async () => (await import('./keys.ts')).listKeysCommand));
  keys
    .command('change')
    .argument(...KEY_ID)
    .option('--scopes <scopes>', 'what it may be used for from now on', scopeList)
    .option('--expires <when>', EXPIRES, expiry)
    .option(...OF_TENANT)
    .action(whenRun(async () => (await import('./keys.ts')).changeKeyCommand));
  keys
    .command('rotate')
    .description('make a key that takes the place of another one, with its tenant, name, scopes and limits')
    .argument(...KEY_ID)
    .addOption(durationOption('--overlap <duration>', 'how long the old one goes on', '24h'))
    .option('--expires <when>', 'when the new one ends; by default it lives as long as the old one was given', expiry)
    .option(...OF_TENANT)
    .action(whenRun(async () => (await import('./keys.ts')).rotateKeyCommand));
  keys
    .command('revoke')
    .argument(...KEY_ID)
    .option(...OF_TENANT)
    .action(whenRun(async () => (await import('./keys.ts')).revokeKeyCommand));
}
