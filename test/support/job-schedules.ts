import fc from './properties';
import { DomainError } from '@lib/domain/errors';
import { decideJob } from '@lib/domain/job/decide';
import type { JobCommand } from '@lib/domain/job/commands';
import type { JobEvent } from '@lib/domain/job/events';
import { evolveJob, initialJob, type JobState } from '@lib/domain/job/state';
import { ERROR_CLASSES, PROVIDERS } from '@lib/domain/vocabulary';
import { AT, frozen } from './decider';
import { candidate, digest, failure, success } from './job-history';

export const STEPS = ['stp_1', 'stp_2', 'stp_3'];

/** What a provider says that it charged: often nothing, often more than any reservation of a plan. */
export const charge = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000_000 }));

/** Whatever a worker may report of an attempt, with or without a charge. */
export const result = fc.oneof(
  charge.map((micros) => success(micros)),
  fc
    .record({
      errorClass: fc.constantFrom(...ERROR_CLASSES),
      charge: fc.option(charge.map((micros) => ({ micros, provenance: 'reported' as const }))),
      runEnded: fc.boolean(),
      retryAfterMs: fc.option(fc.nat()),
    })
    .map((changes) => failure(changes)),
);

/** Three providers under a cap that is sometimes too small for all, or for another try. */
export const plan = fc.record({
  budgetCapCents: fc.integer({ min: 10, max: 200 }),
  researchMode: fc.constantFrom('fast' as const, 'methodical' as const),
  spideringEnabled: fc.boolean(),
  markupBasisPoints: fc.constantFrom(0, 1, 1250, 3333, 100_000),
  synthesisReserveMicros: fc.constantFrom(0, 50_000),
  candidates: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 0, max: 500_000 })), { minLength: 3, maxLength: 3 })
    .map((reserves) =>
      reserves.map(([least, more], place) => candidate(STEPS[place] ?? '', PROVIDERS[place] ?? 'provider-a', least, least + more)),
    ),
});

/** Time runs out on whatever is still open. */
export const ENDINGS: JobCommand[] = [
  { type: 'ReachDeadline', phase: 'queue' },
  { type: 'ReachDeadline', phase: 'running' },
  { type: 'ReachDeadline', phase: 'synthesis' },
];

export interface Run {
  events: JobEvent[];
  state: JobState;
}

/** A command, or what somebody would do in a state; null: there is nothing to do. */
export type ScheduledCommand = JobCommand | ((state: JobState) => JobCommand | null);

export interface Watch {
  /** Before the command is decided. */
  command?: (command: JobCommand, state: JobState) => void;
  /** After every single event; `events` ends with it. */
  event?: (before: JobState, event: JobEvent, after: JobState, events: readonly JobEvent[]) => void;
}

/** Runs a schedule under watch. */
export function play(schedule: readonly ScheduledCommand[], { command: watchCommand, event: watchEvent }: Watch = {}): Run {
  const run: Run = { events: [], state: frozen(initialJob) };
  for (const scheduled of schedule) {
    const command = typeof scheduled === 'function' ? scheduled(run.state) : scheduled;
    if (!command) continue;
    watchCommand?.(command, run.state);
    for (const event of decided(command, run.state)) {
      const before = run.state;
      run.state = frozen(evolveJob(before, frozen(event), AT));
      run.events.push(event);
      watchEvent?.(before, event, run.state, run.events);
    }
  }
  return run;
}

/** Only the domain may refuse anything. */
function decided(command: JobCommand, state: JobState): JobEvent[] {
  try {
    return decideJob(frozen(command), state, AT, digest);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
