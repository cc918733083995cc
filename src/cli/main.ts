import 'reflect-metadata';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { keyOfText, type VerifierKey } from '@lib/audit/signed-note';
import { LARGEST_BALANCE_CENTS } from '@lib/domain/balance';
import { isId } from '@lib/domain/ids';
import { BUDGET_TIERS, RESEARCH_MODES, type ProviderId } from '@lib/domain/vocabulary';
import { DATABASE_ROLES } from '@lib/store/postgres/privileges';
import { parseProviders } from '@lib/settings/env-values';
import { ask, type AskOptions } from './ask';
import { adjustCommand, showBalanceCommand, topUpCommand, verifyBalancesCommand } from './balance';
import { applyDeletionsCommand, exportDeletionsCommand } from './deletions';
import { checkpointCommand } from './checkpoint';
import { doctor, type DoctorOptions } from './doctor';
import { grantsCommand, type GrantsOptions } from './grants';
import { addKeyCommands } from './key-commands';
import { ledgerCommand, STANDARD_INPUT, type LedgerOptions } from './ledger';
import type { McpOptions } from './mcp';
import { migrateCommand } from './migrate';
import { natsUsersCommand } from './nats-users';
import { pastMoment, printableName, tenant } from './option-parsers';
import { proveConsistencyCommand, proveInclusionCommand } from './prove';
import { replayCommand, type ReplayOptions } from './replay';
import { resolveProvidersCommand } from './resolve-providers';
import { rewrapCommand } from './rewrap';
import { synthesizeCommand } from './synthesize';
import { limitValue, listLimitsCommand, setLimitsCommand } from './tenants';
import { verifyCommand, type VerifyOptions } from './verify';
import { verifyViewsCommand } from './verify-views';

const DEFAULT_QUESTION = 'How does Fastify handle an error thrown in a hook or a handler?';

function serviceUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('must be the address of a service such as https://research.example.org, with its base path if it has one');
}

const wholeCents =
  (least: number) =>
  (text: string): number => {
    const cents = /^-?\d{1,13}$/.test(text) ? Number(text) : NaN;
    if (cents >= least && cents <= LARGEST_BALANCE_CENTS && cents !== 0) return cents;
    throw new InvalidArgumentError(
      `must be a whole number of cents from ${least} to ${LARGEST_BALANCE_CENTS} and not 0, such as 2500 for 25 dollars`,
    );
  };

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

function jobOrInput(text: string): string {
  if (text === STANDARD_INPUT || isId('job', text)) return text;
  throw new InvalidArgumentError('must be the id of a job, job_ and 26 characters, or - for standard input');
}

