import { randomUUID } from 'node:crypto';
import { jobLimitsOf } from '@lib/domain/limits';
import { ADAPTERS, KEY_VARIABLES } from '@lib/providers/registry';
import { readProvidersFile } from '@lib/settings/providers-file';
import { stuckJobs, type StuckJob, type StuckReason } from '@lib/store/agenda/stuck-jobs';
import { LimitReads } from '@lib/store/limits/limit-reads';
import { readBuild } from '../build';
import { planSettings } from '../parts/plan-settings';
import { redrive } from '../threads/redrive';
import { operatorMeta } from './operator-meta';
import { withOperatorPool } from './operator-pool';
import { withDatabase } from './with-database';

interface StuckOptions {
  tenant?: string;
  limit: number;
  json?: boolean;
}

/** The next step to take; docs/operations.md says more. */
const REMEDIES: Readonly<Record<StuckReason, string>> = {
  set_aside: 'its history cannot be folded: `research verify JOB`, and restore it from a backup',
  deadline_over: 'nobody ends it: look for a saga that is ready',
  lease_over: 'nobody ends its lease: look for a saga that is ready',
  not_looked_at: 'nobody looks at the agenda: look for a saga that is ready',
  no_deadline: 'its agenda is not what its history says: `research views rebuild`',
  step_without_lease: 'its agenda is not what its history says: `research views rebuild`',
  attempts_lost: 'workers of its provider die or lose their connection: look at their logs',
  waits_for_provider: 'its provider is down or has no room: `research doctor worker --live`, or start workers of it',
  synthesis_tried_again: 'a synthesizer fails or dies at it: look at its log, and at `research synthesize JOB`',
  run_not_stopped: 'its provider does not stop the run: start a worker of it, or stop the run at the provider',
  not_erased: 'something of the deleted thread cannot be erased: look for the alert in the log of the saga',
};

export async function listStuckCommand({ tenant = undefined, limit, json }: StuckOptions): Promise<void> {
  const stuck = await withOperatorPool((pool) => stuckJobs(pool, tenant ?? null, limit));
  for (const job of stuck) console.log(json ? JSON.stringify({ ...job, remedy: remedyFor(job) }) : lineOf(job));
  process.stderr.write(stuck.length === limit ? `The first ${limit} are shown.\n` : `Stuck: ${stuck.length}.\n`);
}

const remedyFor = ({ reason, id }: StuckJob): string => REMEDIES[reason].replace('JOB', id);

function lineOf(job: StuckJob): string {
  const { id, tenantId, status, reason, since, stepId, provider, tries } = job;
  const of = [stepId, provider, tries > 0 ? `tries ${tries}` : null].filter((part) => part !== null).join(' ');
  return [id, tenantId, status ?? '-', reason, `since ${since.toISOString()}`, of || '-', remedyFor(job)].join('\t');
}

interface RedriveOptions {
  step?: string[];
}

export async function redriveCommand(jobId: string, { step }: RedriveOptions): Promise<void> {
  // Where the providers file says `auto`, the keys decide who is asked, as they do for the service.
  await withDatabase(async ({ env, store }) => {
    const providers = readProvidersFile(env.PROVIDERS_FILE, ADAPTERS, env.providerKeys);
    const settings = planSettings(env, { instance: randomUUID(), build: readBuild() }, providers);
    const { tenantId } = await store.jobs.load(jobId);
    const { tenant } = await new LimitReads(store.pool, { tenant: env.TENANT_LIMITS, key: {} }).of({
      tenantId,
      keyId: '',
      keyLimits: null,
    });
    const ofJobs = jobLimitsOf(null, tenant);
    const limits = ofJobs ? [ofJobs] : undefined;
    const redriven = await redrive(store, settings, { jobId, stepIds: step ?? null, meta: operatorMeta(), limits });
    const asks =
      redriven.capCents === null ? 'tries again' : `asks again, for at most ${redriven.capCents} cents, what failed in ${jobId}:`;
    console.log(`${redriven.jobId} ${asks} ${redriven.stepIds.join(', ')}`);
    if (redriven.uncovered.length > 0)
      console.log(
        `Not asked, because the rest of the budget does not cover them as well: ${redriven.uncovered.join(', ')}. Once ${redriven.jobId} has ended, redrive it for what it leaves.`,
      );
  }, KEY_VARIABLES);
}
