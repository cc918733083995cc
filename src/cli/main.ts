import '../runtime/node-version';
import 'reflect-metadata';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isBlank } from '@lib/domain/blank';
import { messageOfError } from '@lib/domain/message-of-error';
import { BUDGET_TIERS, RESEARCH_MODES } from '@lib/domain/vocabulary';
import type { AskOptions } from './ask';
import { endIfFolderHangs } from '../runtime/hanging-files';
import { whenReaderGone } from '../runtime/reader-gone';
import { addAuditCommands } from './audit-commands';
import { addBalanceCommands } from './balance-commands';
import { addJobCommands } from './job-commands';
import { addKeyCommands } from './key-commands';
import { addOnCallCommands } from './on-call-commands';
import { addOperationCommands } from './operation-commands';
import { plainText } from './plain-text';
import { addTenantCommands } from './tenant-commands';
import { whenRun } from './when-run';

function questionText(text: string): string {
  if (!isBlank(text)) return text;
  throw new InvalidArgumentError('must say something; without a question an example is asked');
}

function folderOfDocuments(path: string): string {
  if (!isBlank(path)) return path;
  throw new InvalidArgumentError('must name a folder of documents, such as ./docs; . is the current one');
}

function serviceUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('must be the address of a service such as https://research.example.org, with its base path if it has one');
}

function program(): Command {
  const research = new Command('research')
    .description('Operate a research-threads service; settings come from the environment (see the README).')
    .exitOverride();
  research
    .command('ask')
    .description('answer a question through the HTTP API, starting the service on the embedded default if none answers')
    .argument('[question]', 'the question; without one an example is asked', questionText)
    .addOption(new Option('--mode <mode>', 'research mode').choices(RESEARCH_MODES).default('fast'))
    .addOption(new Option('--budget <tier>', 'budget tier').choices(BUDGET_TIERS).default('M'))
    .option('--providers <list>', 'who researches, separated by commas; by default it depends on the budget', (list) => list.split(','))
    .option('--spidering', 'follow topics that the reports mention and do not explain')
    .option('--corpus <folder>', 'answer from the documents of this folder, with a service of its own', folderOfDocuments)
    .action(async (question: string | undefined, options: Omit<AskOptions, 'question'>) => {
      const { ask } = await import('./ask.ts');
      process.exitCode = await ask({ question, ...options });
    });
  research
    .command('mcp')
    .description('serve MCP on standard input and output for a running service, with the key in API_KEY or that of the embedded default')
    .option('--url <url>', 'address of the service; by default that of HOST, PORT and BASE_PATH', serviceUrl)
    .action(whenRun(async () => (await import('./mcp.ts')).mcp));
  addKeyCommands(research);
  addOnCallCommands(research);
  addTenantCommands(research);
  addBalanceCommands(research);
  addJobCommands(research);
  addOperationCommands(research);
  addAuditCommands(research);
  return research;
}

/** Exit code if nothing was done; 1 and 2 say how a job ended. */
const EXIT_REFUSED = 3;
/** Commander's exit code for arguments that it refuses, unless a command sets another one. */
const EXIT_MISUNDERSTOOD = 1;

// A command whose output is cut off, as by `head`, still closes what it opened.
whenReaderGone(() => undefined);
program()
  .parseAsync()
  .catch(async (error: unknown) => {
    if (error instanceof CommanderError) {
      // Commander has already printed the error or the help.
      process.exitCode = error.exitCode === EXIT_MISUNDERSTOOD ? EXIT_REFUSED : error.exitCode;
      return;
    }
    process.exitCode = EXIT_REFUSED;
    const message = await import('../database.ts').then(
      ({ messageForOperator }) => messageForOperator(error),
      // Report the first error, even if something else cannot be loaded either.
      () => messageOfError(error),
    );
    // The message may quote a server's answer, so it is made safe for the terminal.
    process.stderr.write(`${plainText(message)}\n`);
  })
  .finally(endIfFolderHangs);