function nameOfHistory(text: string): string {
  if (isId('job', text) || isId('thr', text) || /^ten_[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('must be the id of a job or a thread, job_ or thr_ and 26 characters, or ten_ and the name of a tenant');
}

function verifierKeys(text: string, before: VerifierKey[] = []): VerifierKey[] {
  try {
    return [...before, keyOfText(text)];
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function program(): Command {
  const research = new Command('research')
    .description('Operate a research-threads service; settings come from the environment (see the README).')
    .exitOverride();
  research
    .command('ask')
    .description('answer a question through the HTTP API, starting the service on the embedded default if none answers')
    .argument('[question]', 'the question', DEFAULT_QUESTION)
    .addOption(new Option('--mode <mode>', 'research mode').choices(RESEARCH_MODES).default('fast'))
    .addOption(new Option('--budget <tier>', 'budget tier').choices(BUDGET_TIERS).default('M'))
    .option('--providers <list>', 'who researches, separated by commas; by default it depends on the budget', (list) => list.split(','))
    .option('--spidering', 'follow topics that the reports mention and do not explain')
    .option('--corpus <folder>', 'answer from the documents of this folder, with a service of its own')
    .action(async (question: string, options: Omit<AskOptions, 'question'>) => {
      process.exitCode = await ask({ question: question || DEFAULT_QUESTION, ...options });
    });

  addKeyCommands(research);
  research
    .command('doctor')
    .description('look at everything that a process would need here, and say what to do; nothing is changed')
    .argument('[roles]', 'the roles of that process: all, or some of api, saga, worker, synthesizer separated by commas', 'all')
    .option('--live', 'also ask each provider’s API whether its key works, which costs nothing')
    .option('--json', 'as JSON')
    .action((roles: string, options: DoctorOptions) => doctor(roles, options));
  research
    .command('nats-users')
    .description('print the users of a nats-server with the permissions that each role needs')
    .addOption(new Option('--prefix <prefix>', 'the NATS_PREFIX of the deployment').argParser(subjectToken).default(''))
    .option('--worker <providers>', 'a worker of these providers, in place of those of all and of each; may be repeated', addWorker)
    .action(natsUsersCommand);
  research
    .command('resolve-providers')
    .description('print the providers file with each `auto` decided by the keys that are set: for roles that run apart')
    .action(resolveProvidersCommand);
  research
    .command('ledger')
    .description('read the money of a job back from its events; ends with 1 if they contradict each other')
    .argument('<job>', 'the id of a job in the database, or - to read what its events route answers from standard input', jobOrInput)
    .option('--json', 'as JSON, in micro-dollars')
    .action((job: string, options: LedgerOptions) => ledgerCommand(job, options));
  research
    .command('mcp')
    .description('serve MCP on standard input and output for a running service, with the key in API_KEY or that of the embedded default')
    .option('--url <url>', 'address of the service; by default that of HOST, PORT and BASE_PATH', serviceUrl)
    .action(async (options: McpOptions) => (await import('./mcp.ts')).mcp(options));
  addBalanceCommands(research);
  addTenantCommands(research);
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
    .action((options: GrantsOptions) => grantsCommand(options));
  research.command('migrate').description('bring the database to the schema of this build').action(migrateCommand);
  research
    .command('replay')
    .description('show the history of a job event by event, with what each changed, and then the job as it stood')
    .argument('<job>', 'the id of a job in the database')
    .option('--at <moment>', 'end there: a version or a time; by default now', pastMoment)
    .option('--step', 'wait for Enter after each event; q ends')
    .action((job: string, options: ReplayOptions) => replayCommand(job, options));
  const deletions = research.command('deletions').description('keep threads deleted when a backup is restored');
  deletions
    .command('apply')
    .description('delete the threads of a list that are in the database again')
    .argument('<path>', 'a folder that DELETION_LIST names, or a file of one or of `deletions export`')
    .action(applyDeletionsCommand);
  deletions.command('export').description('print a list of what the database knows to be deleted').action(exportDeletionsCommand);
  research
    .command('rewrap')
    .description('bring everything under the newest of MASTER_KEYS while the service runs, and retire the keys that nothing uses any more')
    .option('--status', 'only say what is sealed under which key')
    .action(rewrapCommand);
  research
    .command('verify')
    .description('say whether histories are what was recorded: ends with 0 if they are, 1 if one was changed, 2 if it could not look')
    .argument('[id]', 'a job, a thread, or ten_ and a tenant for its keys; by default every one', nameOfHistory)
    .option('--tenant <tenant>', 'only those of this tenant', tenant)
    .option('--after <id>', 'go on after this history, in the order of ids', nameOfHistory)
    .option('--against <path...>', 'also say whether everything is as these checkpoints say: files, or folders of them')
    .option('--key <key...>', 'believe only checkpoints that this verifier key leads to: name+id+key', verifierKeys)
    .option('--json', 'as JSON')
    .action((id: string | undefined, options: VerifyOptions) => verifyCommand(id, options));
  research
    .command('checkpoint')
    .description('bring the log of all events up to date, sign it, publish the checkpoint and print it')
    .option('--behind <file>', 'open a new log behind this checkpoint, which the database was restored behind')
    .action(checkpointCommand);
  addProveCommands(research);
  research
    .command('verify-views')
    .description('replay every history and compare it with the views and the agenda')
    .action(verifyViewsCommand);
  research
    .command('synthesize')
    .description("run this build's synthesizer on the recorded steps of a job; asks no provider and writes nothing")
    .argument('<jobId>', 'the job')
    .option('--compare', 'show what differs from the recorded synthesis')
    .action(synthesizeCommand);
  return research;
}

function addTenantCommands(research: Command): void {
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

function addProveCommands(research: Command): void {
  const prove = research.command('prove').description('prove what is in the log of all events, by the newest checkpoint');
  const count = (text: string): number => {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new InvalidArgumentError('must be a whole number');
  };
  prove
    .command('inclusion')
    .description('where an event stands in the log')
    .argument('<stream>', 'a job, a thread or the keys of a tenant, as research verify takes it', nameOfHistory)
    .argument('<version>', 'which event of it', count)
    .action(proveInclusionCommand);
  prove
    .command('consistency')
    .description('that the log of one size is the beginning of that of another')
    .argument('<from>', 'the size of an older checkpoint', count)
    .argument('[to]', 'the larger size; by default that of the newest checkpoint', count)
    .action(proveConsistencyCommand);
}

function addBalanceCommands(research: Command): void {
  const balance = research.command('balance').description('see and change what the jobs of tenants may cost, where BALANCE=required');
  const REFERENCE = 'your own name for this change, such as that of an invoice: the same one again changes nothing';
  balance.command('show').requiredOption('--tenant <tenant>', 'whose balance it is', tenant).action(showBalanceCommand);
  balance
    .command('top-up')
    .requiredOption('--tenant <tenant>', 'whose balance it is', tenant)
    .requiredOption('--cents <cents>', 'how much is added', wholeCents(1))
    .requiredOption('--reference <reference>', REFERENCE, printableName)
    .action(topUpCommand);
  balance
    .command('adjust')
    .requiredOption('--tenant <tenant>', 'whose balance it is', tenant)
    .requiredOption('--cents <cents>', 'how much is added, or taken if it is less than 0', wholeCents(-LARGEST_BALANCE_CENTS))
    .requiredOption('--reference <reference>', REFERENCE, printableName)
    .action(adjustCommand);
  balance
    .command('verify')
    .description('recompute every balance from the events of jobs and the changes of operators, and name what differs')
    .action(verifyBalancesCommand);
}

/** Exit code if nothing was done; 1 and 2 say how a job ended. */
const EXIT_REFUSED = 3;

program()
  .parseAsync()
  .catch((error: unknown) => {
    if (error instanceof CommanderError) {
      // Commander has already printed the error or the help.
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_REFUSED;
      return;
    }
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = EXIT_REFUSED;
  });
