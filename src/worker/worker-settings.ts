import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Claimed } from './claim';
import type { CallSettings } from './provider-call';

/** How much work this worker gives one provider. */
export interface ProviderLimits {
  /** Steps at a time. */
  concurrency: number;
  /** Background runs followed in addition to those steps, since they hold no connection. With 0, each takes the slot of a step. */
  backgroundRuns: number;
  /** Submits per minute; null for no limit. */
  requestsPerMinute: number | null;
}

export interface WorkerSettings extends CallSettings {
  heartbeatMs: number;
  /** Recorded with its claims. */
  process: ProcessIdentity;
  /** The providers that this worker serves. */
  providers: ReadonlyMap<ProviderId, ProviderLimits>;
  /** The adapter that serves each of them here. */
  adapters: ReadonlyMap<ProviderId, string>;
  /** How long to wait for a grant. */
  claimMs?: number | undefined;
}

/**
 * A step's model and reservation are those of the adapter that it was planned with: another one would fail it, or cost what nobody has reserved.
 * @returns why a worker with these adapters cannot serve the step; null if it can
 */
export function otherAdapter({ adapters }: WorkerSettings, { provider, adapter: planned }: Claimed): string | null {
  const own = adapters.get(provider);
  if (planned === undefined || planned === own) return null;
  return `the job was planned with the adapter ${planned} for ${provider}, and this worker has ${own}: give all roles the same providers file`;
}
