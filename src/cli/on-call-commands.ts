import { InvalidArgumentError, type Command } from 'commander';
import { HOUR_MS } from '@lib/domain/durations';
import { messageOfError } from '@lib/domain/message-of-error';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { parseProviders } from '@lib/settings/env-values';
import { duration, durationOption } from './option-parsers';
import { whenRun } from './when-run';

/** What the database keeps as a whole number of milliseconds. */
const MAX_DAYS = 24;

function providersOrAll(text: string): ProviderId[] {
  if (text === 'all') return [...PROVIDERS];
  try {
    return parseProviders(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOfError(error));
  }
}

function holdDuration(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds >= 1 && milliseconds <= MAX_DAYS * 24 * HOUR_MS) return milliseconds;
  throw new InvalidArgumentError(`must be from 1s to ${MAX_DAYS}d`);
}

/** What whoever was woken does first. */
export function addOnCallCommands(research: Command): void {
  research
    .command('status')
    .description(
      'one screen for whoever is on call: 0 if nothing needs attention, 1 if something does, 2 if the database could not be asked',
    )
    .option('--json', 'as JSON')
    .action(whenRun(async () => (await import('./status.ts')).statusCommand));
  const drain = research
    .command('drain')
    .description(
      'let nothing new be started and wait for what runs: 0 once nothing does, 1 if something still does, others if nothing was done',
    );
  drain
    .command('provider')
    .description('start no run at these providers for a while; steps wait meanwhile')
    .argument('<providers>', 'all, or some identifiers separated by commas', providersOrAll)
    .addOption(durationOption('--for <duration>', 'after that runs are started again by themselves, such as 30m or 4h', '1h', holdDuration))
    .addOption(durationOption('--wait <duration>', 'how long to wait for what runs; 0s to wait for nothing', '15m'))
    .option('--undo', 'start runs again now')
    .action(whenRun(async () => (await import('./drain-provider.ts')).drainProvidersCommand));
  drain
    .command('worker')
    .description('let one worker take no step, by its ADMIN_PORT: run it where the worker runs')
    .option('--admin <url>', 'address of that port, by default http://127.0.0.1:ADMIN_PORT')
    .addOption(durationOption('--wait <duration>', 'how long to wait for what it holds', '15m'))
    .option('--undo', 'let it take steps again')
    .action(whenRun(async () => (await import('./drain-worker.ts')).drainWorkerCommand));
}
