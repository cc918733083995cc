import type { JobState } from '@lib/domain/job/state';
import type { Store } from '@lib/store/store';
import type { Synthesis } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';
import { recordedInput } from '../reports/recorded-input';
import { synthesisDifference } from './synthesis-difference';
import { withDatabase } from './with-database';

/**
 * Runs this build's synthesizer on the recorded steps of a job. Asks no provider and writes nothing.
 * @throws Error if there is no such job, or nothing to synthesize
 */
export async function synthesizeCommand(jobId: string, { compare = false }: { compare?: boolean }): Promise<void> {
  await withDatabase(async ({ store }) => {
    const state = await store.jobs.load(jobId);
    const current = await currentSynthesis(store, jobId, state);
    process.stdout.write(compare ? synthesisDifference(await recordedSynthesis(store, jobId, state), current) : current.markdown);
  });
}

async function currentSynthesis(store: Store, jobId: string, state: JobState): Promise<Synthesis> {
  if (state.version === 0) throw new Error(`There is no job ${jobId}: its id begins with job_ and stands in every answer about it.`);
  if (!state.steps.some(({ status }) => status === 'completed'))
    throw new Error(`No step of ${jobId} has completed: there is nothing to synthesize (the job is ${state.status}).`);
  const input = await recordedInput(store, jobId, state);
  if (!input) throw new Error(`The content of ${jobId} was erased with its thread.`);
  return synthesize(input);
}

async function recordedSynthesis(store: Store, jobId: string, { threadId, synthesisVersion, synthesizer }: JobState): Promise<Synthesis> {
  if (synthesisVersion === null || synthesizer === null)
    throw new Error(`${jobId} has no recorded synthesis to compare with: leave --compare out.`);
  const content = await store.contents.ofJob(jobId, threadId).synthesis({ synthesisVersion });
  if (!content) throw new Error(`The content of ${jobId} was erased with its thread.`);
  return { synthesizer, ...content };
}
