import type { SkipReason } from '@lib/domain/job/facts';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { RecentCount, RecentEvents } from '@lib/store/views/status-reads';
import type { Attention } from './attention';

/** As in the alert rules of k8s/components/monitoring: a share counts from so many on. */
const LOST_SHARE = 0.05;
const MAX_LOST = 5;
const FAILED_SHARE = 0.1;
const MAX_ENDED = 10;
const SKIPPED_SHARE = 0.1;
const MAX_SKIPPED = 10;
/** Why a step was not started that should have been. That its budget was used up, or its job cancelled, is no fault. */
const FAULTS: readonly string[] = ['deadline', 'circuit_open'] satisfies SkipReason[];

/**
 * What the events of the last hour say as a whole: one failure among many is nothing to look at. What customers cancelled is neither a failure nor work
 * that went well.
 */
export function toLastHour(recent: RecentEvents | null): Attention[] {
  const found: Attention[] = [];
  const count = (...types: string[]) => sum(recent, ({ type }) => types.includes(type));
  const lost = count('StepAttemptLost');
  const attempts = sum(recent, isAttempt);
  if (lost > MAX_LOST && lost > LOST_SHARE * attempts)
    found.push({ what: `${lost} of ${attempts} attempts were lost with their workers`, runbook: 'AttemptsLost' });
  const [failed, ended] = [count('JobFailed'), count('JobCompleted', 'JobFailed')];
  if (failed > FAILED_SHARE * ended && ended > MAX_ENDED)
    found.push({ what: `${failed} of ${ended} jobs ended without a report`, runbook: 'JobsFailing' });
  return [...found, ...PROVIDERS.flatMap((provider) => toNotStarted(recent, provider))];
}

/** How many steps of a provider were skipped although they should have been started. */
export const notStarted = (recent: RecentEvents | null, provider: ProviderId): number =>
  sum(recent, ({ type, of, reason }) => type === 'StepSkipped' && of === provider && FAULTS.includes(reason));

function toNotStarted(recent: RecentEvents | null, provider: ProviderId): Attention[] {
  const skipped = notStarted(recent, provider);
  const asked = skipped + sum(recent, (row) => row.of === provider && isAttempt(row));
  if (skipped <= MAX_SKIPPED || skipped <= SKIPPED_SHARE * asked) return [];
  return [{ what: `${skipped} of ${asked} steps of ${provider} were never started`, runbook: 'StepsNotStarted' }];
}

const isAttempt = ({ type, reason }: RecentCount): boolean =>
  type === 'StepCompleted' || type === 'StepAttemptLost' || (type === 'StepFailed' && reason !== 'cancelled');

const sum = (recent: RecentEvents | null, isMeant: (row: RecentCount) => boolean): number =>
  (recent?.counts ?? []).filter(isMeant).reduce((total, { count }) => total + count, 0);
