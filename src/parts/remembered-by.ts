import type { JobStatus } from '@lib/domain/vocabulary';
import type { RememberedJobs } from '@lib/store/history/remembered-jobs';
import type { Role } from '../roles';

/**
 * Which open jobs a process with these roles keeps in memory after writing to them. A saga decides about a job until all of its steps have
 * settled, then a synthesizer does. Jobs that another process continues would only take memory here. An api shows the question until then.
 */
export function rememberedBy(roles: ReadonlySet<Role>): RememberedJobs {
  const state = (status: JobStatus): boolean => roles.has(status === 'synthesizing' ? 'synthesizer' : 'saga');
  return { state, content: (status) => state(status) || (roles.has('api') && status !== 'synthesizing') };
}
