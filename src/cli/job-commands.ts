import { InvalidArgumentError, type Command } from 'commander';
import { isId } from '@lib/domain/ids';
import { tenant } from './option-parsers';
import { whenRun } from './when-run';

function job(text: string): string {
  if (isId('job', text)) return text;
  throw new InvalidArgumentError('must be the id of a job, job_ and 26 characters');
}

function steps(text: string, before: string[] = []): string[] {
  if (isId('stp', text)) return [...before, text];
  throw new InvalidArgumentError('must be the id of a step, stp_ and 26 characters');
}

function most(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number from 1 to 99999');
}

/** What an operator does about single jobs. */
export function addJobCommands(research: Command): void {
  const jobs = research.command('jobs').description('find jobs that do not get on, and have failed steps tried again');
  jobs
    .command('list')
    .description('the jobs that are stuck, each with the reason and the next step to take; needs no secret')
    .requiredOption('--stuck', 'those that do not get on: every job is listed by GET /v1/jobs')
    .option('--tenant <tenant>', 'only those of this tenant', tenant)
    .option('--limit <number>', 'how many at most, the longest first', most, 1_000)
    .option('--json', 'as JSON, one a line')
    .action(whenRun(async () => (await import('./jobs.ts')).listStuckCommand));
  jobs
    .command('redrive')
    .description('try the failed steps of a job again within what is left of its budget; of a job that has ended another one asks again')
    .argument('<job>', 'the id of the job', job)
    .option('--step <step>', 'only this step; may be repeated', steps)
    .action(whenRun(async () => (await import('./jobs.ts')).redriveCommand));
}
