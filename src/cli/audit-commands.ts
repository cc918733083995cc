import { CommanderError, InvalidArgumentError, type Command } from 'commander';
import { keyOfText, type VerifierKey } from '@lib/audit/format/signed-note';
import { messageOfError } from '@lib/domain/message-of-error';
import { historyOrBundle, idOf, instant, jobOrInput, nameOfHistory, pastMoment, tenant } from './option-parsers';
import { NOT_LOOKED } from './verify-text';
import { whenRun } from './when-run';

function verifierKeys(text: string, before: VerifierKey[] = []): VerifierKey[] {
  try {
    return [...before, keyOfText(text)];
  } catch (error) {
    throw new InvalidArgumentError(messageOfError(error));
  }
}

/** A wrong command line exits like a check that was not possible (2), because 1 means that a change was found. */
function endUnlooked({ exitCode, code, message }: CommanderError): never {
  throw new CommanderError(exitCode === 0 ? 0 : NOT_LOOKED, code, message);
}

/** What happened, read back and checked. */
export function addAuditCommands(research: Command): void {
  research
    .command('ledger')
    .description('read the money of a job back from its events; ends with 1 if they contradict each other')
    .argument('<job>', 'the id of a job in the database, or - to read what its events route answers from standard input', jobOrInput)
    .option('--json', 'as JSON, in micro-dollars')
    .action(whenRun(async () => (await import('./ledger.ts')).ledgerCommand));
  research
    .command('replay')
    .description('show the history of a job event by event, with what each changed, and then the job as it stood')
    .argument('<job>', 'the id of a job in the database')
    .option('--at <moment>', 'end there: a version or a time; by default now', pastMoment)
    .option('--step', 'wait for Enter after each event; q ends')
    .action(whenRun(async () => (await import('./replay.ts')).replayCommand));
  research
    .command('verify')
    .exitOverride(endUnlooked)
    .description('say whether histories are what was recorded: ends with 0 if they are, 1 if one was changed, 2 if it could not look')
    .argument(
      '[id]',
      'a job, a thread, ten_ and a tenant for its keys, or the folder of a bundle; by default every history',
      historyOrBundle,
    )
    .option('--tenant <tenant>', 'only those of this tenant', tenant)
    .option('--after <id>', 'go on after this history, in the order of ids', nameOfHistory)
    .option('--against <path...>', 'also say whether everything is as these checkpoints say: files, or folders of them')
    .option('--key <key...>', 'believe only checkpoints that one of these verifier keys signed: name+id+key', verifierKeys)
    .option('--json', 'as JSON')
    .action(whenRun(async () => (await import('./verify.ts')).verifyCommand));
  research
    .command('checkpoint')
    .description('bring the log of all events up to date, sign it, publish the checkpoint and print it')
    .option('--behind <file>', 'open a new log behind this checkpoint, which the database was restored behind')
    .option('--new-key', 'sign although CHECKPOINT_KEY is none of the keys that signed before, because they are lost')
    .action(whenRun(async () => (await import('./checkpoint.ts')).checkpointCommand));
  addExportCommand(research);
  addProveCommands(research);
  addViewCommands(research);
  research
    .command('synthesize')
    .description("run this build's synthesizer on the recorded steps of a job; asks no provider and writes nothing")
    .argument('<jobId>', 'the job')
    .option('--compare', 'show what differs from the recorded synthesis')
    .action(whenRun(async () => (await import('./synthesize.ts')).synthesizeCommand));
}

function addViewCommands(research: Command): void {
  const views = research.command('views').description('compare the views with the histories that they follow from, and repair them');
  views
    .command('verify')
    .exitOverride(endUnlooked)
    .description(
      'replay every history and name each row that differs: ends with 0 if none does, 1 if one does, otherwise 2 if it could not look at each',
    )
    .action(whenRun(async () => (await import('./views.ts')).verifyViewsCommand));
  views
    .command('rebuild')
    .description(
      'write the rows that differ anew, while the service runs, as the owner of the tables: ends with 0 if nothing is left, 1 if something is, otherwise 2 if it could not look at each',
    )
    .action(whenRun(async () => (await import('./views.ts')).rebuildViewsCommand));
  research
    .command('verify-views')
    .exitOverride(endUnlooked)
    .description('the same as views verify')
    .action(whenRun(async () => (await import('./views.ts')).verifyViewsCommand));
}

function addExportCommand(research: Command): void {
  research
    .command('export')
    .description('write what the log has of some histories into a folder, with proofs, to be checked without the database')
    .argument('[job]', 'a job, with its thread', idOf('job'))
    .requiredOption('--out <folder>', 'where it goes: a folder that does not exist yet')
    .option('--thread <thread>', 'a thread with its jobs', idOf('thr'))
    .option('--tenant <tenant>', 'everything of a tenant', tenant)
    .option('--since <time>', 'histories to which something has come since then, whole; of a tenant or of all', instant)
    .option('--against <path...>', 'checkpoints that somebody kept: the bundle proves that its own goes on from them')
    .action(whenRun(async () => (await import('./export.ts')).exportCommand));
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
    .action(whenRun(async () => (await import('./prove.ts')).proveInclusionCommand));
  prove
    .command('consistency')
    .description('that the log of one size is the beginning of that of another')
    .argument('<from>', 'the size of an older checkpoint', count)
    .argument('[to]', 'the larger size; by default that of the newest checkpoint', count)
    .action(whenRun(async () => (await import('./prove.ts')).proveConsistencyCommand));
}
