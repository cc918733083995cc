import { unknownEvent } from './event';
import type { JobEvent } from './job/events';
import type { Retry } from './job/facts';
import { LedgerBook, type LedgerAccount, type LedgerLine, type LedgerTotals } from './ledger-book';

/** The money of a job according to its history, in micro-dollars of the customer. */
export interface JobLedger {
  /** In the order of the events, each with the balance after it. */
  lines: readonly LedgerLine[];
  /** One for each paid run of a step and each attempt at a paid synthesis, in the order of their reservations. */
  accounts: readonly LedgerAccount[];
  totals: LedgerTotals;
  capMicros: number;
  markupBasisPoints: number;
  /** The customer's charge according to the final event; null while the job is open. */
  chargedMicros: number | null;
  /** Contradictions within the history, or with the rules of the budget. Normally empty. */
  discrepancies: readonly string[];
}

/**
 * Reconstructs the ledger of a job from the facts of its events. It keeps its own accounts by the rules of the budget and shares no state
 * with the decider, so that each checks the other.
 */
export function ledgerOf(events: readonly JobEvent[]): JobLedger {
  const book = new LedgerBook();
  events.forEach((event, index) => {
    book.turnTo(index + 1, event.type);
    post(book, event);
  });
  const { lines, accounts, totals, capMicros, markupBasisPoints, frozen, discrepancies } = book;
  return { lines, accounts, totals, capMicros, markupBasisPoints, chargedMicros: frozen?.chargedMicros ?? null, discrepancies };
}

function post(book: LedgerBook, event: JobEvent): void {
  switch (event.type) {
    case 'JobRequested':
      return book.open(event.facts);
    case 'TopicsPlanned':
      return book.enter(event.facts.topics.flatMap(({ steps }) => steps));
    case 'StepSkipped':
      return book.giveBack(event.facts.stepId);
    case 'StepStarted': {
      const { stepId, run, reservedMicros } = event.facts;
      return book.grant(stepId, run, reservedMicros);
    }
    case 'StepExternalIdRecorded':
      return book.recordKnown(event.facts.stepId, event.facts.run);
    case 'StepCompleted':
      book.settle(event.facts.stepId, event.facts.run, event.facts);
      return book.giveBack(event.facts.stepId);
    case 'StepFailed': {
      const { stepId, run, failure, retry } = event.facts;
      if (failure === 'not_called') book.takeBackGrant(stepId, run);
      book.settle(stepId, run, event.facts);
      return followUp(book, stepId, retry);
    }
    case 'StepRetryRedirected':
      return book.giveBack(event.facts.stepId);
    case 'StepRedriven':
      return book.reserve(event.facts.stepId, event.facts.run, event.facts.reservedMicros);
    case 'StepAttemptLost':
      return followUp(book, event.facts.stepId, event.facts.retry);
    case 'StepResultLate':
      return book.settle(event.facts.stepId, event.facts.run, event.facts);
    case 'SynthesisClaimed':
      return book.grantSynthesis(event.facts.attempt, event.facts.reservedMicros, event.facts.priceDate);
    case 'SynthesisSettled':
      return book.settle(null, event.facts.attempt, event.facts);
    case 'JobCompleted':
    case 'JobFailed':
    case 'JobCancelled':
      return book.close(event.facts);
    // These events move no money of the job's budget.
    case 'BalanceReserved':
    case 'StepRunCancelled':
    case 'DeadlineReached':
    case 'ExploreStarted':
    case 'SynthesisStarted':
    case 'SynthesisAttemptLost':
    case 'JobRedriven':
    case 'ContentErased':
      return;
    default:
      return unknownEvent('job', event);
  }
}

/** Releases an earlier planned retry that is no longer needed, then reserves for the next one. */
function followUp(book: LedgerBook, stepId: string, retry: Retry | null): void {
  book.giveBack(stepId);
  if (retry && !retry.resumes) book.reserve(stepId, retry.run, retry.reservedMicros);
}
