import type { JobEvent, Retry } from './job/events';
import { LedgerBook, type LedgerAccount, type LedgerLine, type LedgerTotals } from './ledger-book';

/** The money of a job as its history tells it, in micro-dollars of the customer. */
export interface JobLedger {
  /** In the order of the events, each with the balance after it. */
  lines: readonly LedgerLine[];
  /** One for each paid run of a step and each try of a paid synthesis, in the order of their reservations. */
  accounts: readonly LedgerAccount[];
  totals: LedgerTotals;
  capMicros: number;
  markupBasisPoints: number;
  /** What the final event says that the customer is charged; null while the job is open. */
  chargedMicros: number | null;
  /** Where the history contradicts itself or the rules of the budget. Empty, or somebody must look. */
  discrepancies: readonly string[];
}

/**
 * Reads the ledger of a job back from its events alone, facts without content. It keeps its own accounts by the rules of the budget
 * and shares no state with the decider, so that each is a check of the other.
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
    // Nothing of these moves money.
    case 'StepRunCancelled':
    case 'DeadlineReached':
    case 'ExploreStarted':
    case 'SynthesisStarted':
    case 'SynthesisAttemptLost':
    case 'ContentErased':
      return;
    default:
      return unknownEvent(event);
  }
}

function unknownEvent(event: never): never {
  throw new Error(`unknown job event ${JSON.stringify(event)}: this version is older than the history it reads`);
}

/** A retry that was planned and is not needed any more is given back before the next one reserves. */
function followUp(book: LedgerBook, stepId: string, retry: Retry | null): void {
  book.giveBack(stepId);
  if (retry && !retry.resumes) book.reserve(stepId, retry.run, retry.reservedMicros);
}
