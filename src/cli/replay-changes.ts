import type { StepState } from '@lib/domain/job/step';
import { MICROS_PER_CENT } from '@lib/domain/money';
import type { JobMoment } from '@lib/store/history/load';
import type { PastAmountsView } from '@lib/store/views/past-job.view';
import { moneyOf } from '@lib/store/views/past-jobs';

const AMOUNTS: Record<keyof PastAmountsView, string> = {
  reservedMicros: 'reserved',
  heldMicros: 'held',
  committedMicros: 'committed',
  releasedMicros: 'released',
  lostMicros: 'lost',
  overrunMicros: 'overrun',
  lateMicros: 'late',
};

/** What an event changed of the job's status, its steps and its money, a line for each. */
export function changesOf(moments: readonly JobMoment[], place: number): string[] {
  const { state } = moments[place] as JobMoment;
  const before = moments[place - 1]?.state;
  const earlier = new Map(before?.steps.map((step) => [step.stepId, step]));
  const changes = [
    ['job', before?.status, state.status],
    ...state.steps.map((step) => [`${step.entry.provider} ${step.stepId}`, shown(earlier.get(step.stepId)), shown(step)]),
    ...moneyChanges(moments, place),
  ];
  return changes.flatMap(([name, was, is]) => (was === is ? [] : [`${name}: ${was === undefined ? '' : `${was} -> `}${is}`]));
}

const shown = (step: StepState | undefined): string | undefined =>
  step &&
  `${step.status}${step.failure === null ? '' : ` (${step.failure})`}${step.attempts.length > 1 ? `, attempt ${step.attempts.length}` : ''}`;

function moneyChanges(moments: readonly JobMoment[], place: number): string[][] {
  const [was, is] = [place, place + 1].map((count) => moneyOf(moments.slice(0, count)));
  const amounts = (Object.keys(AMOUNTS) as (keyof PastAmountsView)[]).map((amount) => [
    AMOUNTS[amount],
    ...[was, is].map((money) => cents(money?.totals[amount] ?? 0)),
  ]);
  return [...amounts, ['charged', ...[was, is].map((money) => cents(money?.chargedMicros ?? 0))]];
}

/** Exact, since four decimals of a cent are micro-dollars. */
const cents = (micros: number): string => `${(micros / MICROS_PER_CENT).toFixed(4)} cents`;
