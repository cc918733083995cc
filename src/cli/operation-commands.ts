import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ProviderId } from '@lib/domain/vocabulary';
import { parseProviders } from '@lib/settings/env-values';
import { DATABASE_ROLES } from '@lib/store/postgres/privileges';
import { ROLES } from '../roles';
import { whenRun } from './when-run';

function subjectToken(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('must be one subject token: at most 64 letters, digits, _ or -');
}

function addWorker(text: string, others: ProviderId[][] = []): ProviderId[][] {
  try {
    return [...others, parseProviders(text)];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** What an operator sets up, looks after and brings back. */
export function addOperationCommands(research: Command): void {
  addSetupCommands(research);
  addDeletionCommands(research);
  research
    .command('rewrap')
    .description('bring everything under the newest of MASTER_KEYS while the service runs, and retire the keys that nothing uses any more')
    .option('--status', 'only say what is sealed under which key')
    .action(whenRun(async () => (await import('./rewrap.ts')).rewrapCommand));
}

function addSetupCommands(research: Command): void {
  research
    .command('doctor')
    .description('look at everything that a process would need here, and say what to do; nothing is changed')
    .argument('[roles]', `the roles of that process: all, or some of ${ROLES.join(', ')} separated by commas`, 'all')
    .option('--live', 'also ask each provider’s API whether its key works, which costs nothing')
    .option('--json', 'as JSON')
    .action(whenRun(async () => (await import('./doctor.ts')).doctor));
  research
    .command('nats-users')
    .description('print the users of a nats-server with the permissions that each role needs')
    .addOption(new Option('--prefix <prefix>', 'the NATS_PREFIX of the deployment').argParser(subjectToken).default(''))
    .option('--worker <providers>', 'a worker of these providers, in place of those of all and of each; may be repeated', addWorker)
    .action(whenRun(async () => (await import('./nats-users.ts')).natsUsersCommand));
  research
    .command('resolve-providers')
    .description('print the providers file with each `auto` decided by the keys that are set: for roles that run apart')
    .action(whenRun(async () => (await import('./resolve-providers.ts')).resolveProvidersCommand));
  research
    .command('grants')
    .description("make another role of the database the application's, as the owner of its tables; again after each migration")
    .requiredOption('--to <role>', 'a role of the database that exists and is not the owner')
    .addOption(
      new Option('--as <kind>', 'api: sees only the tenants that it names; service: saga, synthesizer and webhooks; audit: only reads')
        .choices(DATABASE_ROLES)
        .makeOptionMandatory(),
    )
    .option('--print', 'print the statements and change nothing')
    .action(whenRun(async () => (await import('./grants.ts')).grantsCommand));
  research
    .command('migrate')
    .description('bring the database to the schema of this build')
    .action(whenRun(async () => (await import('./migrate.ts')).migrateCommand));
}

function addDeletionCommands(research: Command): void {
  const deletions = research.command('deletions').description('keep threads deleted when a backup is restored');
  deletions
    .command('apply')
    .description('delete the threads of a list that are in the database again')
    .argument('<path>', 'a folder that DELETION_LIST names, or a file of one or of `deletions export`')
    .action(whenRun(async () => (await import('./deletions.ts')).applyDeletionsCommand));
  deletions
    .command('export')
    .description('print a list of what the database knows to be deleted')
    .action(whenRun(async () => (await import('./deletions.ts')).exportDeletionsCommand));
}
