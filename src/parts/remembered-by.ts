import type { JobStatus } from '@lib/domain/vocabulary';
import type { RememberedJobs } from '@lib/store/history/remembered-jobs';
import type { Role } from '../roles';

/**
 * What a process with these roles remembers of the open jobs that it writes to. A saga decides about a job until all of its steps have settled, then a
 * synthesizer does: what another process goes on with would only take memory here. An api shows the question until then.
 */
export function rememberedBy(roles: ReadonlySet<Role>): RememberedJobs {
  const state = (status: JobStatus): boolean => roles.has(status === 'synthesizing' ? 'synthesizer' : 'saga');
  return { state, content: (status) => state(status) || (roles.has('api') && status !== 'synthesizing') };
}
